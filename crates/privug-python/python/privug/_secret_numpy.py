"""Secret arrays of any dimension, and which of numpy's functions are linear in them.

A function that only moves elements is run by numpy itself, on the numbers of the elements. A function that is known to be
linear is run by numpy on unit vectors, which gives its matrix. Everything else is refused; nothing is guessed.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple, Union

import numpy as np

from ._privug import Forms
from ._secret import (
    SecretValue, _Operators, binary, compared, decides, is_secret, joined, made, not_linear, numbers, objects, refused, secret,
)  # fmt: skip

MAX_MATRIX = 50_000_000
"""Larger matrices are not made."""


class SecretArray(_Operators):
    """An array that depends on secrets."""

    __slots__ = ("_forms", "shape", "label")
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, forms: Forms, shape: Tuple[int, ...], label: str) -> None:
        self._forms = forms
        self.shape = tuple(shape)
        self.label = label

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self._forms)

    @property
    def dtype(self) -> Any:
        """The type of arrays whose elements are no numbers."""
        return np.dtype(object)

    @property
    def T(self) -> Any:
        """Rows and columns exchanged."""
        return self.transpose()

    def _like(self, forms: Forms) -> "SecretArray":
        return SecretArray(forms, self.shape, self.label)

    def _index(self) -> np.ndarray:
        return np.arange(self.size, dtype=np.int64).reshape(self.shape)

    def _taken(self, places: Any) -> Any:
        places = np.asarray(places, dtype=np.int64)
        return made(self._forms.take(np.ascontiguousarray(places).reshape(-1)), places.shape, self.label)

    def flatten_values(self) -> List[SecretValue]:
        """Every element, row by row."""
        single = (self._forms.take(np.array([place])) for place in range(self.size))
        return [SecretValue(each, self.label) for each in single]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Any:
        for place in range(len(self)):
            yield self[place]

    def __getitem__(self, key: Any) -> Any:
        return self._taken(self._index()[_public_key(self, key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        places = self._index()[_public_key(self, key)]
        new = secret(value)
        if new is None:
            plain = numbers(value)
            if plain is None:
                raise TypeError(f"an array of secrets takes numbers and secrets, not {type(value).__name__}")
            new = made(Forms.of_numbers(np.ascontiguousarray(plain, dtype=float).reshape(-1)), plain.shape, "")
        spread = np.broadcast_to(np.arange(len(new._forms)).reshape(new.shape), np.shape(places))
        index = np.arange(self.size, dtype=np.int64)
        index[np.asarray(places).reshape(-1)] = self.size + spread.reshape(-1)
        self._forms = Forms.concat([self._forms, new._forms]).take(index)
        self.label = joined(self.label, new.label)

    def __contains__(self, item: Any) -> bool:
        raise compared(self.label, "in")

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _matmul(other, self)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return objects(self, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return array_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        return array_function(function, inputs, options)

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """The same elements in another shape."""
        wanted = shape[0] if len(shape) == 1 else shape
        return self._taken(self._index().reshape(wanted, order=order))  # type: ignore[call-overload]

    def transpose(self, *axes: Any) -> Any:
        """Axes in another order."""
        return self._taken(self._index().transpose(*axes))

    def swapaxes(self, one: int, other: int) -> Any:
        """Two axes exchanged."""
        return self._taken(self._index().swapaxes(one, other))

    def ravel(self, order: str = "C") -> Any:
        """All elements in a row."""
        return self._taken(self._index().ravel(order=order))  # type: ignore[arg-type]

    flatten = ravel

    def squeeze(self, axis: Any = None) -> Any:
        """Without axes of one element."""
        return self._taken(self._index().squeeze(axis))

    def take(self, indices: Any, axis: Any = None, mode: str = "raise") -> Any:
        """Elements at some places."""
        return self._taken(self._index().take(indices, axis=axis, mode=mode))  # type: ignore[call-overload]

    def repeat(self, repeats: Any, axis: Any = None) -> Any:
        """Elements repeated."""
        return self._taken(self._index().repeat(repeats, axis=axis))

    def copy(self, order: str = "C") -> "SecretArray":
        """A copy that can be changed by itself."""
        return self._like(self._forms)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "SecretArray":
        return self.copy()

    def astype(self, dtype: Any, **options: Any) -> Any:
        """The same for floats."""
        wanted = np.dtype(dtype)
        if wanted.kind == "f":
            return self.copy()
        return objects(self, wanted)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = True) -> Any:
        """The sum over all elements or along axes."""
        return _sum(self, axis, keepdims, where)[0]

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = True) -> Any:
        """The mean over all elements or along axes."""
        total, counts = _sum(self, axis, keepdims, where)
        return binary("true_divide", total, np.where(counts > 0, counts, np.nan).astype(float))

    def cumsum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Running sums."""
        if axis is None:
            return SecretArray(_running(self.ravel(), np.zeros(self.size, dtype=np.int64)), (self.size,), self.label)
        groups = np.arange(self.size // max(self.shape[axis], 1)).reshape(np.delete(self.shape, axis).astype(int))
        groups = np.broadcast_to(np.expand_dims(groups, axis), self.shape)
        return self._like(_running(self, np.ascontiguousarray(groups).reshape(-1)))

    def dot(self, other: Any) -> Any:
        """The product with a public vector or matrix."""
        return _matmul(self, other) if self.ndim and np.ndim(other) else binary("multiply", self, other)

    def tolist(self) -> Any:
        """Nested lists of values, each still secret."""
        return [each.tolist() if isinstance(each, SecretArray) else each for each in self]

    def item(self, *place: Any) -> Any:
        """One element."""
        return self._taken(self._index().item(*place))

    def fill(self, value: Any) -> None:
        """Overwrites all elements."""
        self[...] = value

    def __getattr__(self, name: str) -> Any:
        # All other methods of numpy's arrays are refused when they are called, unless nothing is left of the secrets.
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"an array of secrets has no attribute {name!r}")
        fixed = self.fixed()
        if fixed is not None:
            return getattr(fixed, name)

        def refuse(*args: Any, **kwargs: Any) -> Any:
            raise decides(self.label, name) if name in _DECIDING else not_linear(self.label, name)

        return refuse


