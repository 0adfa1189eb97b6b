"""A function under audit while it runs on secret columns: what pandas and numpy hand to us, and what was refused."""

from __future__ import annotations

import dis
import functools
import math
import statistics
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType, SimpleNamespace
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from . import _adapters, _linear_binned, _linear_libraries, _linear_smoothers, _recording, _secret_polynomials, _secret_statistics, _secret_windows
from ._privug import Forms
from ._secret import SecretValue, needs_values, not_linear, objects, secret
from ._live_text import CLOSE, OPEN, split
from ._secret_array import SecretArray, public
from ._secret_linear import least_squares
from ._secret_numpy import array_function, moved


class Session:
    """One run on secret columns. Errors that a library swallows are kept in `refusal`."""

    def __init__(self, path: str) -> None:
        self.program = SimpleNamespace(path=path)
        self.running = True
        self.refusal: Optional[Tuple[BaseException, str, int]] = None
        self.in_texts: List[Any] = []
        """The secrets in texts."""
        self.loosely = False
        """Whether equations were solved, so that the real run loses more digits than by adding up."""
        self.formats = False
        """Whether a function is called that makes texts and does nothing else."""


SESSION: ContextVar[Optional[Session]] = ContextVar("privug_session", default=None)
"""The run under way in this context."""


def published_text(value: Any, specification: str) -> str:
    """A secret in a text; while a function runs, that would be its value."""
    session = SESSION.get()
    if session is None or value.fixed() is not None:
        return format(value.fixed(), specification) if value.fixed() is not None else str(value)
    if value.shape or not session.formats:
        raise needs_values(value.label, "format")
    session.in_texts.append(value)
    return f"{OPEN}{len(session.in_texts) - 1}{CLOSE}"


def formatted(function: Any, value: Any) -> Any:
    """What a function that makes a text makes of a secret."""
    session = SESSION.get()
    if session is None:
        raise needs_values(value.label, "format")
    session.formats = True
    try:
        text = function(value)
    finally:
        session.formats = False
    return split(text, session.in_texts) if isinstance(text, str) else text


@contextmanager
def on_secrets(path: str, names: Any = None) -> Iterator[Session]:
    """Lets pandas and numpy work on secrets, and keeps what is refused, while the block runs.

    `names` are those of the module that the function is in: what it imported by name is adapted too.
    """
    session = Session(path)
    token, noted = SESSION.set(session), _recording.CURRENT.set(session)  # type: ignore[arg-type]
    undo = _hooks(session)
    hooked = {id(original): getattr(target, name) for target, name, original in undo if callable(original)}
    imported = {name: each for name, each in (names or {}).items() if id(each) in hooked}
    for name, each in imported.items():
        names[name] = hooked[id(each)]  # type: ignore[index]
    try:
        yield session
    finally:
        session.running = False
        if names is not None:
            names.update(imported)
        for target, name, original in reversed(undo):
            if original is _ABSENT:
                delattr(target, name)
            else:
                setattr(target, name, original)
        _recording.CURRENT.reset(noted)
        SESSION.reset(token)


_ABSENT = object()
Undo = List[Tuple[Any, str, Any]]


