# refused: P303 at 4:12
def main():
    x = Normal(0, 1)
    return x**2
