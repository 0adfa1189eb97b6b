# refused: P416 at 3:19
def main():
    return Normal(1e999, 1)
