"""Discrete distributions, as programs write them and as priors."""

from __future__ import annotations

import functools
import numbers
import operator
from typing import Any, Callable, List, Mapping, Optional, Sequence

import numpy as np

from ._privug import Random, RandomVector, not_gaussian
from ._random import Prior, checked_size, value_text
from ._recording import CURRENT, Recording, caller
from ._refused import type_refusal, value_refusal
from ._worlds import ELSEWHERE, MAX_RUNS

Support = Callable[..., Sequence[Any]]
"""The values that a distribution with these parameters can give."""


class DiscretePrior(Prior):
    """One or several independent discrete variables, by their expression."""

    def __init__(self, name: str, arguments: Sequence[Any], size: Optional[int], support: Support) -> None:
        self.name = name
        self.arguments = list(arguments)
        self.size = size
        self.support = support

    def create(self, recording: Recording) -> Any:
        """The value that this run is told, or as many as the size says."""
        values = self.support(*self.arguments)
        drawn = []
        for _ in range(1 if self.size is None else self.size):
            step = recording.recorder.discrete(self.name, [_plain(argument) for argument in self.arguments])
            drawn.append(recording.worlds.tell(recording.recorder, step, values, is_drawn=True))
        if self.size is None:
            return drawn[0]
        return drawn if isinstance(self.arguments[0], Mapping) else np.array(drawn)

    def source(self) -> str:
        inside = [value_text(argument) for argument in self.arguments]
        if self.size is not None:
            inside.append(f"size={self.size}")
        return f"{self.name}({', '.join(inside)})"

    def draw(self, add_noise: Callable[[Any, Any, Optional[int]], Any]) -> Any:
        raise AssertionError("choices are told, not drawn")


def _plain(argument: Any) -> Any:
    """A parameter as the recorder takes it."""
    if isinstance(argument, Mapping):
        return dict(argument)
    if hasattr(argument, "__array__") and np.ndim(argument) > 0:
        return np.asarray(argument).tolist()
    if isinstance(argument, (tuple, range)):
        return list(argument)
    return argument


def _number(value: Any, what: str) -> Any:
    if isinstance(value, numbers.Number) or hasattr(value, "as_integer_ratio"):
        return value
    raise type_refusal("P407", f"{what} must be a number, not {type(value).__name__}", "give a number")


def _probability(value: Any) -> Any:
    if not 0 <= _number(value, "the probability") <= 1:
        raise value_refusal("P417", f"the probability is {value}, not between 0 and 1", "give a number from 0 to 1")
    return value


