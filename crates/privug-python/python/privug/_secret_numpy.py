"""Which of numpy's functions secret arrays go through.

A function that only moves elements is run by numpy itself, on the numbers of the elements. A function that is known to be
linear is run with the matrix that it stands for (`_secret_linear`). Everything else is refused; nothing is guessed.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from ._linear_binned import HISTOGRAMS, histogram
from ._privug import Forms
from ._secret import _Operators, binary, compared, decides, is_secret, joined, made, not_known, not_linear, numbers, objects, refused, secret
from ._secret_array import SecretArray, by_matrix, combined, matmul, public
from ._secret_fourier import FOURIER
from ._secret_linear import FUNCTIONS, LINEAR_IN, label_of as _label, plain as _plain

_ARITHMETIC = {"add", "subtract", "multiply", "divide", "true_divide", "power", "float_power", "floor_divide", "remainder"}
_KEEPING = _ARITHMETIC | {"negative", "positive"}
_COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or", "logical_not"}


_COMPARING = {"allclose", "isclose", "array_equal", "array_equiv", "isin", "in1d", "any", "all"}
_DECIDING = {
    "sort", "argsort", "lexsort", "partition", "argpartition", "argmin", "argmax", "nanargmin", "nanargmax", "unique",
    "unique_values", "unique_counts", "searchsorted", "digitize", "nonzero", "flatnonzero", "argwhere", "count_nonzero",
    "histogram_bin_edges", "setdiff1d", "intersect1d", "union1d",
}  # fmt: skip
"""Functions that order, choose or count elements by their values."""

_NOT_LINEAR = frozenset(
    "median nanmedian percentile nanpercentile quantile nanquantile std nanstd var nanvar max min amax amin nanmax nanmin ptp prod nanprod "
    "cumprod nancumprod corrcoef clip norm det cond matrix_power eig eigh svd inv pinv logspace geomspace pad piecewise".split()
)


def _fixed(value: Any) -> Any:
    """Numbers, also of arrays in which nothing is left of secrets; None for secrets."""
    if isinstance(value, _Operators):
        return value.fixed()
    if isinstance(value, (list, tuple)):
        # Their parts need not have one shape.
        parts = [_fixed(each) for each in value]
        if any(part is None and each is not None for part, each in zip(parts, value)):
            return None
        return parts if isinstance(value, list) else tuple(parts)
    return None if secret(value) is not None else value


def array_ufunc(ufunc: Any, method: str, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    """`np.add(x, y)`, `np.add.reduce(x)`, and `array + x`."""
    name = ufunc.__name__
    if name.endswith(" (vectorized)") or method == "at" and isinstance(inputs[0], np.ndarray) and inputs[0].dtype == object:
        # Python itself calls the function, or adds, for every element.
        return getattr(ufunc, method)(*(objects(each, None) if isinstance(each, _Operators) else each for each in inputs), **options)
    # An array that was made to take secrets stays one where they may follow: the others do not go together with them.
    may_follow = isinstance(inputs[0], SecretArray) and (method != "__call__" or name in _KEEPING or bool(options))
    if all(fixed is not None for fixed in map(_fixed, inputs)) and not may_follow:
        return getattr(ufunc, method)(*map(_fixed, inputs), **options)
    options = {key: each for key, each in options.items() if each is not None and not (key == "where" and each is True)}
    out = options.pop("out", None)
    for key in ("dtype", "casting", "order", "subok"):
        options.pop(key, None)
    if out is not None:
        target = out[0] if isinstance(out, tuple) else out
        if isinstance(target, np.ndarray) and target.dtype == object and method == "__call__" and set(options) <= {"where"}:
            # It takes anything, also secrets.
            places = np.broadcast_to(np.asarray(options.pop("where", True), dtype=bool), target.shape)
            target[places] = objects(array_ufunc(ufunc, method, tuple(_spread_to(each, target.shape, places) for each in inputs), {}), None)
            return target
        if not isinstance(target, SecretArray):
            hint = "write `x = x + y` instead of `out=` or `+=` into an array of numbers"
            raise refused("P309", _label(inputs), "`{}`: secrets are written into an array of numbers", name, hint)
        mask = options.pop("where", True) if method == "__call__" else True
        if is_secret(mask):
            raise compared(_label((mask,)), f"np.{name}")
        chosen = np.broadcast_to(np.asarray(mask, dtype=bool), target.shape)
        target[chosen] = array_ufunc(ufunc, method, tuple(_spread_to(each, target.shape, chosen) for each in inputs), options)
        return target
    if method != "at":
        inputs = tuple(map(public, inputs))
    if method == "__call__" and not options:
        return _called(name, inputs)
    first = secret(inputs[0]) if inputs else None
    if name == "add" and first is not None and set(options) <= {"axis", "keepdims", "where", "initial"}:
        if method == "reduce" and first.ndim:
            return first.sum(**{"axis": 0, **options})
        if method == "accumulate":
            return first.cumsum(axis=options.get("axis", 0))
        if method == "reduceat":
            return _reduceat(first, inputs[1], options.get("axis", inputs[2] if len(inputs) > 2 else 0))
    if name == "subtract" and first is not None and method in ("reduce", "accumulate", "reduceat") and not any(map(is_secret, inputs[1:])):
        return by_matrix(lambda x: getattr(ufunc, method)(x, *inputs[1:], **options), first, exact=True)
    if name in ("add", "subtract") and method == "at" and isinstance(inputs[0], SecretArray):
        return _add_at(inputs[0], inputs[1], inputs[2] if name == "add" else binary("multiply", inputs[2], -1.0))
    if name in _ARITHMETIC and method == "outer" and not options:
        left, right = (secret(each) if secret(each) is not None else np.asarray(each, dtype=float) for each in inputs)
        return _called(name, (left.reshape(left.shape + (1,) * np.ndim(right)), right))
    raise not_linear(_label(inputs), f"np.{name}.{method}" if method != "__call__" else f"np.{name}")


def _spread_to(value: Any, shape: Tuple[int, ...], chosen: np.ndarray) -> Any:
    """The elements of a broadcast value that are chosen."""
    found = secret(value)
    if found is None:
        return np.broadcast_to(np.asarray(value), shape)[chosen]
    places = np.arange(len(found._forms)).reshape(found.shape)
    places = np.ascontiguousarray(np.broadcast_to(places, shape)[chosen], dtype=np.int64)
    return made(found._forms.take(places), places.shape, found.label)


def _reduceat(value: Any, indices: Any, axis: int) -> Any:
    """Sums from each index up to the next; one element where the next is not larger."""
    if value.ndim != 1:
        return by_matrix(lambda x: np.add.reduceat(x, indices, axis=axis), value, exact=True)
    firsts = np.asarray(indices, dtype=np.int64)
    if ((firsts < 0) | (firsts >= len(value))).any():
        raise IndexError("an index of np.add.reduceat is out of range")
    ends = np.append(firsts[1:], len(value))
    lengths = np.where(ends > firsts, ends - firsts, 1)
    target = np.repeat(np.arange(len(firsts)), lengths)
    places = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(firsts, lengths)
    return combined(value, target, places, None, firsts.shape, exact=True)


def _add_at(target: SecretArray, indices: Any, values: Any) -> None:
    """`target[indices] += values`, where an index may be there more than once."""
    places = np.arange(target.size).reshape(target.shape)[indices]
    new = secret(values)
    if new is None:
        plain = np.asarray(values, dtype=float)
        new = made(Forms.of_numbers(np.ascontiguousarray(plain).reshape(-1)), plain.shape, "")
    spread = np.broadcast_to(np.arange(len(new._forms)).reshape(new.shape), places.shape).reshape(-1)
    taken = new._forms.take(np.ascontiguousarray(spread, dtype=np.int64))
    groups = np.ascontiguousarray(places.reshape(-1), dtype=np.int64)
    summed = made(taken, groups.shape, new.label)
    added = combined(summed, np.sort(groups), np.argsort(groups, kind="stable"), None, target.shape, exact=True)
    target[...] = binary("add", target, added)


def _called(name: str, inputs: Tuple[Any, ...]) -> Any:
    if name in _ARITHMETIC and len(inputs) == 2:
        result = binary({"divide": "true_divide", "float_power": "power"}.get(name, name), *inputs)
        if result is NotImplemented:
            raise TypeError(f"np.{name} does not take {type(inputs[0]).__name__} and {type(inputs[1]).__name__}")
        return result
    if name == "matmul":
        return matmul(*inputs)
    if name in ("vecdot", "matvec", "vecmat"):
        return LINEAR_IN["vecdot"](getattr(np, name), inputs, {})
    if name == "ldexp" and secret(inputs[1]) is None:
        return binary("multiply", inputs[0], np.exp2(np.asarray(inputs[1], dtype=float)))
    value = secret(inputs[0])
    if value is not None:
        if name == "negative":
            return binary("multiply", value, -1.0)
        if name in ("positive", "conjugate"):
            return value
        if name == "rint":
            return value.round(0)
        if name in ("isnan", "isfinite"):
            missing = value._forms.missing().reshape(value.shape)
            return missing if name == "isnan" else ~missing
        if name == "isinf":
            return np.zeros(value.shape, dtype=bool)
    if name in _COMPARISONS:
        raise compared(_label(inputs), f"np.{name}")
    raise not_linear(_label(inputs), f"np.{name}")


_MOVES: Dict[str, Tuple[Any, ...]] = {
    "reshape": (0,), "ravel": (0,), "transpose": (0,), "swapaxes": (0,), "moveaxis": (0,), "rollaxis": (0,), "roll": (0,),
    "flip": (0,), "fliplr": (0,), "flipud": (0,), "rot90": (0,), "concatenate": (0,), "stack": (0,), "vstack": (0,),
    "hstack": (0,), "dstack": (0,), "column_stack": (0,), "block": (0,), "split": (0,), "array_split": (0,), "hsplit": (0,),
    "vsplit": (0,), "dsplit": (0,), "repeat": (0,), "tile": (0,), "take": (0,), "take_along_axis": (0,), "squeeze": (0,),
    "expand_dims": (0,), "atleast_1d": (0,), "atleast_2d": (0,), "atleast_3d": (0,), "broadcast_to": (0,), "diag": (0,),
    "diagonal": (0,), "tril": (0,), "triu": (0,), "where": (1, 2), "choose": (1,), "select": (1, 2), "delete": (0,),
    "insert": (0, 2), "append": (0, 1), "resize": (0,), "sliding_window_view": (0,), "compress": (1,), "extract": (1,), "copy": (0,), "pad": (0,),
    "meshgrid": (), "broadcast_arrays": (), "diagflat": (0,), "unstack": (0,), "matrix_transpose": (0,), "fftshift": (0,), "ifftshift": (0,),
}  # fmt: skip
"""Functions that only move elements, and which of their arguments hold them."""

_VIEWING = {
    "reshape", "ravel", "transpose", "swapaxes", "moveaxis", "rollaxis", "flip", "fliplr", "flipud", "rot90", "squeeze", "expand_dims",
    "atleast_1d", "atleast_2d", "atleast_3d", "matrix_transpose", "split", "array_split", "hsplit", "vsplit", "dsplit", "unstack",
}  # fmt: skip
"""Those of them whose results may be views: what is written into them is written into the array."""

_MOVING_PADS = ("constant", "edge", "reflect", "symmetric", "wrap")

_DATA_NAMES = {
    "x": {"where": 1, "roll": 0}, "y": {"where": 2}, "choicelist": {"select": 1}, "default": {"select": 2}, "values": {"append": 1, "insert": 2},
    "arr": {"append": 0, "insert": 0, "delete": 0}, "a": {}, "ary": {}, "m": {}, "arrays": {}, "tup": {},
}  # fmt: skip


class _Pool:
    """Elements by numbers: 0 is the number zero, with which numpy fills gaps."""

    def __init__(self) -> None:
        self.parts: List[Forms] = [Forms.of_numbers(np.zeros(1))]
        self.size = 1
        self.label = ""

    def numbered(self, value: Any) -> Any:
        found = secret(value) if not isinstance(value, (list, tuple)) else None
        if found is None and isinstance(value, (list, tuple)) and not _is_flat(value):
            return type(value)(self.numbered(each) for each in value) if isinstance(value, tuple) else [self.numbered(each) for each in value]
        if found is None:
            found = secret(value)
        if found is None:
            plain = numbers(value)
            if plain is None:
                raise TypeError(f"secrets and {type(value).__name__} do not go together")
            found = made(Forms.of_numbers(np.ascontiguousarray(plain, dtype=float).reshape(-1)), plain.shape, "")
        places = np.arange(self.size, self.size + len(found._forms)).reshape(found.shape)
        self.parts.append(found._forms)
        self.size += len(found._forms)
        self.label = joined(self.label, found.label)
        return places

    def values(self, places: Any) -> Any:
        if isinstance(places, (list, tuple)):
            return type(places)(self.values(each) for each in places)
        places = np.asarray(places, dtype=np.int64)
        return public(made(Forms.concat(self.parts).take(np.ascontiguousarray(places).reshape(-1)), places.shape, self.label))


def moved(function: Any, values: Tuple[Any, ...]) -> Any:
    """A function that only moves the elements of its arguments."""
    pool = _Pool()
    return pool.values(function(*map(pool.numbered, values)))


def _is_flat(value: Any) -> bool:
    return not any(isinstance(each, (list, tuple, np.ndarray)) or np.ndim(each) or (is_secret(each) and each.shape) for each in value)


def _moved(function: Any, name: str, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    if name == "pad" and (options.get("mode", inputs[2] if len(inputs) > 2 else "constant") not in _MOVING_PADS or "end_values" in options):
        raise not_linear(_label(inputs), "np.pad")
    pool = _Pool()
    data = _MOVES[name]
    every = name.startswith("atleast") or name in ("meshgrid", "broadcast_arrays")
    if "constant_values" in options:
        # Each value stands for itself, as the elements do.
        options = {**options, "constant_values": pool.numbered(options["constant_values"])}
    if name == "select" and len(inputs) < 3 and "default" not in options:
        options = {**options, "default": 0}
    moved = [pool.numbered(each) if every or place in data else each for place, each in enumerate(inputs)]
    for key, each in options.items():
        if is_secret(each) or _DATA_NAMES.get(key, {}).get(name) in data:
            options = {**options, key: pool.numbered(each)}
    if any(is_secret(each) for each in [*moved, *options.values()]):
        raise refused("P307", _label(inputs), "`{}`: a secret determines which elements are selected", f"np.{name}", "use public conditions and indices")
    return pool.values(_plain(function)(*moved, **options))


def array_function(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    """numpy's functions of arrays with secrets among them."""
    name = function.__name__
    if name in ("copyto", "putmask") and inputs and isinstance(inputs[0], SecretArray):
        return _written_into(name, inputs, options)
    if name == "put" and inputs and isinstance(inputs[0], SecretArray):
        return _put(*inputs, **options)
    if name in _VIEWING and len(inputs) and isinstance(inputs[0], SecretArray) and not any(map(is_secret, (*inputs[1:], *options.values()))):
        return _viewed(inputs[0], _plain(function)(inputs[0]._at(), *inputs[1:], **options))
    given = [_fixed(each) for each in inputs]
    if all(each is not None or wanted is None for each, wanted in zip(given, inputs)) and not _any_secret(inputs, options):
        return _plain(function)(*given, **options)
    inputs = tuple(map(public, inputs))
    out = options.pop("out", None)
    if isinstance(out, SecretArray) and name in FUNCTIONS:
        out[...] = array_function(function, inputs, options)
        return out
    if out is not None:
        raise refused("P309", _label(inputs), "`{}`: secrets are written into an array of numbers", f"np.{name}", "leave `out=` out")
    if name in _MOVES:
        return _moved(function, name, inputs, options)
    if name in FOURIER and function.__module__.startswith("numpy.fft"):
        return FOURIER[name](*inputs, **options)
    if name in FUNCTIONS:
        options.pop("dtype", None)
        return FUNCTIONS[name](*inputs, **options)
    if name in LINEAR_IN:
        return LINEAR_IN[name](function, inputs, options)
    if name in HISTOGRAMS:
        return histogram(function, inputs, options)
    if name in ("zeros_like", "ones_like", "full_like", "empty_like"):
        shape = options.get("shape") or np.shape(inputs[0])
        filled = np.full(shape, inputs[1] if name == "full_like" else 1.0 if name == "ones_like" else 0.0)
        if filled.dtype.kind not in "biuf" or options.get("dtype", float) not in (float, np.float64):
            return filled.astype(options.get("dtype", filled.dtype))
        # It may be there to take secrets.
        return made(Forms.of_numbers(filled.astype(float).reshape(-1)), filled.shape, "")
    if name in ("array_repr", "array_str", "array2string", "savetxt"):
        return str(secret(inputs[-1 if name == "savetxt" else 0]))
    label = _label([*_flat(inputs), *options.values()])
    if name in _DECIDING:
        raise decides(label, f"np.{name}")
    if name in _COMPARING:
        raise compared(label, f"np.{name}")
    raise not_linear(label, f"np.{name}") if name in _NOT_LINEAR else not_known(label, f"np.{name}")


