# refused: P106 at 3:9
def main():
    def inner():
        return Normal(0, 1)
    return Normal(0, 1)