def _hooks(session: Session) -> Undo:
    import pandas

    undo: Undo = []

    def replace(target: Any, name: str, new: Any) -> None:
        undo.append((target, name, target.__dict__.get(name, _ABSENT) if isinstance(target, type) else getattr(target, name)))
        setattr(target, name, new)

    # numpy asks the types of its arguments what to do, and pandas' columns do not answer.
    for kind in (pandas.Series, pandas.DataFrame):
        replace(kind, "__array_function__", _of_columns)
        # Its compiled part does not survive an error.
        replace(kind, "to_json", _refusing_secrets(kind.to_json))
        # Columns of different types are different to it, without a look.
        replace(kind, "equals", _refusing_secrets(kind.equals))
    # Values one by one become a secret column again, where pandas makes a column of them.
    original: Any = getattr(sys.modules["pandas.core.construction"], "sanitize_array")
    sanitizing = _sanitizing(original)
    for name, module in list(sys.modules.items()):
        if name.startswith("pandas.") and getattr(module, "sanitize_array", None) is original:
            replace(module, "sanitize_array", sanitizing)
    _secret_windows.hooks(replace)
    for name in (*MAKING, "array", "asarray", "asanyarray", "asfarray", "ascontiguousarray"):
        if hasattr(np, name):
            replace(np, name, _making(getattr(np, name), name, session))
    replace(np, "fromiter", _from_iterable(np.fromiter))
    replace(np, "vectorize", _elementwise(np.vectorize))
    replace(np, "nditer", _iterating(np.nditer))
    stacking: Any = type(np.c_).__mro__[1]
    replace(stacking, "__getitem__", _stacked(stacking.__getitem__))
    replace(pandas.DataFrame, "to_numpy", _frame_to_numpy(pandas.DataFrame.to_numpy))
    replace(pandas.DataFrame, "round", _rounded_by_name(pandas.DataFrame.round))
    for module, name in ((statistics, "mean"), (statistics, "fmean"), (math, "fsum")):
        replace(module, name, _plain_sum(getattr(module, name)))
    for name in ("covariance", "linear_regression"):
        if hasattr(statistics, name):
            replace(statistics, name, _of_pairs(getattr(statistics, name)))
    _secret_statistics.hooks(replace)
    _adapters.hooks(replace)
    _linear_libraries.hooks(replace)
    _linear_binned.hooks(replace)
    _linear_smoothers.hooks(replace)
    _secret_polynomials.hooks(replace)
    return undo


MAKING = ("zeros", "empty", "full")
"""Functions that make arrays to be filled. `ones` are weights mostly, which libraries in C must be able to read."""

_METHODS = ("sum", "mean", "cumsum", "prod", "std", "var", "max", "min", "amax", "amin", "round", "around", "any", "all")
"""Functions of numpy that call the method of the same name."""


def _of_columns(self: Any, function: Any, types: Any, inputs: Any, options: Any) -> Any:
    """numpy's functions of pandas' columns, while a function under audit runs."""
    flat = [each for part in (*inputs, *options.values()) for each in (part if isinstance(part, (list, tuple)) else [part])]
    if function.__name__ in _METHODS and inputs and inputs[0] is self:
        # numpy leaves these to the column's own method, which skips gaps.
        return getattr(function, "_implementation", function)(*inputs, **options)
    if any(secret(each) is not None for each in flat):
        return array_function(function, inputs, dict(options))
    plain = getattr(function, "_implementation", None)
    if plain is None:
        inputs = tuple(np.asarray(each) if hasattr(each, "_constructor") else each for each in inputs)
        return function(*inputs, **options)
    return plain(*inputs, **options)


def _sanitizing(original: Callable[..., Any]) -> Callable[..., Any]:
    def sanitize_array(data: Any, *inputs: Any, **options: Any) -> Any:
        from ._secret_pandas import SecretColumn

        if isinstance(data, SecretArray) and data.fixed() is not None:
            data = data.fixed()
        if isinstance(data, SecretArray) and data.ndim == 1:
            return SecretColumn(data._forms, data.label)
        if isinstance(data, SecretValue) and inputs and inputs[0] is not None:
            places = np.zeros(len(inputs[0]), dtype=np.int64)
            return SecretColumn(data._forms.take(places), data.label)
        found = original(data, *inputs, **options)
        if isinstance(found, np.ndarray) and found.dtype == object and found.ndim == 1:
            column = secret(found) if any(isinstance(each, SecretValue) for each in found) else None
            if column is not None:
                return SecretColumn(column._forms, column.label)
        return found

    return sanitize_array


def _refusing_secrets(original: Callable[..., Any]) -> Callable[..., Any]:
    def write(self: Any, *inputs: Any, **options: Any) -> Any:
        for column in [self] if self.ndim == 1 else [self.iloc[:, place] for place in range(self.shape[1])]:
            found = secret(column)
            if found is not None:
                raise needs_values(found.label, original.__name__)
        return original(self, *inputs, **options)

    return write


def _frame_to_numpy(original: Callable[..., Any]) -> Callable[..., Any]:
    def to_numpy(self: Any, dtype: Any = None, *inputs: Any, **options: Any) -> Any:
        called_by = sys._getframe(1).f_globals.get("__name__", "")
        if called_by.startswith("pandas.") or not any(secret(self.iloc[:, place]) is not None for place in range(self.shape[1])):
            return original(self, dtype, *inputs, **options)
        found = secret(self)
        return original(self, dtype, *inputs, **options) if found is None else found.astype(dtype or float)

    return to_numpy


