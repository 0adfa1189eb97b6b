"""Takes values apart: every number, text and random variable in them, with its label.

What a function returns is published as a whole, so whatever cannot be looked into is an error and not a constant.
"""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import enum
import fractions
import ipaddress
import pathlib
import sys
import types
import uuid
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, Set, ValuesView
from typing import Any, Dict, List, Tuple, Union

import numpy as np

from ._hidden import attributes, refuse_hidden
from ._privug import Random, RandomVector, not_gaussian
from ._refused import type_refusal

MAX_DEPTH = 100
MAX_DRAWN = 10_000_000
"""Generators without an end are not gone through for ever."""

INSTEAD = (
    "return numbers, lists, tuples, dictionaries, dataclasses, or the arrays, columns and tables of numpy, pandas, polars "
    "or pyarrow"
)
_TEXTS = (
    str, bytes, bytearray, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo, uuid.UUID,
    pathlib.PurePath, ipaddress.IPv4Address, ipaddress.IPv6Address, slice, range, complex, np.datetime64, np.timedelta64,
    np.complexfloating, np.bytes_,
)  # fmt: skip
_HOLDING = (dict, list, tuple, set, frozenset, collections.deque)
_GOING_THROUGH = ("__iter__", "__len__", "__getitem__", "items", "keys", "values")
_NUMBERS = (bool, int, float, fractions.Fraction, decimal.Decimal, np.bool_, np.integer, np.floating)


class Constant(str):
    """The text of something that is neither a number nor a string, such as a date or a gap in a table."""


class Labelled(Dict[Any, Any]):
    """Parts by their labels."""


Tree = Any
"""A `Labelled`, a list, or a leaf: a random variable, a vector of them, an array of numbers, a number, a string or None."""

Leaf = Tuple[Any, str, str]
"""A leaf, its name, and its path such as `[1]['men']`."""


def look_into(value: Any, path: str = "", leaves: Tuple[type, ...] = ()) -> Tree:
    """The parts of a value; objects of the types in `leaves` are left as they are."""
    return _Walk(leaves).tree(value, path, 0)


def _is_type_of_columns(value: Any) -> bool:
    """Whether it is what `df.dtypes` holds, and carries nothing beside its name."""
    pandas: Any = sys.modules.get("pandas")
    if isinstance(value, np.dtype):
        return not value.metadata and not value.names
    is_known = type(value).__module__.partition(".")[0] in ("pandas", "privug")
    return is_known and pandas is not None and isinstance(value, pandas.api.extensions.ExtensionDtype)


