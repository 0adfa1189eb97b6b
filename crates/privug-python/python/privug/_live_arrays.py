"""A second way to run a function: on arrays that numpy and pandas themselves compute with.

Random variables as such know sums, products with numbers and a few functions of numpy. Where a function asks for more, its
random vectors are given as secret arrays (`_secret_array`), which go through everything that is linear: `np.convolve`,
`np.linalg.lstsq`, `pd.DataFrame({"y": ys}).groupby(...)`. What comes out are affine forms of the vectors' elements, and these
are recorded as sums of random variables.
"""

from __future__ import annotations

import gc
from typing import Any, Collection, Dict, List, Tuple

import numpy as np

from ._privug import Forms, Random, RandomVector
from ._publish import Labelled, Tree, look_into, step
from ._recording import Recording
from ._secret import SecretValue, refused
from ._secret_array import SecretArray
from ._live_text import Pieces, SecretText

_LEAVES = (SecretValue, SecretArray, SecretText)


COMPUTING = ("P203", "P205", "P304", "P306", "P309", "P407", "P416")
"""The refusals of something that is computed with random variables, which arrays may know how to compute."""


class Arrays:
    """The random variables among the arguments of a run, as elements of secret arrays."""

    def __init__(self, recording: Recording) -> None:
        self.recorder = recording.recorder
        self.elements: List[Random] = []
        self.units: Dict[str, Any] = {}
        """To multiples of what outputs are rounded, by their paths; arrays of units for vectors."""
        self.texts: Dict[str, Pieces] = {}
        """The outputs that are texts, by their paths."""
        self.is_published = False
        """Whether what is taken apart is an output, which may be rounded."""

    def given(self, value: Any, name: str) -> Any:
        """An argument with secret arrays in the place of random variables."""
        if isinstance(value, RandomVector):
            first = len(self.elements)
            self.elements += value.tolist()
            return SecretArray(Forms.of_secrets(np.arange(first, len(self.elements), dtype=np.int64)), (len(value),), name)
        if isinstance(value, Random):
            self.elements.append(value)
            return SecretValue(Forms.of_secrets(np.array([len(self.elements) - 1], dtype=np.int64)), name)
        if type(value) in (list, tuple):
            return type(value)(self.given(part, f"{name}[{place}]") for place, part in enumerate(value))
        if type(value) is dict:
            return {key: self.given(part, f"{name}[{key!r}]") for key, part in value.items()}
        return value

    def arguments(self, given: Dict[str, Any]) -> None:
        """Does this to all arguments, in their place."""
        for name, value in list(given.items()):
            given[name] = self.given(value, name)

    def random(self, value: Any) -> Tree:
        """What was computed, with random variables in it again."""
        return self._leaf(look_into(_plain(value), leaves=_LEAVES), "")

    def published(self, value: Any) -> Tree:
        """The same for what is published: rounded values and texts are judged as what they were before."""
        self.is_published = True
        try:
            return self.random(value)
        finally:
            self.is_published = False

    def _leaf(self, tree: Any, path: str) -> Any:
        if isinstance(tree, Labelled):
            return Labelled((key, self._leaf(part, path + step(key))) for key, part in tree.items())
        if isinstance(tree, list):
            return self._each(tree, path)
        if isinstance(tree, np.ndarray) and tree.dtype.hasobject:
            return self._each(tree.tolist(), path) if tree.ndim else self._leaf(tree.item(), path)
        if isinstance(tree, SecretText):
            if not self.is_published:
                raise tree._refuse()
            self.texts[path] = Pieces(tree.pieces)
            parts = self._each(tree.values, path)
            return parts[0] if len(parts) == 1 else parts
        if isinstance(tree, SecretArray):
            return self._array(tree, path)
        return self._sum(tree._forms, tree.label, path) if isinstance(tree, SecretValue) else tree

    def _each(self, parts: List[Any], path: str) -> List[Any]:
        return [self._leaf(part, f"{path}[{place}]") for place, part in enumerate(parts)]

    def _array(self, array: SecretArray, path: str) -> Any:
        parts = self._each(array.flatten_values() if array.ndim == 1 else list(array), path)
        if array.ndim != 1 or not parts or not all(isinstance(part, Random) for part in parts):
            return parts
        units = [self.units.pop(f"{path}[{place}]", 0.0) for place in range(len(parts))]
        if any(units):
            self.units[path] = np.array(units)
        return self.recorder.vector(parts)

    def _sum(self, forms: Forms, label: str, path: str) -> Any:
        """(Σ weight·variable)/divisor + offset."""
        sources, weights, divisor, offset, unit = forms.terms(0)
        if unit > 0:
            if not self.is_published:
                hint = "ask about it unrounded"
                raise refused("P306", label, "`{}`: a rounded random variable is not Gaussian", "round", hint)
            self.units[path] = unit
        if not len(sources):
            return float(offset)
        if len(sources) == 1 and weights[0] == 1:
            found: Any = self.elements[sources[0]]
        else:
            vector = self.recorder.vector([self.elements[source] for source in sources.tolist()])
            found = vector.sum() if (weights == 1).all() else vector.dot(weights)
        found = found / divisor if divisor != 1 else found
        return found + offset if offset != 0 else found


def _plain(value: Any) -> Any:
    """Columns of pandas as lists of their elements, under their labels."""
    return value._array() if hasattr(value, "_forms") and not isinstance(value, _LEAVES) else value


def is_ours(error: BaseException) -> Tuple[bool, str]:
    """Whether an error says why a random variable cannot be computed with, and its code."""
    code = str(getattr(error, "code", "") or str(error)[:4])
    return len(code) == 4 and code[0] == "P" and code[1:].isdigit(), code


def still_alive(since: int, known: Collection[int] = ()) -> bool:
    """Whether somebody holds a secret value, array, column or text that was made since then and is not known."""
    known = frozenset(known)
    if known.issuperset(Forms.alive_since(since)):
        return False
    # Objects that hold each other.
    gc.collect()
    return not known.issuperset(Forms.alive_since(since))
