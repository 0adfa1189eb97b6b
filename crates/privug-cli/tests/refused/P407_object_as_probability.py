# refused: P407 at 10:13
# refused: P407 at 11:13
# refused: P407 at 12:12
class Person:
    def __init__(self):
        self.ill = Bernoulli(0.5)


def main():
    first = Bernoulli(Person())
    other = Categorical([Person(), 0.5])
    return ~Person(), first, other
