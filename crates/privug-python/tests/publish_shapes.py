"""What the tests of published values share: random variables within values of many kinds."""

from __future__ import annotations

import dataclasses
import weakref
from typing import Any, Callable, NamedTuple

import privug

P = privug.Normal(50, std=10, size=4)
NOTHING = "mutual_information_bits <= 0.01"
SEX = ["women", "men", "women", "men"]


class Totals(NamedTuple):
    first: Any
    rest: Any


@dataclasses.dataclass
class Report:
    first: Any
    rest: Any


class Plain:
    def __init__(self, first: Any) -> None:
        self._first = first


class Sums(dict):
    pass


def bits(function: Callable[..., Any], x: Any = P, **options: Any) -> float:
    return float(privug.analyze(function, x=x, secret="x[0]", **options).leakage.mutual_information_bits)


class Liar:
    def __init__(self, first: Any) -> None:
        self.first = first

    def __getattribute__(self, name: str) -> Any:
        return {} if name == "__dict__" else object.__getattribute__(self, name)


class Elsewhere:
    """A descriptor that keeps the values of all instances."""

    values: Any = weakref.WeakKeyDictionary()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.values.get(instance)

    def __set__(self, instance: Any, value: Any) -> None:
        self.values[instance] = value


class Described:
    first = Elsewhere()

    def __init__(self, first: Any) -> None:
        self.first = first
