# refused: P101 at 3:5
def main():
    while True:
        pass
    return Normal(0, 1)
