# refused: P202 at 3:9
def main():
    x = normal(0, 1)
    return x
