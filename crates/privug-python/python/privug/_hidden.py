"""What objects carry beside what they show: attributes of their own, of their classes, and of closures."""

from __future__ import annotations

import types
from typing import Any, Callable, Dict, List, Optional

from ._privug import Random, RandomVector
from ._refused import type_refusal

_OWN = ("builtins", "collections", "numpy", "pandas", "polars", "pyarrow", "datetime", "decimal", "fractions", "pathlib")
_POINTER = 8


def refuse_hidden(value: Any, path: str, holds: Callable[[Any], bool]) -> None:
    """Refuses values that carry a random variable where nobody looks."""
    kind = type(value)
    attrs = getattr(value, "attrs", None) if kind.__module__.startswith("pandas") else None
    if attrs:
        _refuse_if(holds(attrs), path, "attrs of a table")
    if kind.__module__.partition(".")[0] in _OWN:
        return
    if not _is_plain(kind):
        extra = getattr(value, "__dict__", None)
        if isinstance(extra, dict) and extra:
            _refuse_if(holds(dict(extra)), path, "an attribute")
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] not in _OWN:
            _refuse_if(any(_carries(each) for each in vars(base).values()), path, f"the class {base.__name__}")


def _refuse_if(found: bool, path: str, where: str) -> None:
    if found:
        message = f"`return{path}` carries a random variable in {where}"
        raise type_refusal("P901", message, "return it as a value of its own, such as an entry of a dictionary")


def _carries(value: Any, depth: int = 0) -> bool:
    """Whether a class's member is random, holds something random, or is a function that remembers it."""
    if isinstance(value, (Random, RandomVector)):
        return True
    if depth > 4:
        return False
    if isinstance(value, dict):
        return any(_carries(each, depth + 1) for each in value.values())
    if isinstance(value, (list, tuple)):
        return any(_carries(each, depth + 1) for each in value)
    if isinstance(value, property):
        return any(_carries(each, depth + 1) for each in (value.fget, value.fset, value.fdel))
    if isinstance(value, (staticmethod, classmethod)):
        return _carries(value.__func__, depth + 1)
    if isinstance(value, types.FunctionType):
        kept: List[Any] = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        for cell in value.__closure__ or ():
            try:
                kept.append(cell.cell_contents)
            except ValueError:
                continue
        return any(_carries(each, depth + 1) for each in kept)
    return False


def _slots(kind: type) -> List[str]:
    names: List[str] = []
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                mangled = name.startswith("__") and not name.endswith("__")
                names.append(f"_{base.__name__.lstrip('_')}{name}" if mangled else name)
    return names


def _is_plain(kind: type) -> bool:
    """Whether all that an instance holds are its attributes: it is as large as those, and not written in C."""
    room = kind.__basicsize__ - object.__basicsize__ - _POINTER * len(_slots(kind))
    # The dictionary of attributes and the list of weak references.
    return 0 <= room <= 2 * _POINTER and kind.__itemsize__ == 0


def attributes(value: Any) -> Optional[Dict[str, Any]]:
    """All attributes of a simple object; None if it may hold something else."""
    kind = type(value)
    slots = _slots(kind)
    # What other packages keep in their objects is not known.
    if kind.__module__.partition(".")[0] in _OWN:
        return None
    if not _is_plain(kind) or isinstance(value, type) or callable(value) or not (slots or hasattr(value, "__dict__")):
        return None
    found = dict(getattr(value, "__dict__", {}))
    for name in slots:
        try:
            found[name] = object.__getattribute__(value, name)
        except AttributeError:
            continue
    return found
