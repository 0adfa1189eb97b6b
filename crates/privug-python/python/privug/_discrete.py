"""Discrete distributions, as programs write them and as priors."""

from __future__ import annotations

from typing import Any, Callable, Optional

from ._privug import RandomVector, Random, not_gaussian
from ._random import Prior, checked_size, value_text
from ._recording import CURRENT, Recording

_HINT = (
    "a function that is run cannot take both ways of an `if`: put it into a file and give its path, "
    "`privug.analyze('program.py')`, or its text as source=..."
)


class DiscretePrior(Prior):
    """One or several independent discrete variables, by their expression."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def create(self, recording: Recording) -> Any:
        raise not_gaussian("P305", f"`{self.name}` is discrete, and this function is run on Gaussian variables", _HINT)

    def source(self) -> str:
        return self.text

    def draw(self, add_noise: Callable[[Any, Any, Optional[int]], Any]) -> Any:
        raise not_gaussian("P305", f"`{self.name}` is discrete, and this function is run on Gaussian variables", _HINT)


def _discrete(name: str, *arguments: Any, size: Optional[int]) -> Any:
    for argument in arguments:
        if isinstance(argument, (Random, RandomVector)):
            raise not_gaussian("P305", f"a parameter of `{name}` is a Gaussian variable", "give numbers")
    inside = [value_text(argument) for argument in arguments]
    if size is not None:
        inside.append(f"size={checked_size(size)}")
    prior = DiscretePrior(f"{name}({', '.join(inside)})", name)
    recording = CURRENT.get()
    return prior if recording is None else recording.create(prior)


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
    return _discrete("Bernoulli", p, size=size)


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
    return _discrete("Categorical", probabilities, size=size)


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
    return _discrete("DiscreteUniform", lower, upper, size=size)


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
    return _discrete("Binomial", n, p, size=size)


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
    return _discrete("Poisson", mu, size=size)


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
    return _discrete("Geometric", p, size=size)
