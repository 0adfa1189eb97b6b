# refused: P004 at 4:20
# refused: P004 at 9:9
def main():
    x = Normal(0, 1
    return x


def other():
    y = = 3
