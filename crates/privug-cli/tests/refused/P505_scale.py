# refused: P505 at 4:12
def main():
    x = Normal(0, 1)
    return x * 1e-320
