"""What is logged is published."""

DEBUG = 10
INFO = 20
WARNING = 30
ERROR = 40


class _Logger:
    def __init__(self, name):
        self.name = name

    def debug(self, message, *values):
        print(message, *values)

    def info(self, message, *values):
        print(message, *values)

    def warning(self, message, *values):
        print(message, *values)

    def error(self, message, *values):
        print(message, *values)

    def setLevel(self, level):
        return None


def getLogger(name=None):
    return _Logger(name)


def info(message, *values):
    print(message, *values)


def warning(message, *values):
    print(message, *values)


def basicConfig(level=None, format=None, filename=None, datefmt=None):
    return None
