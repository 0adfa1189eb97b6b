# refused: P109 at 3:5
def main():
    yield Normal(0, 1)
