"""What can be reached from a function, as texts that are equal where nothing was changed.

A function may keep what it was told in a variable of its module, in an attribute of an object, in an array, in a file that
was opened before. So everything that its names, closures, defaults and arguments lead to is walked through, the way `pickle`
would; what cannot be taken apart is known by its type and, for a file, by how far it was written.
"""

from __future__ import annotations

import builtins
import contextvars
import hashlib
import io
import sys
import types
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

_SIMPLE = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented))
_SEQUENCES = (list, tuple)
_SETS = (set, frozenset)
_FUNCTIONS = (types.FunctionType, types.MethodType)
_MOST = 200_000
"""Values that are walked through; a function that reaches more is refused."""


class Fingerprint:
    """Walks through what a function reaches."""

    def __init__(self) -> None:
        self._seen: Dict[int, int] = {}
        self._alive: List[Any] = []
        self._left = _MOST
        self.gave_up: Optional[str] = None
        """The variable in which there were too many values."""

    def of_function(self, function: Any, arguments: Any) -> List[Tuple[str, str]]:
        """The variables that a function can change, with their fingerprints."""
        found = [(name, self._digest(name, value)) for name, value in _variables(function)]
        return [*found, ("arguments", self._digest("arguments", arguments))]

    def _digest(self, name: str, value: Any) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for part in self._parts(value):
            digest.update(part.encode("utf-8", "surrogatepass"))
            digest.update(b"\\0")
            if self._left <= 0:
                self.gave_up = self.gave_up or name
                break
        return digest.hexdigest()

    def _parts(self, value: Any) -> Iterator[str]:
        # A stack instead of recursion: lists may lie in each other as deep as they like.
        stack: List[Any] = [value]
        while stack and self._left > 0:
            self._left -= 1
            each = stack.pop()
            kind = type(each)
            if isinstance(each, _Text):
                yield each.text
            elif kind in _SIMPLE:
                yield f"{kind.__name__} {each!r}"
            elif id(each) in self._seen:
                yield f"again {self._seen[id(each)]}"
            else:
                self._seen[id(each)] = len(self._seen)
                # An object that is made for the walk must not give its address to the next one.
                self._alive.append(each)
                yield _name(each)
                stack.extend(reversed(list(self._inside(each))))

    def _inside(self, value: Any) -> Iterator[Any]:
        kind = type(value)
        if kind in _SEQUENCES:
            yield from value
        elif kind is dict:
            for key, item in list(value.items()):
                yield key
                yield item
        elif kind in _SETS:
            # The order of a set is not its own.
            yield from sorted((_Text(Fingerprint()._digest("", part)) for part in value), key=lambda part: part.text)
        elif isinstance(value, _FUNCTIONS):
            yield from (item for _, item in _held(value))
        elif _is_ours(kind) or (isinstance(value, types.ModuleType) and _is_library(value)):
            return
        elif isinstance(value, types.ModuleType):
            yield from (item for name, item in sorted(vars(value).items()) if not name.startswith("__"))
        elif isinstance(value, contextvars.ContextVar):
            yield value.get(None)
        elif hasattr(kind, "cache_info"):
            # How often it was asked changes with every run.
            yield _Text(f"holds {value.cache_info().currsize}")
        elif isinstance(value, type):
            if value.__module__ == "__main__" or not _is_installed(value):
                yield from (item for name, item in sorted(vars(value).items()) if not name.startswith("__"))
        elif isinstance(value, io.IOBase):
            yield _Text(_position(value))
        elif isinstance(value, types.GeneratorType):
            yield _Text(f"at {value.gi_frame.f_lasti if value.gi_frame else None}")
        elif isinstance(value, (memoryview, bytearray)):
            yield bytes(value)
        elif _is_array(value):
            yield _Text(f"{value.dtype} {value.shape} {hashlib.blake2b(value.tobytes(), digest_size=16).hexdigest()}")
        else:
            yield from _taken_apart(value)


class _Text:
    """A part of a fingerprint that is made already."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _variables(function: Any) -> Iterator[Tuple[str, Any]]:
    """What a function and those that it calls by name hold on to."""
    waiting, seen = [function], set()  # type: Tuple[List[Any], Set[int]]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        for name, value in _held(each):
            yield name, value
            plain = getattr(value, "__func__", value)
            if isinstance(plain, types.FunctionType) and not _is_installed(plain):
                waiting.append(plain)


def _held(function: Any) -> Iterator[Tuple[str, Any]]:
    """The variables that a function names, its closure, defaults and attributes."""
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        yield "self", owner
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, types.FunctionType):
        if not isinstance(plain, (type, types.BuiltinFunctionType)):
            yield type(plain).__name__, plain
        return
    if _is_installed(plain):
        return
    for name in sorted(_names(plain.__code__)):
        if name in plain.__globals__ and not hasattr(builtins, name):
            yield name, plain.__globals__[name]
    for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a variable that has no value yet
            yield name, None
    yield "defaults", (plain.__defaults__, plain.__kwdefaults__)
    yield "attributes", plain.__dict__


def _names(code: types.CodeType) -> Set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names


def _name(value: Any) -> str:
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__}"


def _is_ours(kind: type) -> bool:
    """A random value is known by what was recorded of it."""
    return kind.__module__.split(".")[0] == "privug"


def _is_installed(value: Any) -> bool:
    """Whether a function or class comes with a library, and not with the user's own text."""
    if (getattr(value, "__module__", None) or "").split(".")[0] in ("privug", "builtins"):
        return True
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    path = getattr(module, "__file__", None)
    return path is not None and ("site-packages" in path or path.startswith(sys.base_prefix))


def _is_library(module: types.ModuleType) -> bool:
    """Whether a module comes with Python or is installed; one's own modules have variables of one's own."""
    path = getattr(module, "__file__", None)
    if path is None:
        return module.__name__ in sys.modules
    return "site-packages" in path or path.startswith(sys.base_prefix) or module.__name__.partition(".")[0] == "privug"


def _is_array(value: Any) -> bool:
    kind = getattr(value, "dtype", None)
    return type(value).__module__ == "numpy" and hasattr(value, "tobytes") and getattr(kind, "kind", "O") != "O"


def _position(stream: Any) -> str:
    if isinstance(stream, (io.StringIO, io.BytesIO)):
        return repr(stream.getvalue())
    try:
        return f"at {stream.tell()}"
    except (OSError, ValueError):
        return "closed" if stream.closed else "a stream"


def _taken_apart(value: Any) -> Iterator[Any]:
    """What `pickle` would write; an object that it cannot take apart is known by its attributes."""
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:  # noqa: BLE001 - whatever a class of the user's raises
        yield getattr(value, "__dict__", None)
        return
    if isinstance(reduced, str):
        yield reduced
        return
    _, *rest = reduced
    arguments, state = rest[0], rest[1] if len(rest) > 1 else None
    yield from (each for each in arguments if not isinstance(each, type))
    yield state
    for part in rest[2:4]:
        if part is not None:
            yield list(part)
