"""Secret arrays of any dimension: numpy's methods of arrays, and products with public matrices."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from ._privug import Forms
from ._secret import (
    SecretValue, _Operators, binary, compared, decides, is_secret, joined, made, needs_values, not_linear, numbers, objects,
    refused, secret,
)  # fmt: skip

MAX_MATRIX = 50_000_000
"""Larger matrices are not made."""

MAX_COLUMNS = 20_000
"""A matrix is not found column by column where there are more."""


class _Flat:
    """An array's elements in a row, as numpy's `flat` gives them."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __len__(self) -> int:
        return int(self._array.size)

    def __iter__(self) -> Any:
        return iter(self._array.ravel())

    def __getitem__(self, key: Any) -> Any:
        return self._array.ravel()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        places = np.arange(len(self))[key]
        # numpy repeats what is too short.
        new = np.resize(value, places.shape) if np.ndim(value) else value
        self._array[np.unravel_index(places, self._array.shape)] = new


class _Memory:
    """The elements that an array and its views share."""

    __slots__ = ("forms", "label", "places", "changes")

    def __init__(self, forms: Forms, label: str) -> None:
        self.forms = forms
        self.label = label
        self.places: Optional[np.ndarray] = None
        self.changes = 0


class SecretArray(_Operators):
    """An array that depends on secrets."""

    __slots__ = ("_memory", "_places", "_seen", "shape")
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, forms: Forms, shape: Tuple[int, ...], label: str) -> None:
        self._memory = _Memory(forms, label)
        # Of a view: where its elements are in the memory, and what they were when it was looked at, after how many changes.
        self._places: Optional[np.ndarray] = None
        self._seen: Any = (-1, None)
        self.shape = tuple(shape)

    @property
    def _forms(self) -> Forms:  # type: ignore[override]
        if self._places is None:
            return self._memory.forms
        if self._seen[0] != self._memory.changes:
            places = np.ascontiguousarray(self._places).reshape(-1)
            self._seen = (self._memory.changes, self._memory.forms.take(places))
        return self._seen[1]

    @property
    def label(self) -> str:  # type: ignore[override]
        """What the secrets are called."""
        return self._memory.label

    def _at(self) -> np.ndarray:
        """Where the elements are in the memory: numpy's own array, so that what is a view of it is one of these elements too."""
        if self._places is not None:
            return self._places
        if self._memory.places is None:
            self._memory.places = np.arange(self.size, dtype=np.int64).reshape(self.shape)
        return self._memory.places.reshape(self.shape)

    def _moved(self, places: Any) -> Any:
        """The elements at some places of the memory: a view where numpy has one, as it does not copy the places then."""
        if np.ndim(places) == 0 or not np.may_share_memory(places, self._at()):
            taken = self._memory.forms.take(np.ascontiguousarray(np.asarray(places, dtype=np.int64)).reshape(-1))
            shape = np.shape(places)
            return np.nan if shape == () and taken.missing()[0] else made(taken, shape, self.label)
        view = SecretArray.__new__(SecretArray)
        view._memory, view._places, view._seen, view.shape = self._memory, places, (-1, None), places.shape
        return view

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self._memory.forms) if self._places is None else int(self._places.size)

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
        """A copy of elements, by their places among those of this array."""
        places = np.asarray(places, dtype=np.int64)
        taken = self._forms.take(np.ascontiguousarray(places).reshape(-1))
        return np.nan if places.shape == () and taken.missing()[0] else made(taken, places.shape, self.label)

    def flatten_values(self) -> List[Any]:
        """Every element, row by row; a gap is NaN, as everywhere."""
        single = (self._forms.take(np.array([place])) for place in range(self.size))
        return [np.nan if gap else SecretValue(each, self.label) for each, gap in zip(single, self._forms.missing())]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Any:
        for place in range(len(self)):
            yield self[place]

    def __getitem__(self, key: Any) -> Any:
        return self._moved(self._at()[_public_key(self, key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        places = self._at()[_public_key(self, key)]
        new = secret(value)
        if new is None:
            plain = numbers(value)
            if plain is None:
                raise TypeError(f"an array of secrets takes numbers and secrets, not {type(value).__name__}")
            new = made(Forms.of_numbers(np.ascontiguousarray(plain, dtype=float).reshape(-1)), plain.shape, "")
        spread = np.broadcast_to(np.arange(len(new._forms)).reshape(new.shape), np.shape(places))
        memory = self._memory
        count = len(memory.forms)
        index = np.arange(count, dtype=np.int64)
        index[np.asarray(places).reshape(-1)] = count + spread.reshape(-1)
        memory.forms = Forms.concat([memory.forms, new._forms]).take(index)
        memory.label = joined(memory.label, new.label)
        memory.changes += 1

    def __contains__(self, item: Any) -> bool:
        raise compared(self.label, "in")

    def _changed_to(self, value: Any) -> "SecretArray":
        """What `+=` and the like make of an array: its elements and those of its views, as of numpy's arrays."""
        self[...] = value
        return self

    def __iadd__(self, other: Any) -> Any:
        return self._changed_to(binary("add", self, other))

    def __isub__(self, other: Any) -> Any:
        return self._changed_to(binary("subtract", self, other))

    def __imul__(self, other: Any) -> Any:
        return self._changed_to(binary("multiply", self, other))

    def __itruediv__(self, other: Any) -> Any:
        return self._changed_to(binary("true_divide", self, other))

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return matmul(other, self)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if dtype is not None and np.dtype(dtype).kind in "biuf":
            # One that was made to take secrets, and has none in it.
            fixed = self.fixed()
            if fixed is not None:
                return np.array(fixed, dtype=dtype)
        return objects(self, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from ._secret_numpy import array_ufunc

        return array_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        from ._secret_numpy import array_function

        return array_function(function, inputs, options)

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """The same elements in another shape."""
        wanted = shape[0] if len(shape) == 1 else shape
        return self._moved(self._at().reshape(wanted, order=order))  # type: ignore[call-overload]

    def transpose(self, *axes: Any) -> Any:
        """Axes in another order."""
        return self._moved(self._at().transpose(*axes))

    def swapaxes(self, one: int, other: int) -> Any:
        """Two axes exchanged."""
        return self._moved(self._at().swapaxes(one, other))

    def ravel(self, order: str = "C") -> Any:
        """All elements in a row."""
        return self._moved(self._at().ravel(order=order))  # type: ignore[arg-type]

    def flatten(self, order: str = "C") -> Any:
        """All elements in a row, which can be changed by themselves."""
        return self._moved(self._at().flatten(order=order))  # type: ignore[arg-type]

    @property
    def flat(self) -> Any:
        """All elements in a row, to go through, choose from and write to."""
        return _Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        _Flat(self)[:] = value

    def squeeze(self, axis: Any = None) -> Any:
        """Without axes of one element."""
        return self._moved(self._at().squeeze(axis))

    def take(self, indices: Any, axis: Any = None, mode: str = "raise") -> Any:
        """Elements at some places."""
        return self._moved(self._at().take(indices, axis=axis, mode=mode))  # type: ignore[call-overload]

    def repeat(self, repeats: Any, axis: Any = None) -> Any:
        """Elements repeated."""
        return self._moved(self._at().repeat(repeats, axis=axis))

    def copy(self, order: str = "C") -> "SecretArray":
        """A copy that can be changed by itself."""
        return self._like(self._forms)

    __copy__ = copy

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise needs_values(self.label, "pickle")

    def __deepcopy__(self, memo: Any) -> "SecretArray":
        return self.copy()

    def astype(self, dtype: Any, **options: Any) -> Any:
        """The same for floats."""
        wanted = np.dtype(dtype)
        if wanted.kind == "f":
            return self.copy() if options.get("copy", True) else self
        return objects(self, wanted)

    def sum(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = 0.0, where: Any = True
    ) -> Any:
        """The sum over all elements or along axes."""
        total = sums(self, axis, keepdims, where)[0]
        return total if isinstance(initial, float) and initial == 0.0 else binary("add", total, initial)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = True) -> Any:
        """The mean over all elements or along axes."""
        total, counts = sums(self, axis, keepdims, where)
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
        return matmul(self, other) if self.ndim and np.ndim(other) else binary("multiply", self, other)

    def tolist(self) -> Any:
        """Nested lists of values, each still secret."""
        return [each.tolist() if isinstance(each, SecretArray) else each for each in self]

    def view(self, *types: Any) -> Any:
        """The same elements: a change is seen by both."""
        if types:
            raise not_linear(self.label, "view")
        return self

    def item(self, *place: Any) -> Any:
        """One element."""
        return self._moved(self._at().item(*place))

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """The elements of a diagonal."""
        return self._moved(self._at().diagonal(offset, axis1, axis2).copy())

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
        """The sum of a diagonal."""
        return self.diagonal(offset, axis1, axis2).sum(axis=-1)

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


def sums(value: Any, axis: Any, keepdims: bool, where: Any) -> Tuple[Any, np.ndarray]:
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


def public(value: Any) -> Any:
    """Numbers, where nothing is left of secrets in an array, also one of objects."""
    found = value if isinstance(value, _Operators) else None
    if isinstance(value, np.ndarray) and value.dtype == object:
        found = secret(value)
    fixed = None if found is None else found.fixed()
    return value if fixed is None else fixed


def matmul(left: Any, right: Any) -> Any:
    left, right = public(left), public(right)
    if secret(left) is None and secret(right) is None:
        return np.matmul(left, right)
    one, other = secret(left), secret(right)
    if one is not None and other is not None:
        raise refused("P301", joined(one.label, other.label), "a product of secrets is not linear", "@", "multiply by public numbers")
    found = one if one is not None else other
    plain = numbers(right if one is not None else left)
    if found is None or plain is None:
        raise TypeError("`@` takes arrays of numbers")
    if found.ndim > 2 or plain.ndim > 2 or not found.ndim or not plain.ndim:
        return by_matrix(lambda x: np.matmul(x, plain) if one is not None else np.matmul(plain, x), found, exact=True)
    matrix = plain if one is None else (plain.T if plain.ndim == 2 else plain)
    secrets = found if one is None else (found.T if found.ndim == 2 else found)
    rows = matrix.reshape(-1, matrix.shape[-1])
    if rows.shape[1] != secrets.shape[0]:
        raise ValueError(f"matmul: the shapes {np.shape(left)} and {np.shape(right)} do not fit")
    width = 1 if secrets.ndim == 1 else secrets.shape[1]
    if rows.size * width > MAX_MATRIX:
        raise refused("P603", found.label, "`{}`: the matrix is too large", "@", "aggregate by groups first")
    row, column = np.nonzero(np.broadcast_to(rows[:, None, :] != 0, (rows.shape[0], width, rows.shape[1])).reshape(-1, rows.shape[1]))
    places = column * width + row % width
    shape = matrix.shape[:-1] + secrets.shape[1:]
    result = combined(secrets, row, places, rows[row // width, column], shape, exact=True)
    gaps = secrets._forms.missing().reshape(secrets.shape[0], width).any(axis=0)
    if gaps.any():
        # Zero times a gap is a gap.
        result = binary("add", result, np.where(np.broadcast_to(gaps.reshape(secrets.shape[1:]), shape), np.nan, 0.0))
    return result.T if one is not None and len(shape) == 2 else result


def by_matrix(function: Callable[[np.ndarray], Any], value: Any, exact: bool = False) -> Any:
    """A function that is known to be linear, with its matrix found column by column.

    `exact` says that the function multiplies by public numbers and does not compute these numbers itself.
    """
    size = len(value._forms)
    # Before it is called: what it makes of many elements may be larger than the machine.
    offset = np.asarray(function(np.zeros(value.shape)), dtype=float) if size <= MAX_COLUMNS else np.zeros(0)
    if size > MAX_COLUMNS or size * offset.size > MAX_MATRIX:
        raise refused("P603", value.label, "`{}`: the matrix is too large", "linear function", "aggregate by groups first")
    # What is a gap without any secret, such as the ends of a moving average, is one with them.
    gaps = np.isnan(offset)
    columns = np.zeros((size, offset.size))
    for place in range(size):
        unit = np.zeros(size)
        unit[place] = 1.0
        columns[place] = np.asarray(function(unit.reshape(value.shape)), dtype=float).reshape(-1)
    if offset.any():
        columns -= offset.reshape(-1)
    columns[:, gaps.reshape(-1)] = 0.0
    target, places = np.nonzero(columns.T)
    weights = np.ascontiguousarray(columns.T[target, places])
    found = combined(value, target, places, weights, offset.shape, exact)
    return binary("add", found, offset) if offset.any() else found


def combined(value: Any, target: np.ndarray, places: np.ndarray, weights: Any, shape: Tuple[int, ...], exact: bool) -> Any:
    """Element t of the result is the sum of `weights` times the elements at `places` where `target`, which ascends, is t."""
    count = int(np.prod(shape, dtype=np.int64))
    starts = np.searchsorted(target, np.arange(count + 1)).astype(np.int64)
    plain = None if weights is None else np.ascontiguousarray(weights, dtype=float)
    forms = value._forms.combined(starts, np.ascontiguousarray(places, dtype=np.int64), plain)
    return made(forms if exact or plain is None or _are_short(plain) else forms.inexact(), shape, value.label)


def _are_short(weights: np.ndarray) -> bool:
    """Whether all numbers have few binary digits, as halves and whole numbers have: nothing of them was rounded."""
    mantissas = np.frexp(weights)[0] * 2.0**24
    return bool((mantissas == np.rint(mantissas)).all())


_DECIDING = {
    "sort", "argsort", "argmin", "argmax", "partition", "argpartition", "searchsorted", "nonzero", "any", "all",
}  # fmt: skip