def _viewed(array: SecretArray, places: Any) -> Any:
    if isinstance(places, (list, tuple)):
        return type(places)(_viewed(array, each) for each in places)
    return array._moved(places)


def _written_into(name: str, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> None:
    """`np.copyto(target, values, where=mask)` and `np.putmask(target, mask, values)`."""
    target, *rest = inputs
    mask = options.get("where", rest[2] if len(rest) > 2 else True) if name == "copyto" else options.get("mask", rest[0])
    values: Any = options.get("src", rest[0] if rest else None) if name == "copyto" else options.get("values", rest[-1])
    mask = public(mask)
    if secret(mask) is not None:
        raise compared(_label((mask,)), f"np.{name}")
    if name == "putmask" and np.ndim(values) and np.shape(values) != target.shape:
        raise not_known(_label(inputs), "np.putmask with values of another shape")
    chosen = np.broadcast_to(np.asarray(mask, dtype=bool), target.shape)
    target[chosen] = _spread_to(values, target.shape, chosen)


def _put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """`np.put(target, places, values)`, with a value for each place or one for all."""
    ind = public(ind)
    if secret(ind) is not None:
        raise compared(_label((ind,)), "np.put")
    places = np.asarray(ind).reshape(-1)
    if mode != "raise" or np.ndim(v) and np.size(v) != places.size:
        raise not_known(_label((a, v)), "np.put with values for other places")
    a[np.unravel_index(np.where(places < 0, places + a.size, places), a.shape)] = v.reshape(-1) if np.ndim(v) else v


def _any_secret(inputs: Sequence[Any], options: Dict[str, Any]) -> bool:
    found = (secret(each) for each in (*_flat(inputs), *options.values()))
    return any(each is not None and each.fixed() is None for each in found)


def _flat(inputs: Sequence[Any]) -> List[Any]:
    return [each for part in inputs for each in (part if isinstance(part, (list, tuple)) else [part])]