def _rounded_by_name(original: Callable[..., Any]) -> Callable[..., Any]:
    """`t.round({"mean": 1})`: pandas leaves columns alone whose type is not one of numpy's numbers."""
    import pandas

    def round(self: Any, decimals: Any = 0, *inputs: Any, **options: Any) -> Any:
        columns = [self.iloc[:, place] for place in range(self.shape[1])]
        if not isinstance(decimals, (dict, pandas.Series)) or not any(secret(column) is not None for column in columns):
            return original(self, decimals, *inputs, **options)
        rounded = []
        for name, column in zip(self.columns, columns):
            is_number = secret(column) is not None or pandas.api.types.is_numeric_dtype(column.dtype)
            rounded.append(column.round(int(decimals[name])) if is_number and name in decimals else column)
        found = pandas.concat(rounded, axis=1)
        found.columns = self.columns
        return found

    return round


def _stacked(original: Callable[..., Any]) -> Callable[..., Any]:
    """`np.c_[x, y]` and `np.r_[x, y]`."""

    def stack(self: Any, key: Any) -> Any:
        parts = tuple(map(public, key)) if isinstance(key, tuple) else (public(key),)
        if all(secret(part) is None for part in parts):
            return original(self, parts if isinstance(key, tuple) else parts[0])
        # `np.r_["0,2", x, y]`: a text in front says how they are put together.
        count = next((place for place, part in enumerate(parts) if not isinstance(part, str)), len(parts))
        return moved(lambda *places: original(self, (*parts[:count], *places)), parts[count:])

    return stack


def _from_iterable(original: Callable[..., Any]) -> Callable[..., Any]:
    def fromiter(values: Any, dtype: Any, count: int = -1, **options: Any) -> Any:
        values = list(values)
        found = secret(values) if np.dtype(dtype).kind == "f" else None
        return original(values, dtype, count, **options) if found is None else found[: count if count >= 0 else None]

    return fromiter


def _iterating(original: Callable[..., Any]) -> Callable[..., Any]:
    def nditer(values: Any, *inputs: Any, **options: Any) -> Any:
        found = secret(public(values)) if not isinstance(values, (list, tuple)) else None
        return original(values, *inputs, **options) if found is None else iter(found.ravel())

    return nditer


def _elementwise(original: Any) -> Any:
    """`np.vectorize(f, otypes=[float])`: its results may be secrets."""

    class Vectorized(original):  # type: ignore[misc]
        def __call__(self, *inputs: Any, **options: Any) -> Any:
            if all(secret(public(each)) is None for each in (*inputs, *options.values())):
                return super().__call__(*inputs, **options)
            if self.signature is not None:
                return _by_signature(original, self, inputs, options)
            found = original(self.pyfunc, otypes=[object], excluded=self.excluded)(*inputs, **options)
            return public(secret(found)) if secret(found) is not None else found

    Vectorized.__name__ = "vectorize"
    return Vectorized


def _by_signature(original: Any, vectorized: Any, inputs: Any, options: Any) -> Any:
    """`np.vectorize(f, signature="(n)->()")`: the function is given parts of arrays, and gives numbers or arrays."""

    def call(*parts: Any, **more: Any) -> Any:
        given = [part if secret(part) is None else secret(part) for part in parts]
        found = vectorized.pyfunc(*given, **more)
        several = found if isinstance(found, tuple) else (found,)
        made = tuple(objects(each, None) if isinstance(each, SecretArray) else each for each in several)
        return made if isinstance(found, tuple) else made[0]

    count = vectorized.signature.partition("->")[2].count("(")
    by_parts = original(call, otypes=[object] * count, excluded=vectorized.excluded, signature=vectorized.signature)
    found = by_parts(*(objects(secret(each), None) if secret(each) is not None else each for each in inputs), **options)
    several = found if isinstance(found, tuple) else (found,)
    made = tuple(public(secret(each)) if secret(each) is not None else each for each in several)
    return made if isinstance(found, tuple) else made[0]


