"""Fractions of integers, for numbers that are known beforehand."""

import math


def _parts(value):
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    assert isinstance(value, (int, bool)), "a fraction is made of integers, or of a text such as \"1/3\""
    return int(value), 1


def _whole(text):
    digits = text[1:] if text[:1] in ("-", "+") else text
    assert digits.isdigit(), "a fraction is read from a text such as \"1/3\" here"
    return int(text)


def _over(first, second):
    return Fraction(first[0] * second[1], first[1] * second[0])


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if isinstance(numerator, str):
            assert denominator is None, "a fraction is read from one text"
            above, slash, below = numerator.strip().partition("/")
            upper, lower = (_whole(above), 1), (int(below) if slash else 1, 1)
        else:
            upper, lower = _parts(numerator), _parts(1 if denominator is None else denominator)
        over, under = upper[0] * lower[1], upper[1] * lower[0]
        if under == 0:
            raise ZeroDivisionError(f"Fraction({over}, 0)")
        shared = math.gcd(over, under) * (-1 if under < 0 else 1)
        self.numerator = over // shared
        self.denominator = under // shared

    def __float__(self):
        return self.numerator / self.denominator

    def __str__(self):
        return f"{self.numerator}" if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __bool__(self):
        return self.numerator != 0

    def _exact(self, other):
        # With anything else it is the float nearest to it, as in Python.
        return isinstance(other, (Fraction, int, bool))

    def __add__(self, other):
        if not self._exact(other):
            return float(self) + other
        over, under = _parts(other)
        return Fraction(self.numerator * under + over * self.denominator, self.denominator * under)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        if not self._exact(other):
            return float(self) - other
        over, under = _parts(other)
        return Fraction(self.numerator * under - over * self.denominator, self.denominator * under)

    def __rsub__(self, other):
        return other - float(self) if not self._exact(other) else -(self - other)

    def __mul__(self, other):
        if not self._exact(other):
            return float(self) * other
        over, under = _parts(other)
        return Fraction(self.numerator * over, self.denominator * under)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        if not self._exact(other):
            return float(self) / other
        return _over(_parts(self), _parts(other))

    def __rtruediv__(self, other):
        if not self._exact(other):
            return other / float(self)
        return _over(_parts(other), _parts(self))

    def __eq__(self, other):
        return _parts(self) == _parts(other) if self._exact(other) else float(self) == other

    def __lt__(self, other):
        if not self._exact(other):
            return float(self) < other
        over, under = _parts(other)
        return self.numerator * under < over * self.denominator

    def __le__(self, other):
        return self == other or self < other

    def __gt__(self, other):
        return not self <= other

    def __ge__(self, other):
        return not self < other
