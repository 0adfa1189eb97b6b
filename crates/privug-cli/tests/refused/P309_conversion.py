# refused: P309 at 5:9
# refused: P309 at 6:11
def main():
    x = Normal(0, 1)
    a = float(x)
    b = f"{x}"
    return x