def _plain_sum(original: Callable[..., Any]) -> Callable[..., Any]:
    """Means and sums of the standard library, which look into numbers."""

    def total(data: Any, *inputs: Any, **options: Any) -> Any:
        data = data if hasattr(data, "__len__") else list(data)
        weights = options.get("weights", inputs[0] if inputs else None)
        weights = weights if weights is None or hasattr(weights, "__len__") else list(weights)
        found = secret(data)
        if found is None and secret(weights) is None:
            return original(data, *inputs, **options)
        if weights is not None:
            return array_function(np.average, (data,), {"weights": weights})
        return found.sum() if original.__name__ == "fsum" else found.mean()

    return total


def _of_pairs(original: Callable[..., Any]) -> Callable[..., Any]:
    """`statistics.covariance` and `linear_regression`: linear in the one that is secret, or in the response."""

    def total(x: Any, y: Any, *inputs: Any, **options: Any) -> Any:
        x, y = (each if hasattr(each, "__len__") else list(each) for each in (x, y))
        if secret(x) is None and secret(y) is None:
            return original(x, y, *inputs, **options)
        if original.__name__ == "covariance":
            return array_function(np.cov, (x, y), {})[0, 1]
        if secret(x) is not None:
            raise not_linear(secret(x).label, "statistics.linear_regression")
        regressor = np.asarray(x, dtype=float)
        plain = original(regressor.tolist(), [0.0] * len(regressor), *inputs, **options)
        if options.get("proportional", False):
            slope = least_squares(regressor[:, None], secret(y))[0]
            return type(plain)(slope=slope, intercept=0.0)
        intercept, slope = least_squares(np.column_stack([np.ones(len(regressor)), regressor]), secret(y))
        return type(plain)(slope=slope, intercept=intercept)

    return total


@functools.lru_cache(4096)
def _called_at(code: Any, instruction: int) -> str:
    """The name of the function that a program calls at an instruction; empty where that is not known."""
    before = [each for each in dis.get_instructions(code) if each.offset <= instruction]
    names = [each for each in before if each.opname.startswith("LOAD_") and isinstance(each.argval, str)]
    if hasattr(code, "co_positions"):
        # What is called stands where the call begins: the longest name there.
        places = list(code.co_positions())
        call = places[instruction // 2]
        if None in call:
            return ""
        spans = [(places[each.offset // 2], each.argval) for each in names]
        beginning = [((last, end), name) for (first, last, start, end), name in spans if (first, start) == (call[0], call[2]) and end]
        return max(beginning, default=((0, 0), ""))[1]
    # An older Python knows the line alone: it must be the only call there that makes an array.
    starts = [offset for offset, _ in dis.findlinestarts(code) if offset <= instruction]
    found = {each.argval for each in names if each.offset >= starts[-1] and each.argval in MAKING}
    return found.pop() if len(found) == 1 else ""


def _making(original: Callable[..., Any], name: str, session: Session) -> Callable[..., Any]:
    """Arrays that the function under audit makes itself can take secrets."""

    def make(*inputs: Any, **options: Any) -> Any:
        frame: FrameType = sys._getframe(1)
        if frame.f_code.co_filename != session.program.path:
            return original(*inputs, **options)
        if name in MAKING:
            made = original(*inputs, **options)
            called = "" if made.dtype != float else _called_at(frame.f_code, frame.f_lasti)
            if called != name and frame.f_globals.get(called, frame.f_locals.get(called)) is not make:
                # Compiled code has no frame of its own, and would write into the memory of an array that has none.
                return made
            # What numpy leaves in an array without values is any number.
            filled = np.zeros(made.shape) if name == "empty" else made
            return SecretArray(Forms.of_numbers(np.ascontiguousarray(filled).reshape(-1)), made.shape, "")
        found = secret(inputs[0]) if inputs else None
        dtype = options.get("dtype", inputs[1] if len(inputs) > 1 else None)
        if found is None or not found.shape or (dtype is not None and np.dtype(dtype).kind != "f"):
            return original(*inputs, **options)
        if isinstance(found, SecretArray) and found is inputs[0] and not options.get("copy"):
            # As of numpy's arrays, these are the same elements.
            if name in ("asarray", "asanyarray") or name == "ascontiguousarray" and found._at().flags.c_contiguous:
                return found
        return found.copy()

    return make
