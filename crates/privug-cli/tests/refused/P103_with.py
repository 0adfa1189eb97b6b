# refused: P103 at 6:9
class Kept:
    def __init__(self):
        self.total = 0

    def __exit__(self, *error):
        self.total = self.total + 1


def main():
    with Kept() as kept:
        kept.total = 2
    return Normal(kept.total, 1)
