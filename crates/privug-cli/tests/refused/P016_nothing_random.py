# refused: P016 at 3:12
def main():
    return 3
