"""Operators as functions."""


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def neg(a):
    return -a


def eq(a, b):
    return a == b


def lt(a, b):
    return a < b


def gt(a, b):
    return a > b


def itemgetter(key):
    def get(item):
        return item[key]

    return get
