# refused: P121 at 3:15
def main():
    label = f"{3:>10}"
    return Normal(0, 1)
