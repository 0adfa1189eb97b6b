"""What Python has without an import, and the language has not by itself."""


def iter(values):
    return reversed(list(values)[::-1])


def bin(number):
    return ("-0b" if number < 0 else "0b") + f"{abs(number):b}"


def oct(number):
    return ("-0o" if number < 0 else "0o") + f"{abs(number):o}"


def hex(number):
    return ("-0x" if number < 0 else "0x") + f"{abs(number):x}"


class _File:
    def __init__(self):
        self.closed = False

    def write(self, text):
        print(text)

    def writelines(self, lines):
        for line in lines:
            print(line)

    def close(self):
        self.closed = True


def open(file, mode="r", encoding=None, newline=None):
    assert mode.startswith("w") or mode.startswith("a") or mode.startswith("x"), "only what is written to a file is followed; tables are read with `pd.read_csv`"
    return _File()
