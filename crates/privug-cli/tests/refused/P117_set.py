# refused: P117 at 4:14
def main():
    total = 0
    for x in {1, 2, 3}:
        total += x
    return Normal(total, 1)
