# refused: P110 at 8:5
# refused: P110 at 14:9
# A variable that has no value before: Python would not find one either, or only later.
count = 0


def first():
    global unknown
    unknown = 1


def main():
    def change():
        nonlocal later
        later = 2

    later = 1
    change()
    return Normal(later, 1)