def _public_key(array: SecretArray, key: Any) -> Any:
    parts = key if isinstance(key, tuple) else (key,)
    if any(is_secret(part) for part in parts):
        raise refused("P307", array.label, "`{}`: a secret is used as an index", "index", "use public indices")
    return key


def _sum(value: Any, axis: Any, keepdims: bool, where: Any) -> Tuple[Any, np.ndarray]:
    """Sums along axes, and of how many elements each is."""
    index = np.ones(value.shape, dtype=bool) & np.asarray(where, dtype=bool)
    counts = np.asarray(index.sum(axis=axis, keepdims=True))
    groups = np.broadcast_to(np.arange(counts.size).reshape(counts.shape), value.shape).reshape(-1)
    groups = np.ascontiguousarray(np.where(index.reshape(-1), groups, -1), dtype=np.int64)
    forms = value._forms.sums(groups, counts.size)
    missing = value._forms.missing() & (groups >= 0)
    if missing.any():
        gaps = np.bincount(groups[missing], minlength=counts.size) > 0
        forms = forms.plus(np.where(gaps, np.nan, 0.0))
    shape = counts.shape if keepdims else np.shape(index.sum(axis=axis))
    return made(forms, shape, value.label), counts.reshape(shape)


def _running(value: Any, groups: np.ndarray) -> Forms:
    forms = value._forms.running(np.ascontiguousarray(groups, dtype=np.int64))
    gaps = value._forms.missing()
    if gaps.any():
        ended = [bool(gaps[: place + 1][groups[: place + 1] == groups[place]].any()) for place in range(len(groups))]
        forms = forms.plus(np.where(ended, np.nan, 0.0))
    return forms


