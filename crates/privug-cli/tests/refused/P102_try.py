# refused: P102 at 4:5
def main():
    x = Normal(0, 1)
    try:
        x = x + 1
    except ValueError:
        x = 0
    return x
