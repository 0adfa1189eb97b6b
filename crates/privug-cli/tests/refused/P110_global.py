# refused: P110 at 6:5
count = 0


def main():
    global count
    count = 1
    return Normal(count, 1)
