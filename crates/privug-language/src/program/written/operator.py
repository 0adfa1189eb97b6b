"""What `operator` has besides."""


def truediv(a, b):
    return a / b


def neg(a):
    return -a


def itemgetter(key):
    def get(item):
        return item[key]

    return get
