"""Functions of numpy that are made of others, and methods of arrays."""

import numpy as np


def vectorize(pyfunc):
    def each(*arrays):
        if not isinstance(arrays[0], np.ndarray) or arrays[0].ndim < 2:
            return np.array([pyfunc(*values) for values in zip(*arrays)])
        for array in arrays:
            assert array.shape == arrays[0].shape, "arrays of the same shape are taken element by element"
        flat = [array.ravel() for array in arrays]
        return np.array([pyfunc(*values) for values in zip(*flat)]).reshape(arrays[0].shape)

    return each


def _end_to_end(parts):
    return np.concatenate([np.atleast_1d(part) for part in parts])


def block(arrays):
    assert isinstance(arrays, list) and isinstance(arrays[0], list), "blocks are lists of rows of blocks"
    return np.vstack([np.hstack([np.atleast_2d(part) for part in row]) for row in arrays])


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="", header="", footer="", comments="", encoding=None):
    print(fmt, delimiter, newline, header, X, footer, comments)


def var(a, axis=None, ddof=0):
    values = np.asarray(a)
    count = values.size if axis is None else values.shape[axis]
    assert count > ddof, "there are too few values for their variance"
    away = values - np.mean(values, axis=axis, keepdims=axis is not None)
    return np.sum(away * away, axis=axis) / (count - ddof)


def std(a, axis=None, ddof=0):
    return np.sqrt(var(a, axis, ddof))


class _Covariances:
    def __init__(self, first, second, share):
        self.rows = [first, second]
        self.share = share
        self.shape = (2, 2)

    def __getitem__(self, place):
        if isinstance(place, tuple):
            row, column = place
            return np.dot(self.rows[row], self.rows[column]) * self.share
        return _CovarianceRow(self, place)


class _CovarianceRow:
    def __init__(self, table, row):
        self.table = table
        self.row = row

    def __getitem__(self, column):
        return self.table[self.row, column]


def cov(m, y=None, ddof=1):
    # One by one: a variance may not be linear where the covariance is.
    first = np.asarray(m)
    assert y is not None and first.ndim == 1, "the covariance of two arrays of one dimension is known"
    second = np.asarray(y)
    return _Covariances(first - np.mean(first), second - np.mean(second), 1 / (len(first) - ddof))


def corrcoef(x, y=None):
    found = cov(x, y)
    table = np.array([[found[0, 0], found[0, 1]], [found[1, 0], found[1, 1]]])
    deviations = np.sqrt(np.diag(table))
    return np.clip(table / deviations[:, None] / deviations[None, :], -1, 1)


def empty(shape, dtype="float"):
    return np.zeros(shape, dtype=dtype)


def empty_like(prototype):
    return np.zeros_like(prototype)


def trace(a):
    return np.sum(np.diag(a))


def vdot(a, b):
    return np.dot(np.ravel(a), np.ravel(b))


def kron(a, b):
    first = np.asarray(a)
    second = np.asarray(b)
    assert first.ndim == second.ndim or first.ndim + second.ndim == 3, "products of vectors and matrices are known"
    assert 0 < first.ndim <= 2 and 0 < second.ndim <= 2, "products of vectors and matrices are known"
    if first.ndim == 1 and second.ndim == 1:
        return np.array([one * other for one in first for other in second])
    left = first if first.ndim == 2 else first.reshape(1, -1)
    right = second if second.ndim == 2 else second.reshape(1, -1)
    return np.array([[one * other for one in row for other in line] for row in left for line in right])


def put(a, ind, v):
    places = [ind] if isinstance(ind, int) else list(ind)
    values = list(v) if isinstance(v, (list, tuple, np.ndarray)) else [v for place in places]
    assert a.ndim == 1 and len(values) == len(places), "as many values are put into an array of one dimension as there are places"
    for place, value in zip(places, values):
        a[place] = value


def copyto(dst, src, where=True):
    dst[:] = np.where(where, src, dst)


def insert(arr, obj, values):
    old = np.asarray(arr)
    assert old.ndim == 1 and old.size > 0 and isinstance(obj, int), "one value is inserted at one place of an array of one dimension"
    place = obj + old.size if obj < 0 else obj
    # Of the kind of the array, as numpy makes it.
    return np.concatenate([old[:place], np.full_like(old[:1], values), old[place:]])


def pad(array, pad_width, mode="constant", constant_values=0):
    old = np.asarray(array)
    is_known = old.ndim == 1 and old.size > 0 and mode in ("constant", "edge")
    assert is_known, "an array of one dimension is filled up with a constant or with what is at its ends"
    before, after = pad_width if isinstance(pad_width, (tuple, list)) else (pad_width, pad_width)
    if mode == "edge":
        return np.concatenate([np.repeat(old[:1], before), old, np.repeat(old[-1:], after)])
    filled = np.full_like(old[:1], constant_values)
    return np.concatenate([np.repeat(filled, before), old, np.repeat(filled, after)])


def sign(x):
    if not isinstance(x, (list, tuple, np.ndarray)):
        return sign([x])[0]
    values = np.asarray(x)
    return np.where(values > 0, np.ones_like(values), np.where(values < 0, -np.ones_like(values), np.zeros_like(values)))


def ediff1d(ary):
    return np.diff(np.ravel(ary))


def lexsort(keys):
    # The last key decides first, and sorting is stable.
    columns = [np.asarray(key).tolist() for key in keys]
    order = list(range(len(columns[0])))
    for column in columns:
        order = sorted(order, key=lambda place, column=column: column[place])
    return np.array(order, dtype="int")