def _whole(value: Any, what: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise type_refusal("P407", f"{what} must be a whole number, not {value!r}", "give an integer")
    return operator.index(value)


def _two(p: Any) -> List[bool]:
    p = _probability(p)
    return [False] * (p < 1) + [True] * (p > 0)


def _listed(probabilities: Any) -> List[Any]:
    pairs = probabilities.items() if isinstance(probabilities, Mapping) else enumerate(probabilities)
    return [value for value, p in pairs if _probability(p) > 0]


def _between(lower: Any, upper: Any) -> Sequence[int]:
    return range(_whole(lower, "the lower end"), _whole(upper, "the upper end") + 1)


def _up_to(n: Any, p: Any) -> Sequence[int]:
    n, p = _whole(n, "the number of trials"), _probability(p)
    return [n] if p == 1 else [0] if p == 0 else range(n + 1)


_NEGLIGIBLE = 1e-300
"""Values that are less likely than this beside the likeliest are left out, as where programs are not run."""


def _counts(mu: Any) -> Sequence[int]:
    mean = float(_number(mu, "the mean"))
    if not 0 <= mean <= 1e5:
        raise value_refusal("P417", f"the mean is {mu}, negative or too large", "give a number from 0 to 100 000")
    if mean == 0:
        return [0]
    count, share = int(mean) + 1, 1.0
    while share > _NEGLIGIBLE:
        share *= mean / count
        count += 1
    return range(count)


def _trials(p: Any) -> Sequence[int]:
    return _trials_until_failing(1.0 - float(_probability(p)))


@functools.lru_cache(maxsize=64)
def _trials_until_failing(failure: float) -> Sequence[int]:
    left, count = 1.0, 0
    while left > _NEGLIGIBLE:
        left, count = left * failure, count + 1
        if count > MAX_RUNS:
            raise value_refusal("P609", "`Geometric` has too many values, and a function is run once for each", ELSEWHERE)
    return range(1, count + 1)


def _discrete(name: str, *arguments: Any, size: Optional[int], support: Support) -> Any:
    for argument in arguments:
        if isinstance(argument, (Random, RandomVector)):
            raise not_gaussian("P305", f"a parameter of `{name}` is a Gaussian variable", "give numbers")
    prior = DiscretePrior(name, arguments, None if size is None else checked_size(size), support)
    recording = CURRENT.get()
    if recording is None:
        return prior
    recording.locate(caller(3))
    values = recording.create(prior)
    return values


def Bernoulli(p: Any, *, size: Optional[int] = None) -> Any:
    """True with probability `p`, which counts 1 as in Python.

    Parameters
    ----------
    p
        The probability.
    size
        With it, a list of so many independent ones.

    Examples
    --------
    >>> import privug
    >>> found = privug.analyze(source="def f(x, y):\\n    return x or y\\n", x=privug.Bernoulli(0.5), y=privug.Bernoulli(0.5),
    ...                        secret="x", observe=True)
    >>> round(found.posterior.pmf[True], 4)
    0.6667
    """
    return _discrete("Bernoulli", p, size=size, support=_two)


def Categorical(probabilities: Any, *, size: Optional[int] = None) -> Any:
    """0, 1, … with the probabilities of a list, or one of the keys of a dictionary of probabilities.

    Parameters
    ----------
    probabilities
        A list, or a dictionary from values to probabilities.
    size
        With it, a list of so many independent ones.

    Examples
    --------
    >>> import privug
    >>> found = privug.analyze(source="def f(x):\\n    return x != 'a'\\n", x=privug.Categorical({"a": 0.5, "b": 0.25, "c": 0.25}),
    ...                        secret="x", observe=True)
    >>> found.posterior.pmf["b"]
    0.5
    """
    return _discrete("Categorical", probabilities, size=size, support=_listed)


def DiscreteUniform(lower: Any, upper: Any, *, size: Optional[int] = None) -> Any:
    """An integer from `lower` to `upper`, both included.

    Parameters
    ----------
    lower, upper
        The ends.
    size
        With it, a list of so many independent ones.

    Examples
    --------
    >>> import privug
    >>> found = privug.analyze(source="def f(x):\\n    return x > 4\\n", x=privug.DiscreteUniform(1, 6), secret="x", observe=True)
    >>> found.posterior.pmf[6]
    0.5
    """
    return _discrete("DiscreteUniform", lower, upper, size=size, support=_between)


def Binomial(n: Any, p: Any, *, size: Optional[int] = None) -> Any:
    """How many of `n` independent events with probability `p` happen.

    Parameters
    ----------
    n, p
        How many events there are, and how probable each is.
    size
        With it, a list of so many independent ones.

    Examples
    --------
    >>> import privug
    >>> found = privug.analyze(source="def f(x):\\n    return x > 0\\n", x=privug.Binomial(2, 0.5), secret="x", observe=True)
    >>> round(found.posterior.pmf[1], 4)
    0.6667
    """
    return _discrete("Binomial", n, p, size=size, support=_up_to)


def Poisson(mu: Any, *, size: Optional[int] = None) -> Any:
    """A count with the mean `mu`.

    Parameters
    ----------
    mu
        The mean.
    size
        With it, a list of so many independent ones.

    Examples
    --------
    >>> import privug
    >>> privug.Poisson(3)
    Poisson(3)
    """
    return _discrete("Poisson", mu, size=size, support=_counts)


def Geometric(p: Any, *, size: Optional[int] = None) -> Any:
    """How many attempts with the probability `p` of success it takes.

    Parameters
    ----------
    p
        The probability of success.
    size
        With it, a list of so many independent ones.

    Examples
    --------
    >>> import privug
    >>> privug.Geometric(0.5)
    Geometric(0.5)
    """
    return _discrete("Geometric", p, size=size, support=_trials)
