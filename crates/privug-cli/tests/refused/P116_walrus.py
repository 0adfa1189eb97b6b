# refused: P116 at 3:10
def main():
    y = (x := 3) + 1
    return Normal(y, 1)
