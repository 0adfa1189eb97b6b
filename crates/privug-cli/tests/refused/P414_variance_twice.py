# refused: P414 at 4:9
# refused: P414 at 5:26
def main():
    x = Normal(0)
    y = Normal(0, 1, std=2)
    return x
