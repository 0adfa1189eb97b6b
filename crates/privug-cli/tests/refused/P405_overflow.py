# refused: P405 at 3:9
def main():
    x = 1e308 * 10
    return Normal(x, 1)
