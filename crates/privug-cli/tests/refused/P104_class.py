# refused: P104 at 11:14
# refused: P104 at 14:9
# refused: P104 at 18:5
# refused: P201 at 18:14
# refused: P104 at 22:11
class Person:
    def __init__(self, income):
        self.income = income


class Worker(Person):
    rate = 2

    def __eq__(self, other):
        return True


    double = rate * 2


def main():
    class Inner:
        pass

    return Normal(0, 1)