def moveaxis(a, source, destination):
    values = np.asarray(a)
    assert values.ndim == 2, "an axis of two is moved"
    return values if source % 2 == destination % 2 else values.T


def hsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, axis=1 if np.asarray(ary).ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, axis=0)


def apply_along_axis(func1d, axis, arr):
    values = np.asarray(arr)
    assert values.ndim == 2, "a function is applied along an axis of two"
    found = np.array([func1d(row) for row in (values if axis % 2 == 1 else values.T)])
    assert found.ndim == 1, "a function that gives one value for each row is applied along an axis"
    return found


def _lower(m, k):
    rows, columns = np.asarray(m).shape
    return np.arange(columns)[None, :] - np.arange(rows)[:, None] <= k


def tril(m, k=0):
    return np.where(_lower(m, k), m, np.zeros_like(m))


def triu(m, k=0):
    return np.where(_lower(m, k - 1), np.zeros_like(m), m)


def float64(x=0.0):
    return np.asarray([x], dtype="float")[0]


def int64(x=0):
    return np.asarray([x], dtype="int")[0]


def _method_var(array, axis=None, ddof=0):
    return var(array, axis, ddof)


def _method_std(array, axis=None, ddof=0):
    return std(array, axis, ddof)


def _method_round(array, decimals=0):
    return np.round(array, decimals)


def _method_take(array, indices):
    return np.take(array, indices)


def _method_swapaxes(array, axis1, axis2):
    return np.swapaxes(array, axis1, axis2)


def _method_item(array, *place):
    flat = np.ravel(array).tolist()
    assert len(place) == 1 or (len(place) == 0 and len(flat) == 1), "an item of an array is found by one number"
    return flat[place[0]] if len(place) == 1 else flat[0]


def meshgrid(*xi, indexing="xy"):
    assert len(xi) == 2 and indexing in ("xy", "ij"), "the grid of two arrays is known"
    first = np.ravel(xi[0])
    second = np.ravel(xi[1])
    if indexing == "ij":
        return np.stack([first] * len(second), axis=1), np.stack([second] * len(first))
    return np.stack([first] * len(second)), np.stack([second] * len(first), axis=1)


def ix_(*args):
    assert len(args) == 2, "rows and columns are chosen together"
    rows = np.asarray(args[0])
    columns = np.asarray(args[1])
    assert rows.ndim == 1 and columns.ndim == 1, "rows and columns are lists of places"
    is_mask = any([isinstance(place, bool) for place in rows.tolist() + columns.tolist()])
    assert not is_mask, "rows and columns are chosen by places here: `np.flatnonzero(mask)`"
    return rows[:, None], columns[None, :]


def _half(n, k, m, is_upper):
    columns = n if m is None else m
    places = [(row, column) for row in range(n) for column in range(columns) if (column - row >= k if is_upper else column - row <= k)]
    return np.array([row for row, column in places], dtype="int"), np.array([column for row, column in places], dtype="int")


def triu_indices(n, k=0, m=None):
    return _half(n, k, m, True)


def tril_indices(n, k=0, m=None):
    return _half(n, k, m, False)


def nonzero(a):
    values = np.asarray(a)
    if values.ndim == 1:
        return (np.flatnonzero(values),)
    assert values.ndim == 2, "places in arrays of one or two dimensions are known"
    flat = np.flatnonzero(values.ravel())
    return flat // values.shape[1], flat % values.shape[1]


def argwhere(a):
    return np.stack(nonzero(a), axis=1)


def ascontiguousarray(a):
    # What is written into it is not written into a part of another array.
    return np.array(a)


def diagonal(a):
    return np.diag(a)


def rint(x):
    return np.round(x)


def trunc(x):
    values = np.asarray(x, dtype="float")
    return np.where(values < 0, np.ceil(values), np.floor(values))


def mod(x1, x2):
    return np.asarray(x1) % x2


def hypot(x1, x2):
    return np.sqrt(np.asarray(x1) ** 2 + np.asarray(x2) ** 2)


def isclose(a, b, rtol=1e-05, atol=1e-08):
    return np.abs(np.asarray(a) - np.asarray(b)) <= atol + rtol * np.abs(np.asarray(b))


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return np.all(isclose(a, b, rtol, atol))


def array_equal(a1, a2):
    first = np.asarray(a1)
    second = np.asarray(a2)
    return first.shape == second.shape and bool(np.all(first == second))


def fill_diagonal(a, val):
    assert a.ndim == 2, "the diagonal of a matrix is filled"
    for place in range(min(a.shape)):
        a[place, place] = val


def ptp(a):
    return np.max(a) - np.min(a)


def compress(condition, a):
    return np.asarray(a)[np.asarray(condition, dtype="bool")]


def extract(condition, arr):
    return compress(np.ravel(condition), np.ravel(arr))


def union1d(ar1, ar2):
    return np.unique(np.concatenate([np.ravel(ar1), np.ravel(ar2)]))


def intersect1d(ar1, ar2):
    first = np.unique(ar1)
    return first[np.isin(first, ar2)]


def setdiff1d(ar1, ar2):
    first = np.unique(ar1)
    return first[~np.isin(first, ar2)]


def _method_trace(array):
    return trace(array)


def _method_diagonal(array):
    return np.diag(array)


def _method_fill(array, value):
    array[:] = value


def flipud(m):
    return np.flip(m, axis=0)


def fliplr(m):
    assert np.asarray(m).ndim > 1, "the columns of a matrix are turned around"
    return np.flip(m, axis=1)


def _method_clip(array, a_min=None, a_max=None):
    return np.clip(array, a_min, a_max)
