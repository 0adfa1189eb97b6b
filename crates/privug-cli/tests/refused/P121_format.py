# refused: P121 at 3:15
def main():
    label = f"{3.5:.3}"
    return Normal(0, 1)
