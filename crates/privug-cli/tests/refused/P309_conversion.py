# refused: P309 at 5:9
# refused: P309 at 6:9
def main():
    x = Normal(0, 1)
    a = int(x)
    b = str(x)
    return x
