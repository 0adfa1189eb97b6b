"""What objects carry beside what they show: attributes of their own, of their classes, and of closures."""

from __future__ import annotations

import collections
import enum
import sys
import types
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from ._privug import Random, RandomVector
from ._refused import type_refusal

_KNOWN = ("builtins", "collections", "numpy", "pandas", "polars", "pyarrow", "datetime", "decimal", "fractions", "pathlib")
"""Packages whose classes are known; what their objects keep beside what they show is not."""

_SHOWN_APART = (Mapping, Sequence, Set, Iterator, int, float, complex, np.ndarray, np.generic)
"""What is shown by going through it, so that its attributes would not be seen."""

_MADE_BY_PYTHON = ("types", "functools", "abc", "_collections")
"""Where the descriptors are from that Python itself puts into classes."""

_POINTER = 8
_MAX_DEPTH = 4


def _is_known(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in _KNOWN


def refuse_hidden(value: Any, path: str, holds: Callable[[Any], bool]) -> None:
    """Refuses values that carry a random variable where nobody looks; `holds` tells whether one is in a value."""
    kind = type(value)
    pandas: Any = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series)):
        attrs = getattr(value, "attrs", None)
        _refuse_if(bool(attrs) and holds(attrs), path, "attrs of a table")
        _refuse_if(_carries(_own(value)), path, "an attribute of a table")
    if isinstance(value, np.ndarray) and value.dtype.metadata:
        _refuse_if(holds(dict(value.dtype.metadata)), path, "metadata of an array's type")
    if isinstance(value, enum.Enum):
        _refuse_if(holds(value.value), path, "a member of an enumeration")
    if isinstance(value, collections.defaultdict):
        _refuse_if(_carries(value.default_factory), path, "what makes a dictionary's missing values")
    if _is_known(kind):
        return
    if isinstance(value, _SHOWN_APART):
        _refuse_if(holds(_own(value)), path, "an attribute")
    for base in kind.__mro__:
        if not _is_known(base):
            _refuse_if(any(_carries(each) for each in vars(base).values()), path, f"the class {base.__name__}")


def _refuse_if(found: bool, path: str, where: str) -> None:
    if found:
        message = f"`return{path}` carries a random variable in {where}"
        raise type_refusal("P901", message, "return it as a separate value, such as an entry of a dictionary")


def _carries(value: Any, depth: int = 0) -> bool:
    """Whether a member is random, holds something random, or is a function that remembers it."""
    # Secret values, arrays, columns and texts have forms.
    if isinstance(value, (Random, RandomVector)) or (hasattr(type(value), "_forms") and type(value).__module__.startswith("privug.")):
        return True
    if depth > _MAX_DEPTH:
        return False
    return any(_carries(each, depth + 1) for each in _kept(value))


def _kept(value: Any) -> List[Any]:
    """What a value keeps, as far as it is easily seen."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, np.ndarray):
        return list(value.flat) if value.dtype == object else []
    if isinstance(value, property):
        return [value.fget, value.fset, value.fdel]
    if isinstance(value, (staticmethod, classmethod, types.MethodType)):
        return [value.__func__, getattr(value, "__self__", None)]
    if isinstance(value, types.FunctionType):
        kept: List[Any] = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        for cell in value.__closure__ or ():
            try:
                kept.append(cell.cell_contents)
            except ValueError:
                continue
        return kept
    if isinstance(value, (type, types.ModuleType)) or _is_known(type(value)):
        return []
    found = getattr(value, "__dict__", None)
    return list(found.values()) if isinstance(found, dict) else []


def _slots(kind: type) -> List[str]:
    names: List[str] = []
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                mangled = name.startswith("__") and not name.endswith("__")
                names.append(f"_{base.__name__.lstrip('_')}{name}" if mangled else name)
    return names


def _own(value: Any) -> Dict[str, Any]:
    """The attributes of an object, whatever it says of itself: those in its dictionary, its slots and its descriptors."""
    kind = type(value)
    if isinstance(value, type):
        return {}
    found: Dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        described = vars(base).get("__dict__")
        if isinstance(described, types.GetSetDescriptorType):
            found.update(described.__get__(value) or {})
        elif described is not None:
            message = f"the class {base.__name__} defines its own attribute access, and could hide a random variable"
            raise type_refusal("P901", message, "return its attributes, such as in a dictionary")
        if _is_known(base):
            continue
        for name, member in vars(base).items():
            if _is_descriptor(member):
                found[name] = getattr(value, name, None)
    for name in _slots(kind):
        try:
            found[name] = object.__getattribute__(value, name)
        except AttributeError:
            continue
    return found


def _is_descriptor(member: Any) -> bool:
    """Whether a member of a class is something of one's own that tells a value for each instance."""
    kind = type(member)
    return hasattr(kind, "__get__") and not _is_known(kind) and kind.__module__ not in _MADE_BY_PYTHON


def _is_plain(kind: type) -> bool:
    """Whether all that an instance holds are its attributes: it is exactly as large as those."""
    # The dictionary of attributes and the list of weak references, where they are not kept before the object.
    others = (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    size = object.__basicsize__ + _POINTER * (len(_slots(kind)) + others)
    return kind.__basicsize__ == size and kind.__itemsize__ == 0


def attributes(value: Any) -> Optional[Dict[str, Any]]:
    """All attributes of a simple object; None if it may hold something else."""
    kind = type(value)
    if _is_known(kind) or not _is_plain(kind) or isinstance(value, type) or callable(value):
        return None
    if not _slots(kind) and not kind.__dictoffset__:
        return None
    return _own(value)
