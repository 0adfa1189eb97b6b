"""numpy's protocols: which of its functions mean something for random variables."""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ._privug import Random, RandomVector, Recorder, not_gaussian

_ARITHMETIC: Dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "power": operator.pow,
    "float_power": operator.pow,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "mod": operator.mod,
    "matmul": operator.matmul,
}
_REFLECTED = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "true_divide": "__rtruediv__",
    "matmul": "__rmatmul__",
}
_COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}
_LINEAR = "only sums, differences and multiples of random variables are"


def _refuse(name: str) -> BaseException:
    return not_gaussian("P306", f"`np.{name}` of a random variable is not Gaussian", _LINEAR)


def array(elements: List[Random], dtype: Optional[Any]) -> np.ndarray:
    """An array of objects; numbers it cannot be."""
    if dtype is not None and np.dtype(dtype) != object:
        message = f"an array of {np.dtype(dtype)} needs one value for each element, and random variables have none"
        raise not_gaussian("P309", message, "keep the vector as it is")
    made = np.empty(len(elements), dtype=object)
    made[:] = elements
    return made


def _binary(name: str, left: Any, right: Any) -> Any:
    # numpy's own operators would come back here, so the random side is asked first.
    if isinstance(left, (Random, RandomVector)):
        return _ARITHMETIC[name](left, right)
    if name in _REFLECTED:
        result = getattr(right, _REFLECTED[name])(left)
        if result is NotImplemented:
            raise TypeError(f"P407: np.{name} does not take {type(left).__name__} and {type(right).__name__}")
        return result
    if name in ("power", "float_power"):
        raise not_gaussian("P303", "a power of a random variable is not Gaussian", _LINEAR)
    raise not_gaussian("P310", "`//` or `%` of a random variable is not Gaussian", "use `/`")


def array_ufunc(
    recorder: Recorder, ufunc: Any, method: str, inputs: Tuple[Any, ...], kwargs: Optional[Mapping[str, Any]]
) -> Any:
    """`np.add(x, y)`, `np.exp(x)`, `np.add.reduce(xs)`, and `array + x`."""
    name = ufunc.__name__
    options = {key: value for key, value in (kwargs or {}).items() if value is not None}
    if method == "__call__":
        options = {key: value for key, value in options.items() if not (key == "where" and value is True)}
        if "out" in options:
            raise TypeError("P205: random variables cannot be written into an array (out=)")
        options.pop("dtype", None)
        options.pop("casting", None)
        if options:
            raise TypeError(f"P205: np.{name} takes no {', '.join(options)} here")
        if name in _ARITHMETIC and len(inputs) == 2:
            return _binary(name, *inputs)
        if name == "negative":
            return -inputs[0]
        if name == "positive":
            return inputs[0]
        if name in _COMPARISONS:
            message = f"a random variable is compared with `np.{name}`, and the outcome would be random too"
            raise not_gaussian("P304", message, "ask for the probability with query='P(x > 3)'")
        raise _refuse(name)
    if name == "add" and method in ("reduce", "accumulate") and isinstance(inputs[0], RandomVector):
        return inputs[0].sum() if method == "reduce" else inputs[0].cumsum()
    raise _refuse(f"{name}.{method}")


def _vectors(parts: Sequence[Any]) -> List[Any]:
    return list(parts)


def _sum(recorder: Recorder, a: Any, axis: Any = None) -> Any:
    return a.sum(axis=axis)


def _mean(recorder: Recorder, a: Any, axis: Any = None) -> Any:
    return a.mean(axis=axis)


def _average(recorder: Recorder, a: Any, axis: Any = None, weights: Any = None) -> Any:
    if weights is None:
        return a.mean(axis=axis)
    return (np.asarray(weights) @ a) / np.sum(weights)


def _dot(recorder: Recorder, a: Any, b: Any) -> Any:
    return _binary("matmul" if np.ndim(a) and np.ndim(b) else "multiply", a, b)


def _concatenate(recorder: Recorder, arrays: Sequence[Any], axis: Any = 0) -> Any:
    if axis not in (0, -1, None):
        raise TypeError("P407: vectors have one axis")
    return recorder.concatenate(_vectors(arrays))


def _append(recorder: Recorder, arr: Any, values: Any, axis: Any = None) -> Any:
    parts = [part if np.ndim(part) else [part] for part in (arr, values)]
    return recorder.concatenate(parts)


def _flip(recorder: Recorder, m: Any, axis: Any = None) -> Any:
    return m[::-1]


def _take(recorder: Recorder, a: Any, indices: Any) -> Any:
    return a[indices]


def _diff(recorder: Recorder, a: Any) -> Any:
    return a[1:] - a[:-1]


def _where(recorder: Recorder, condition: Any, x: Any = None, y: Any = None) -> Any:
    """Picks elements by what is known beforehand; a choice that a random variable makes is refused."""
    mask = None if isinstance(condition, (Random, RandomVector)) else np.asarray(condition)
    if mask is None or mask.dtype == object or x is None or y is None:
        raise _refuse("where")
    if any(np.ndim(part) > 1 for part in (mask, x, y)):
        raise TypeError("P407: vectors have one axis")
    (size,) = np.broadcast_shapes(*(np.shape(part) for part in (mask, x, y)))

    def element(part: Any, place: int) -> Any:
        return part if np.ndim(part) == 0 else part[place if len(part) > 1 else 0]

    return recorder.concatenate([[element(x if element(mask, i) else y, i)] for i in range(size)])


_FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "sum": _sum,
    "mean": _mean,
    "average": _average,
    "dot": _dot,
    "vdot": _dot,
    "inner": _dot,
    "concatenate": _concatenate,
    "hstack": _concatenate,
    "append": _append,
    "cumsum": lambda recorder, a, axis=None: a.cumsum(axis=axis),
    "ravel": lambda recorder, a: a,
    "copy": lambda recorder, a: a,
    "flip": _flip,
    "take": _take,
    "diff": _diff,
    "where": _where,
    "size": lambda recorder, a: a.size,
    "shape": lambda recorder, a: a.shape,
    "ndim": lambda recorder, a: a.ndim,
}
_NOT_GAUSSIAN = {
    "var", "std", "median", "quantile", "percentile", "max", "min", "amax", "amin", "ptp", "prod", "sort", "argsort",
    "argmax", "argmin", "clip", "around", "round", "cumprod", "histogram", "unique", "corrcoef", "cov",
    "any", "all", "count_nonzero", "nanmax", "nanmin", "nanmean", "nansum", "searchsorted", "digitize", "bincount",
}  # fmt: skip


def array_function(recorder: Recorder, function: Any, args: Tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`np.mean(xs)`, `np.concatenate([xs, ys])` and the like."""
    name = function.__name__
    known = _FUNCTIONS.get(name)
    if known is None:
        if name in _NOT_GAUSSIAN:
            raise _refuse(name)
        raise TypeError(f"P203: np.{name} is not supported for random variables; supported are {', '.join(_FUNCTIONS)}")
    return known(recorder, *args, **kwargs)
