# refused: P111 at 5:9
def main():
    x = Normal(0, 1)
    y = 1
    del y
    return x