class _Walk:
    def __init__(self, leaves: Tuple[type, ...]) -> None:
        self.leaves = (Random, RandomVector, *leaves)

    def tree(self, value: Any, path: str, depth: int) -> Tree:
        if depth > MAX_DEPTH:
            raise ValueError(f"P607: the values in `return{path[:60]}…` are nested too deeply, or contain themselves")
        if value is None or isinstance(value, self.leaves):
            return value
        refuse_hidden(value, path, lambda inner: holds_random(self.tree(inner, path, depth + 1)))
        if isinstance(value, enum.Enum):
            return Constant(value)
        if isinstance(value, _NUMBERS):
            return _number(value)
        if isinstance(value, _TEXTS):
            return str.__str__(value) if isinstance(value, str) else Constant(value)
        if isinstance(value, (np.ndarray, np.void)):
            return self.array(value, path, depth)
        if _is_type_of_columns(value):
            return Constant(str(value))
        known = self.table(value, path, depth)
        return self.container(value, path, depth) if known is None else known

    def each(self, values: Any, path: str, depth: int) -> List[Tree]:
        return [self.tree(value, f"{path}[{place}]", depth + 1) for place, value in enumerate(values)]

    def labelled(self, entries: Any, path: str, depth: int) -> Labelled:
        made = Labelled()
        for key, value in entries:
            name = label(key, path)
            if name in made:
                raise type_refusal("P901", f"two parts of `return{path}` have the label {name!r}", "rename one of them")
            made[name] = self.tree(value, path + step(name), depth + 1)
        return made

    def array(self, value: Any, path: str, depth: int) -> Tree:
        if isinstance(value, np.ma.MaskedArray):
            if value.dtype.hasobject:
                message = f"the masked array `return{path}` still contains its masked values"
                raise type_refusal("P901", message, "return value[~value.mask]")
            return self.each(value.tolist(), path, depth) if value.ndim else self.tree(value.item(), path, depth + 1)
        if value.dtype.names:
            return self.labelled(((name, value[name]) for name in value.dtype.names), path, depth)
        if value.ndim == 0:
            return self.tree(value.item(), path, depth + 1)
        if value.dtype.kind in "biuf" and value.ndim <= 2 and np.isfinite(value).all():
            return np.asarray(value)
        return self.each(np.asarray(value) if value.dtype.hasobject else value.tolist(), path, depth)

    def table(self, value: Any, path: str, depth: int) -> Tree:
        """Columns and tables of other packages; None if it is none."""
        package = type(value).__module__.partition(".")[0]
        kind = type(value).__name__
        pandas: Any = sys.modules.get("pandas")
        if pandas is not None:
            if isinstance(value, pandas.DataFrame):
                return self.frame(value, path, depth)
            if isinstance(value, pandas.Series):
                return self.column(value, _rows(value.index, path), path, depth)
            if isinstance(value, pandas.MultiIndex):
                _refuse_random_labels(value, path)
                return self.each(value.tolist(), path, depth)
            if isinstance(value, (pandas.Index, pandas.api.extensions.ExtensionArray)):
                _check_categories(value, path)
                return self.each(list(value), path, depth)
            if package == "pandas" and kind == "Styler":
                return self.frame(value.data, path, depth)
            if package == "pandas" and pandas.api.types.is_scalar(value):
                return Constant(value)
        if package == "polars" and kind == "DataFrame":
            return self.labelled(((name, value[name].to_list()) for name in value.columns), path, depth)
        if package == "polars" and kind == "Series":
            return self.each(value.to_list(), path, depth)
        if package == "pyarrow" and hasattr(value, "to_pydict"):
            return self.labelled(value.to_pydict().items(), path, depth)
        if package == "pyarrow" and hasattr(value, "to_pylist"):
            return self.each(value.to_pylist(), path, depth)
        if package == "pyarrow" and hasattr(value, "as_py"):
            return self.tree(value.as_py(), path, depth + 1)
        return None

    def frame(self, value: Any, path: str, depth: int) -> Tree:
        rows, names = _rows(value.index, path), _rows(value.columns, path)
        columns = [value.iloc[:, place] for place in range(value.shape[1])]
        if names is None:
            return [self.column(column, rows, f"{path}[{place}]", depth) for place, column in enumerate(columns)]
        made = Labelled()
        for name, column in zip(names, columns):
            made[name] = self.column(column, rows, path + step(name), depth)
        return made

    def column(self, value: Any, rows: Any, path: str, depth: int) -> Tree:
        label(value.name, path)
        _check_categories(value.array, path)
        values = value.to_numpy()
        if rows is None:
            return self.tree(values, path, depth + 1)
        return Labelled(
            (row, self.tree(each, path + step(row), depth + 1)) for row, each in zip(rows, values.tolist())
        )

    def container(self, value: Any, path: str, depth: int) -> Tree:
        held = next((kind for kind in _HOLDING if isinstance(value, kind)), None)
        if held is not None and _goes_through_itself(type(value)):
            # What it shows is its own affair; it holds what it holds.
            contents: Any = dict(dict.items(value)) if held is dict else list(held.__iter__(value))
            if holds_random(self.tree(contents, path, depth + 1)):
                message = f"`return{path}` holds a random variable, and its class {type(value).__name__} says what it shows"
                raise type_refusal("P901", message, f"return an ordinary {held.__name__}")
        if isinstance(value, Mapping):
            return self.labelled(value.items(), path, depth)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self.labelled(zip(value._fields, value), path, depth)
        sequences = (Sequence, collections.deque, array.array, KeysView, ValuesView, ItemsView)
        if isinstance(value, sequences) and not isinstance(value, memoryview):
            return self.each(value, path, depth)
        if isinstance(value, Set):
            # Their order means nothing, so that nothing random can be told by its place.
            parts = [self.tree(element, path, depth + 1) for element in value]
            if any(holds_random(part) for part in parts):
                raise type_refusal("P901", f"random variables are in the set `return{path}`", "return a list")
            return sorted(map(Constant, parts))
        if isinstance(value, Iterator):
            return self.each(_drawn(value, path), path, depth)
        if isinstance(value, types.SimpleNamespace):
            return self.labelled(vars(value).items(), path, depth)
        found = attributes(value)
        if found is not None:
            return self.labelled(found.items(), path, depth)
        raise unknown(value, path)


def _goes_through_itself(kind: type) -> bool:
    """Whether a class of one's own says how its instances are gone through."""
    own = [base for base in kind.__mro__ if base.__module__ not in ("builtins", "collections", "typing")]
    return any(name in vars(base) for base in own for name in _GOING_THROUGH)


