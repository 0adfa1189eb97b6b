# refused: P401 at 4:19
# refused: P401 at 5:23
def main():
    x = Normal(0, -1)
    y = Normal(0, std=-1)
    return x