def _public(value: Any) -> Any:
    """Numbers, where nothing is left of secrets in an array."""
    fixed = value.fixed() if isinstance(value, _Operators) else None
    return value if fixed is None else fixed


def _matmul(left: Any, right: Any) -> Any:
    left, right = _public(left), _public(right)
    if not is_secret(left) and not is_secret(right):
        return np.matmul(left, right)
    one, other = secret(left), secret(right)
    if one is not None and other is not None:
        raise refused("P301", joined(one.label, other.label), "a product of secrets is not linear", "@", "multiply by public numbers")
    found = one if one is not None else other
    plain = numbers(right if one is not None else left)
    if found is None or plain is None:
        raise TypeError("`@` takes arrays of numbers")
    if found.ndim > 2 or plain.ndim > 2 or not found.ndim or not plain.ndim:
        return _by_matrix(lambda x: np.matmul(x, plain) if one is not None else np.matmul(plain, x), found)
    matrix = plain if one is None else (plain.T if plain.ndim == 2 else plain)
    secrets = found if one is None else (found.T if found.ndim == 2 else found)
    rows = matrix.reshape(-1, matrix.shape[-1])
    if rows.shape[1] != secrets.shape[0]:
        raise ValueError(f"matmul: the shapes {np.shape(left)} and {np.shape(right)} do not fit")
    width = 1 if secrets.ndim == 1 else secrets.shape[1]
    if rows.size * width > MAX_MATRIX:
        raise refused("P603", found.label, "`{}`: the matrix is too large", "@", "sum up groups first")
    row, column = np.nonzero(np.broadcast_to(rows[:, None, :] != 0, (rows.shape[0], width, rows.shape[1])).reshape(-1, rows.shape[1]))
    places = column * width + row % width
    starts = np.searchsorted(row, np.arange(rows.shape[0] * width + 1)).astype(np.int64)
    weights = rows[row // width, column]
    forms = secrets._forms.combined(starts, places.astype(np.int64), np.ascontiguousarray(weights))
    shape = matrix.shape[:-1] + secrets.shape[1:]
    result = made(forms, shape, found.label)
    return result.T if one is not None and len(shape) == 2 else result


def _by_matrix(function: Callable[[np.ndarray], Any], value: Any) -> Any:
    """A function that is known to be linear, with its matrix found column by column."""
    size = len(value._forms)
    offset = np.asarray(function(np.zeros(value.shape)), dtype=float)
    if size * offset.size > MAX_MATRIX:
        raise refused("P603", value.label, "`{}`: the matrix is too large", "linear function", "sum up groups first")
    columns = np.zeros((size, offset.size))
    for place in range(size):
        unit = np.zeros(size)
        unit[place] = 1.0
        columns[place] = np.asarray(function(unit.reshape(value.shape)), dtype=float).reshape(-1)
    if offset.any():
        columns -= offset.reshape(-1)
    target, places = np.nonzero(columns.T)
    starts = np.searchsorted(target, np.arange(offset.size + 1)).astype(np.int64)
    weights = np.ascontiguousarray(columns.T[target, places])
    forms = value._forms.combined(starts, places.astype(np.int64), weights)
    if offset.any():
        forms = forms.plus(offset.reshape(-1))
    return made(forms, offset.shape, value.label)


_DECIDING = {
    "sort", "argsort", "argmin", "argmax", "partition", "argpartition", "searchsorted", "nonzero", "any", "all",
}  # fmt: skip
_ARITHMETIC = {"add", "subtract", "multiply", "divide", "true_divide", "power", "float_power", "floor_divide", "remainder"}
_COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or", "logical_not"}


def _label(inputs: Sequence[Any]) -> str:
    label = ""
    for each in inputs:
        found = secret(each)
        label = joined(label, found.label) if found is not None else label
    return label


def _fixed(value: Any) -> Any:
    """Numbers, also of arrays in which nothing is left of secrets; None for secrets."""
    if isinstance(value, _Operators):
        return value.fixed()
    if isinstance(value, (list, tuple)):
        # Their parts need not have one shape.
        return None if any(_fixed(each) is None and each is not None for each in value) else value
    return None if secret(value) is not None else value


def array_ufunc(ufunc: Any, method: str, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    """`np.add(x, y)`, `np.add.reduce(x)`, and `array + x`."""
    name = ufunc.__name__
    if all(fixed is not None for fixed in map(_fixed, inputs)) and not isinstance(inputs[0], SecretArray):
        return getattr(ufunc, method)(*map(_fixed, inputs), **options)
    options = {key: each for key, each in options.items() if each is not None and not (key == "where" and each is True)}
    out = options.pop("out", None)
    for key in ("dtype", "casting", "order", "subok"):
        options.pop(key, None)
    if out is not None:
        target = out[0] if isinstance(out, tuple) else out
        if not isinstance(target, SecretArray):
            hint = "write `x = x + y` instead of `out=` or `+=` into an array of numbers"
            raise refused("P309", _label(inputs), "`{}`: secrets are written into an array of numbers", name, hint)
        target[...] = array_ufunc(ufunc, method, inputs, options)
        return target
    if method != "at":
        inputs = tuple(map(_public, inputs))
    if method == "__call__" and not options:
        return _called(name, inputs)
    first = secret(inputs[0]) if inputs else None
    if name == "add" and first is not None and set(options) <= {"axis", "keepdims", "where", "initial"}:
        if method == "reduce" and first.ndim:
            options.pop("initial", None)
            return _sum(first, options.get("axis", 0), options.get("keepdims", False), options.get("where", True))[0]
        if method == "accumulate":
            return first.cumsum(axis=options.get("axis", 0))
        if method == "reduceat":
            return _by_matrix(lambda x: np.add.reduceat(x, *inputs[1:], **options), first)
    if name == "add" and method == "at" and isinstance(inputs[0], SecretArray):
        for place, part in zip(np.ravel(inputs[1]), np.broadcast_to(np.arange(np.size(inputs[1])), np.shape(inputs[1])).ravel()):
            inputs[0][place] = inputs[0][place] + (inputs[2] if np.ndim(inputs[2]) == 0 else inputs[2][part])
        return None
    if name == "multiply" and method == "outer" and sum(secret(each) is not None for each in inputs) == 1:
        left, right = (secret(each) if secret(each) is not None else np.asarray(each, dtype=float) for each in inputs)
        return binary("multiply", left.reshape(left.shape + (1,) * np.ndim(right)), right)
    raise not_linear(_label(inputs), f"np.{name}.{method}" if method != "__call__" else f"np.{name}")


def _called(name: str, inputs: Tuple[Any, ...]) -> Any:
    if name in _ARITHMETIC and len(inputs) == 2:
        result = binary({"divide": "true_divide", "float_power": "power"}.get(name, name), *inputs)
        if result is NotImplemented:
            raise TypeError(f"np.{name} does not take {type(inputs[0]).__name__} and {type(inputs[1]).__name__}")
        return result
    if name == "matmul":
        return _matmul(*inputs)
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
    "insert": (0, 2), "append": (0, 1), "resize": (0,), "compress": (1,), "extract": (1,), "copy": (0,), "pad": (0,),
}  # fmt: skip
"""Functions that only move elements, and which of their arguments hold them."""

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
        return _public(made(Forms.concat(self.parts).take(np.ascontiguousarray(places).reshape(-1)), places.shape, self.label))


def _is_flat(value: Any) -> bool:
    return not any(isinstance(each, (list, tuple, np.ndarray)) or np.ndim(each) or (is_secret(each) and each.shape) for each in value)


def _moved(function: Any, name: str, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    if name == "pad" and (len(inputs) > 2 or options.get("mode", "constant") != "constant") or "constant_values" in options:
        raise not_linear(_label(inputs), "np.pad")
    pool = _Pool()
    data = _MOVES[name]
    every = name.startswith("atleast")
    if name == "select" and len(inputs) < 3 and "default" not in options:
        options = {**options, "default": 0}
    moved = [pool.numbered(each) if every or place in data else each for place, each in enumerate(inputs)]
    for key, each in options.items():
        if is_secret(each) or _DATA_NAMES.get(key, {}).get(name) in data:
            options = {**options, key: pool.numbered(each)}
    if any(is_secret(each) for each in [*moved, *options.values()]):
        raise refused("P307", _label(inputs), "`{}`: a secret chooses which elements are taken", f"np.{name}", "use public conditions and indices")
    return pool.values(_plain(function)(*moved, **options))


def _plain(function: Any) -> Any:
    return getattr(function, "_implementation", function)


def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False) -> Any:
    value = secret(a)
    if value is None or is_secret(weights):
        raise refused("P302", _label((a, weights)), "`{}`: the weights are secret", "np.average", "use public weights")
    if weights is None:
        return value.mean(axis=axis, keepdims=keepdims)
    plain = np.asarray(weights, dtype=float)
    if axis is not None and plain.shape != value.shape:
        plain = np.moveaxis(np.broadcast_to(plain, np.delete(value.shape, axis).tolist() + [value.shape[axis]]), -1, axis)
    total = (value * plain).sum(axis=axis, keepdims=keepdims)
    return total / plain.sum(axis=axis, keepdims=keepdims)


def _nan_sum(a: Any, axis: Any = None, **options: Any) -> Any:
    return secret(a).sum(axis=axis, where=~secret(a)._forms.missing().reshape(np.shape(a)))


def _nan_mean(a: Any, axis: Any = None, **options: Any) -> Any:
    return secret(a).mean(axis=axis, where=~secret(a)._forms.missing().reshape(np.shape(a)))


def _diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    value = secret(a)
    for _ in range(n):
        index = value._index()
        length = value.shape[axis]
        later, earlier = np.take(index, range(1, length), axis=axis), np.take(index, range(length - 1), axis=axis)
        value = value._taken(later) - value._taken(earlier)
    return value


def _linear_in(*places: Union[int, str]) -> Callable[..., Any]:
    """A function that is linear in each of these arguments, while the others are public."""

    def call(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
        given: Dict[Any, Any] = {**dict(enumerate(inputs)), **options}
        found = [key for key, each in given.items() if secret(each) is not None]
        if len(found) > 1:
            raise refused("P301", _label(list(given.values())), "`{}`: a product of secrets is not linear", function.__name__)
        if not found or found[0] not in places:
            raise not_linear(_label(list(given.values())), f"np.{function.__name__}")
        key = found[0]

        def run(value: np.ndarray) -> Any:
            arguments = [value if place == key else each for place, each in enumerate(inputs)]
            return _plain(function)(*arguments, **{name: value if name == key else each for name, each in options.items()})

        return _by_matrix(run, secret(given[key]))

    return call


def _einsum(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    return _linear_in(*range(1, len(inputs)))(function, inputs, options)


def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    if secret(a) is not None:
        raise not_linear(_label((a, b)), "np.linalg.lstsq")
    plain = np.asarray(a, dtype=float)
    _, _, rank, singular = np.linalg.lstsq(plain, np.zeros(len(plain)), rcond=rcond)
    solution = _by_matrix(lambda y: np.linalg.lstsq(plain, y, rcond=rcond)[0], secret(b))
    return solution, NotSaid("the residuals of np.linalg.lstsq", _label((b,))), rank, singular


class NotSaid:
    """Stands for something that is not linear in the secret, and is refused when it is used."""

    def __init__(self, what: str, label: str) -> None:
        self.__dict__["_what"] = (what, label)

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        what, label = self.__dict__["_what"]
        raise refused("P306", label, f"{what} are not linear in the secret", what)

    __getattr__ = __setattr__ = __getitem__ = __iter__ = __len__ = __array__ = __float__ = __bool__ = __str__ = __repr__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __format__ = __hash__ = _refuse  # type: ignore
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __reduce_ex__ = _refuse  # type: ignore[assignment]


def _polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: bool = False) -> Any:
    if full or cov or secret(x) is not None:
        raise not_linear(_label((x, y)), "np.polyfit")
    return _by_matrix(lambda values: np.polyfit(x, values, deg, rcond=rcond, w=w), secret(y))


def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    return secret(a).round(decimals)


def _method(name: str) -> Callable[..., Any]:
    return lambda a, *inputs, **options: getattr(secret(a), name)(*inputs, **options)


_FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "sum": _method("sum"), "mean": _method("mean"), "cumsum": _method("cumsum"), "average": _average, "nansum": _nan_sum,
    "nanmean": _nan_mean, "diff": _diff, "lstsq": _lstsq, "polyfit": _polyfit, "round": _round, "around": _round,
    "round_": _round, "shape": lambda a: secret(a).shape, "ndim": lambda a: secret(a).ndim, "size": lambda a: secret(a).size,
    "dot": lambda a, b: _matmul(a, b) if np.ndim(a) and np.ndim(b) else binary("multiply", a, b),
}  # fmt: skip

_LINEAR_IN: Dict[str, Callable[..., Any]] = {
    "convolve": _linear_in(0, 1, "a", "v"), "correlate": _linear_in(0, 1, "a", "v"), "einsum": _einsum,
    "tensordot": _linear_in(0, 1), "inner": _linear_in(0, 1), "outer": _linear_in(0, 1), "vdot": _linear_in(0, 1),
    "kron": _linear_in(0, 1), "interp": _linear_in(2, "fp"), "bincount": _linear_in(1, "weights"), "trace": _linear_in(0),
    "gradient": _linear_in(0), "ediff1d": _linear_in(0), "trapezoid": _linear_in(0, "y"), "trapz": _linear_in(0, "y"),
    "solve": _linear_in(1, "b"), "polyval": _linear_in(0, "p"), "multi_dot": _linear_in(),
}  # fmt: skip


def array_function(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    """numpy's functions of arrays with secrets among them."""
    name = function.__name__
    given = [_fixed(each) for each in inputs]
    if all(each is not None or wanted is None for each, wanted in zip(given, inputs)) and not _any_secret(inputs, options):
        return _plain(function)(*given, **options)
    inputs = tuple(map(_public, inputs))
    if options.pop("out", None) is not None:
        raise refused("P309", _label(inputs), "`{}`: secrets are written into an array of numbers", f"np.{name}", "leave `out=` out")
    if name in _MOVES:
        return _moved(function, name, inputs, options)
    if name in _FUNCTIONS:
        options.pop("dtype", None)
        return _FUNCTIONS[name](*inputs, **options)
    if name in _LINEAR_IN:
        return _LINEAR_IN[name](function, inputs, options)
    if name in ("zeros_like", "ones_like", "full_like", "empty_like"):
        shape = options.get("shape") or np.shape(inputs[0])
        filled = inputs[1] if name == "full_like" else 1.0 if name == "ones_like" else 0.0
        return np.full(shape, filled)
    if name in ("array_repr", "array_str", "array2string", "savetxt"):
        return str(secret(inputs[-1 if name == "savetxt" else 0]))
    raise not_linear(_label(_flat(inputs)), f"np.{name}")


def _any_secret(inputs: Sequence[Any], options: Dict[str, Any]) -> bool:
    found = (secret(each) for each in (*_flat(inputs), *options.values()))
    return any(each is not None and each.fixed() is None for each in found)


def _flat(inputs: Sequence[Any]) -> List[Any]:
    return [each for part in inputs for each in (part if isinstance(part, (list, tuple)) else [part])]