def unknown(value: Any, path: str) -> TypeError:
    """The error for a value that cannot be looked into."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")
    hint = INSTEAD
    if "groupby" in kind or hasattr(type(value), "aggregate"):
        hint = "return its figures, such as its sum()"
    return type_refusal("P901", f"`return{path}` is of type {kind}, and could hide a random variable", hint)


def _number(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item() if not isinstance(value, np.longdouble) else float(value)
    finite = value.is_finite() if isinstance(value, decimal.Decimal) else value - value == 0
    # Gaps in tables and the like: nothing is computed with them.
    return value if finite else Constant(value)


def _drawn(values: Any, path: str) -> List[Any]:
    drawn = []
    for value in values:
        drawn.append(value)
        if len(drawn) > MAX_DRAWN:
            message = f"`return{path}` gives more than {MAX_DRAWN} values, and may have no end"
            raise type_refusal("P901", message, "return a list")
    return drawn


def _rows(index: Any, path: str) -> Any:
    """The labels along an axis of a table; None if they are the positions, or not unique."""
    for name in index.names:
        label(name, path)
    _refuse_random_labels(index, path)
    _check_categories(index, path)
    positions = type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
    if positions or not index.is_unique:
        return None
    labels = [label(each, path) for each in index.tolist()]
    if len(set(map(step, labels))) < len(labels):
        raise type_refusal("P901", f"two labels of `return{path}` read alike", "rename one of them")
    return labels


def _refuse_random_labels(index: Any, path: str) -> None:
    # A MultiIndex may keep labels that no row has any more.
    for level in getattr(index, "levels", [index]):
        if hasattr(level.array, "_forms"):
            message = f"the secret `{level.array.label}` is a label in `return{path}`, and would be published with it"
            raise not_gaussian("P307", message, "use labels that are known beforehand")
        if level.dtype == object:
            for each in level.tolist():
                label(each, path)


def _check_categories(value: Any, path: str) -> None:
    categories = getattr(getattr(value, "dtype", None), "categories", None)
    for each in () if categories is None else categories:
        label(each, path)


def label(key: Any, path: str = "") -> Any:
    """A key or label as a string, a number, or a tuple of them; a random one is an error."""
    if key is None or type(key) in (str, int, float, bool):
        return key
    if hasattr(type(key), "_forms") and type(key).__module__.startswith("privug."):
        shown = getattr(key, "label", "") or getattr((getattr(key, "values", None) or [None])[0], "label", "")
        message = f"the secret `{shown}` is a label in `return{path}`, and would be published with it"
        raise not_gaussian("P307", message, "use labels that are known beforehand")
    if isinstance(key, (Random, RandomVector)):
        message = f"a random variable is a label in `return{path}`, and would be published with it"
        raise not_gaussian("P307", message, "use labels that are known beforehand")
    if isinstance(key, tuple):
        return tuple(label(part, path) for part in key)
    if isinstance(key, enum.Enum):
        return label(key.value, path) if isinstance(key, (str, int)) else str(key)
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, _NUMBERS):
        return key.item() if isinstance(key, np.generic) else str(key)
    pandas: Any = sys.modules.get("pandas")
    if isinstance(key, _TEXTS) or (pandas is not None and isinstance(key, (pandas.Period, pandas.Timestamp, pandas.Timedelta))):
        return str(key)
    if pandas is not None and type(key).__module__.startswith("pandas._libs"):
        return str(key)
    if pandas is not None and isinstance(key, pandas.Interval):
        label(key.left, path)
        label(key.right, path)
        return str(key)
    if isinstance(key, frozenset):
        return str(sorted(str(label(part, path)) for part in key))
    kind = type(key).__qualname__
    message = f"a label in `return{path}` is of type {kind}, and could hide a random variable"
    raise type_refusal("P901", message, "use strings, numbers, dates, or tuples of them")


def step(name: Any) -> str:
    """`['men']`, `[3]` or `[('men', 3)]`."""
    return f"[{_label_text(name)}]"


def _label_text(name: Any) -> str:
    if isinstance(name, str):
        return f"'{name}'"
    if isinstance(name, tuple):
        inner = ", ".join(map(_label_text, name))
        return f"({inner},)" if len(name) == 1 else f"({inner})"
    return repr(name)


def holds_random(tree: Tree) -> bool:
    """Whether there is a random variable among the parts."""
    if isinstance(tree, Labelled):
        return any(map(holds_random, tree.values()))
    if isinstance(tree, list):
        return any(map(holds_random, tree))
    # Secret arrays and texts made of them have forms.
    return isinstance(tree, (Random, RandomVector)) or hasattr(tree, "_forms")


def flatten(tree: Tree, name: Union[str, List[Any]] = "return", path: str = "") -> List[Leaf]:
    """All leaves with their names and paths; `name` is the text of the result, or the texts of its elements."""
    found: List[Leaf] = []
    _flatten(tree, name, path, found)
    return found


def _flatten(tree: Tree, name: Union[str, List[Any]], path: str, found: List[Leaf]) -> None:
    text = name if isinstance(name, str) else f"return{path}"
    if isinstance(tree, Labelled):
        for key, part in tree.items():
            _flatten(part, text + step(key), path + step(key), found)
    elif isinstance(tree, list) or (isinstance(name, list) and isinstance(tree, (RandomVector, np.ndarray))):
        for place, part in enumerate(tree):
            inner = name[place] if isinstance(name, list) and place < len(name) else f"{text}[{place}]"
            # What has no name of its own is known by its place.
            _flatten(part, f"return{path}[{place}]" if inner == "return" else inner, f"{path}[{place}]", found)
    else:
        found.append((tree, text, path))
