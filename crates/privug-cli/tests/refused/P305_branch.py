# refused: P305 at 4:8
def main():
    x = Normal(0, 1)
    if x:
        return x
    return x + 1
