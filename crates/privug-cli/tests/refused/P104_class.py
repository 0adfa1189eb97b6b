# refused: P104 at 13:22
# refused: P104 at 16:9
# refused: P104 at 20:5
# refused: P201 at 20:14
# refused: P104 at 26:11
# refused: P104 at 35:11
# refused: P202 at 38:12
class Person:
    def __init__(self, income):
        self.income = income


class Worker(Person, Other):
    rate = 2

    def __getattr__(self, name):
        return True


    double = rate * 2


def main():
    noise = Normal(0, 1)

    class Inner:
        def get(self):
            return noise

    return noise


def make():
    # Each call makes another class, and objects of two classes are never equal.
    class Record:
        pass

    return Record()


def both():
    return make() == make()
