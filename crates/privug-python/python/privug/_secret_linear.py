"""numpy's functions that are known to be linear in a secret array, each with the matrix that it stands for."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _exact
from ._not_said import NotSaid, NotSaidArray
from ._secret import binary, decides, joined, made, not_known, not_linear, numbers, refused, secret
from ._secret_array import MAX_MATRIX, by_matrix, combined, matmul, public


def label_of(inputs: Sequence[Any]) -> str:
    """What the secrets among some arguments are called."""
    label = ""
    for each in inputs:
        found = secret(each)
        label = joined(label, found.label) if found is not None else label
    return label


def plain(function: Any) -> Any:
    """numpy's function behind its dispatcher."""
    return getattr(function, "_implementation", function)


def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    value = secret(a)
    if value is None or secret(public(weights)) is not None:
        raise refused("P302", label_of((a, weights)), "`{}`: the weights are secret", "np.average", "use public weights")
    if weights is None:
        mean = value.mean(axis=axis, keepdims=keepdims)
        counts = np.ones(value.shape).sum(axis=axis, keepdims=keepdims)
        return (mean, counts) if returned else mean
    own = np.asarray(public(weights), dtype=float)
    if axis is not None and own.shape != value.shape:
        own = np.moveaxis(np.broadcast_to(own, np.delete(value.shape, axis).tolist() + [value.shape[axis]]), -1, axis)
    total, scale = (value * own).sum(axis=axis, keepdims=keepdims), own.sum(axis=axis, keepdims=keepdims)
    return (total / scale, scale) if returned else total / scale


def _present(value: Any) -> np.ndarray:
    return ~value._forms.missing().reshape(value.shape)


def _nan_sum(a: Any, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
    return secret(a).sum(axis=axis, keepdims=keepdims, where=_present(secret(a)))


def _nan_mean(a: Any, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
    return secret(a).mean(axis=axis, keepdims=keepdims, where=_present(secret(a)))


def _nan_to_num(x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    return np.where(_present(secret(x)), secret(x), nan)


def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    value = a
    for given, before in ((prepend, True), (append, False)):
        if given is not None:
            shape = list(np.shape(value))
            shape[axis] = 1
            more = np.broadcast_to(given, shape) if np.ndim(given) == 0 else given
            value = np.concatenate([more, value] if before else [value, more], axis=axis)
    value = secret(value)
    for _ in range(n):
        index = value._index()
        length = value.shape[axis]
        later, earlier = np.take(index, range(1, length), axis=axis), np.take(index, range(length - 1), axis=axis)
        value = value._taken(later) - value._taken(earlier)
    return value


def _bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    value, groups = secret(weights), np.asarray(public(x))
    if secret(public(x)) is not None or value is None:
        raise decides(label_of((x, weights)), "np.bincount")
    counts = np.bincount(groups, minlength=minlength)
    if value.shape != groups.shape:
        raise ValueError("np.bincount: there is one weight for each element")
    forms = value._forms.sums(np.ascontiguousarray(groups, dtype=np.int64), len(counts))
    gaps = value._forms.missing()
    if gaps.any():
        # The sum of a group with a gap in it is one.
        forms = forms.plus(np.where(np.bincount(groups[gaps], minlength=len(counts)) > 0, np.nan, 0.0))
    return made(forms, counts.shape, value.label)


def _convolve(a: Any, v: Any, mode: str = "full") -> Any:
    one, other = secret(a), secret(v)
    if one is not None and other is not None:
        raise refused("P301", joined(one.label, other.label), "`{}`: a product of secrets is not linear", "np.convolve")
    value: Any = one if one is not None else other
    kernel = numbers(v if one is not None else a)
    if kernel is None or kernel.ndim != 1 or value.ndim != 1 or not len(kernel) or not len(value):
        raise ValueError("np.convolve takes arrays of one dimension that are not empty")
    if len(kernel) * len(value) > MAX_MATRIX:
        raise refused("P603", value.label, "`{}`: the matrix is too large", "np.convolve", "aggregate by groups first")
    # Element t of the whole is Σ kernel[k]·value[t − k].
    places = np.repeat(np.arange(len(value)), len(kernel))
    target = places + np.tile(np.arange(len(kernel)), len(value))
    weights = np.tile(kernel, len(value))
    order = np.argsort(target, kind="stable")
    if not value._forms.missing().any():
        order = order[weights[order] != 0]
    whole = len(value) + len(kernel) - 1
    found = combined(value, target[order], places[order], weights[order], (whole,), exact=True)
    short, long = sorted((len(value), len(kernel)))
    first, length = {"full": (0, whole), "same": ((short - 1) // 2, long), "valid": (short - 1, long - short + 1)}[mode]
    return found[first : first + length]


def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    value = secret(fp)
    ends = [secret(public(each)) if each is not None else None for each in (left, right)]
    if any(end is not None for end in ends) and period is None and not label_of((x, xp)):
        return _interp_ends(x, xp, fp, left, right)
    if value is None or label_of((x, xp, left, right)) or value.ndim != 1:
        raise not_linear(label_of((x, xp, fp, left, right)), "np.interp")
    known, wanted = np.asarray(public(xp), dtype=float), np.asarray(public(x), dtype=float)
    if period is not None or len(value) < 2:
        return by_matrix(lambda y: np.interp(wanted, known, y, left, right, period), value)
    below = np.clip(np.searchsorted(known, wanted, side="right") - 1, 0, len(known) - 2)
    part = np.clip((wanted - known[below]) / (known[below + 1] - known[below]), 0.0, 1.0).reshape(-1)
    outside = np.zeros(wanted.shape)
    if left is not None:
        outside = np.where(wanted < known[0], left, outside)
    if right is not None:
        outside = np.where(wanted > known[-1], right, outside)
    replaced = ((wanted < known[0]) & (left is not None) | (wanted > known[-1]) & (right is not None)).reshape(-1)
    weights = np.stack([1.0 - part, part], axis=1) * ~replaced[:, None]
    places = below.reshape(-1)[:, None] + np.array([0, 1])
    target = np.repeat(np.arange(wanted.size), 2)
    used = weights.reshape(-1) != 0
    found = combined(value, target[used], places.reshape(-1)[used], weights.reshape(-1)[used], wanted.shape, exact=False)
    return binary("add", found, outside) if replaced.any() else found


def _interp_ends(x: Any, xp: Any, fp: Any, left: Any, right: Any) -> Any:
    """Secrets stand beyond the ends: between them as always, and outside what is given there."""
    known, wanted = np.asarray(public(xp), dtype=float), np.asarray(public(x), dtype=float)
    found: Any = np.interp(wanted, known, fp)
    for beyond, end in ((wanted < known[0], left), (wanted > known[-1], right)):
        found = found if end is None else np.where(beyond, end, found)
    return found


def least_squares(matrix: np.ndarray, response: Any, weights: Optional[np.ndarray] = None, rcond: Any = None) -> Any:
    """The coefficients of public regressors, as `np.linalg.lstsq` finds them, for each column of a secret response."""
    if response.ndim == 2:
        columns = [least_squares(matrix, response[:, place], weights, rcond) for place in range(response.shape[1])]
        return np.stack(columns, axis=1)
    root = np.ones(len(matrix)) if weights is None else np.sqrt(weights)
    size = np.finfo(float).eps * max(matrix.shape) if rcond is None else np.finfo(float).eps if rcond == -1 else rcond
    scaled = matrix * root[:, None]
    lengths = np.linalg.svd(scaled, compute_uv=False)
    rows = _exact.least_squares(matrix, int((lengths > size * lengths.max(initial=0.0)).sum()), weights)
    if rows is not None:
        return of_rows(rows, response)
    return inexact(matmul(np.linalg.pinv(scaled, rcond=size) * root, response))


def _loosely() -> None:
    """Notes that equations are solved."""
    from ._session import SESSION

    session = SESSION.get()
    if session is not None:
        session.loosely = True


def of_rows(rows: List[Tuple[np.ndarray, int]], value: Any) -> Any:
    """Sums with whole weights, each over a divisor."""
    _loosely()
    found, divisors = matmul(np.array([row for row, _ in rows]), value), np.array([float(divisor) for _, divisor in rows])
    # A public response may stand beside secret ones.
    return found / divisors if secret(found) is None else binary("true_divide", found, divisors)


def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    if secret(public(a)) is not None:
        raise not_linear(label_of((a, b)), "np.linalg.lstsq")
    matrix, value = np.asarray(public(a), dtype=float), secret(b)
    if len(matrix) != len(value):
        raise np.linalg.LinAlgError("Incompatible dimensions")
    _, _, rank, singular = np.linalg.lstsq(matrix, np.zeros(len(matrix)), rcond=rcond)
    residuals = NotSaidArray("the residuals of `np.linalg.lstsq` are", value.label)
    return least_squares(matrix, value, None, rcond), residuals, rank, singular


def _solve(a: Any, b: Any) -> Any:
    if secret(public(a)) is not None:
        raise not_linear(label_of((a, b)), "np.linalg.solve")
    matrix, value = np.asarray(public(a), dtype=float), secret(b)
    if matrix.ndim != 2 or value.ndim > 2 or matrix.shape[0] != matrix.shape[1]:
        return by_matrix(lambda y: np.linalg.solve(matrix, y), value)
    # Of a square matrix that is not singular, the least squares are the solution.
    rows = _exact.inverted(matrix)
    if rows is not None and value.ndim == 1:
        return of_rows(rows, value)
    return inexact(matmul(np.linalg.solve(matrix, np.eye(len(matrix))), value))


def _polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: bool = False) -> Any:
    if full or cov or secret(public(x)) is not None or secret(public(w)) is not None:
        raise not_linear(label_of((x, y, w)), "np.polyfit")
    matrix = np.vander(np.asarray(public(x), dtype=float) + 0.0, int(deg) + 1)
    own = None if w is None else np.asarray(public(w), dtype=float)
    # Where columns depend on each other, the smallest coefficients are those of scaled columns, which have roots in them.
    rows = _exact.least_squares(matrix, matrix.shape[1], None if own is None else own * own)
    if rows is not None and secret(y).ndim == 1:
        return of_rows(rows, secret(y))
    # numpy's own way: columns of one size, and one threshold for what is zero.
    root = np.ones(len(matrix)) if own is None else own
    scale = np.sqrt(((matrix * root[:, None]) ** 2).sum(axis=0))
    least = len(matrix) * np.finfo(float).eps if rcond is None else rcond
    found = np.linalg.pinv(matrix * root[:, None] / scale, rcond=least)
    return inexact(matmul(found * root / scale[:, None], secret(y)))


def inexact(value: Any) -> Any:
    """The same, with weights whose last digits are not certain."""
    _loosely()
    return value if secret(value) is None else made(value._forms.inexact(), value.shape, value.label)


def _cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, fweights: Any = None, aweights: Any = None, **options: Any) -> Any:  # fmt: skip
    rows: List[Any] = []
    for given in (m, y):
        if given is None:
            continue
        found = secret(public(given))
        array = np.asarray(public(given), dtype=float) if found is None else found
        array = array.reshape(1, -1) if array.ndim == 1 else array if rowvar else array.T
        rows += [public(array[place]) for place in range(len(array))]
    if len(rows) == 1:
        raise not_linear(label_of((m, y)), "np.cov")
    freedom = (0 if bias else 1) if ddof is None else ddof
    weights = np.ones(len(rows[0]))
    for each in (fweights, aweights):
        weights = weights * np.asarray(1.0 if each is None else public(each), dtype=float)
    total = weights.sum()
    lost = freedom if aweights is None else freedom * (weights * np.asarray(public(aweights), dtype=float)).sum() / total
    table = np.empty((len(rows), len(rows)), dtype=object)
    for place in np.ndindex(table.shape):
        table[place] = covariance(rows[place[0]], rows[place[1]], weights, total - lost)
    return table


def covariance(one: Any, other: Any, weights: np.ndarray, by: float) -> Any:
    """Σ wᵢ·(xᵢ − x̄)·(yᵢ − ȳ)/by, which is Σ wᵢ·(xᵢ − x̄)·yᵢ/by: linear in y where x is public."""
    if secret(one) is not None and secret(other) is not None:
        what = "a variance is" if one is other else "a covariance of secrets is"
        return NotSaid(what, joined(secret(one).label, secret(other).label))
    if secret(one) is not None:
        one, other = other, one
    if secret(other) is None:
        return float((weights * (one - (weights * one).sum() / weights.sum()) * other).sum() / by)
    _loosely()
    row = _exact.centred(np.asarray(one, dtype=float), weights, float(weights.sum() - by))
    if row is not None:
        return matmul(row[0], other) / float(row[1])
    return inexact(matmul(weights * (one - (weights * one).sum() / weights.sum()), other) / by)


def _linear_in(*places: Union[int, str], exact: bool = True) -> Callable[..., Any]:
    """A function that is linear in each of these arguments, while the others are public."""

    def call(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
        given: Dict[Any, Any] = {**dict(enumerate(inputs)), **options}
        found = [key for key, each in given.items() if secret(each) is not None]
        if len(found) > 1:
            raise refused("P301", label_of(list(given.values())), "`{}`: a product of secrets is not linear", function.__name__)
        if not found or found[0] not in places:
            raise not_linear(label_of(list(given.values())), f"np.{function.__name__}")
        key = found[0]

        def run(value: np.ndarray) -> Any:
            arguments = [value if place == key else each for place, each in enumerate(inputs)]
            return plain(function)(*arguments, **{name: value if name == key else each for name, each in options.items()})

        return by_matrix(run, secret(given[key]), exact)

    return call


def _product(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    """Products of two arrays: of two vectors without a detour."""
    if len(inputs) == 2 and not options and np.ndim(inputs[0]) == np.ndim(inputs[1]) == 1:
        return matmul(*inputs)
    return _linear_in(0, 1)(function, inputs, options)


def _einsum(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    if len(inputs) == 3 and not options and str(inputs[0]).replace(" ", "") in ("i,i->", "i,i", "j,j->", "n,n->"):
        return matmul(inputs[1], inputs[2])
    return _linear_in(*range(1, len(inputs)), exact=len(inputs) <= 3)(function, inputs, options)


def _along_axis(func1d: Any, axis: int, arr: Any, *inputs: Any, **options: Any) -> Any:
    value = secret(arr)
    index = np.moveaxis(value._index(), axis, -1)
    rows = [func1d(value._taken(index[place]), *inputs, **options) for place in np.ndindex(index.shape[:-1])]
    stacked = np.stack([np.asarray(row) if secret(row) is None else row for row in rows])
    shaped = stacked.reshape(index.shape[:-1] + np.shape(stacked)[1:])
    return shaped if np.ndim(rows[0]) == 0 else np.moveaxis(shaped, -1, axis)


def _over_axes(func: Any, a: Any, axes: Any) -> Any:
    found = secret(a)
    for axis in np.atleast_1d(axes).tolist():
        result = func(found, axis)
        found = result if np.ndim(result) == np.ndim(found) else np.expand_dims(result, axis)
    return found


def _linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, **options: Any) -> Any:
    """From one number to another in equal steps: start + (stop − start)·k/n."""
    options.pop("dtype", None)
    if options.pop("axis", 0) or options:
        raise not_known(label_of((start, stop)), "np.linspace")
    count = max(num - 1 if endpoint else num, 1)
    way = binary("subtract", stop, start)
    rows = [binary("add", start, binary("true_divide", binary("multiply", way, float(place)), float(count))) for place in range(num)]
    made_of = np.stack(rows)
    return (made_of, binary("true_divide", way, float(count))) if retstep else made_of


def _cumulative_sum(x: Any, /, *, axis: Any = None, include_initial: bool = False, **_: Any) -> Any:
    value = secret(x)
    axis = 0 if axis is None and value.ndim == 1 else axis
    summed = value.cumsum(axis)
    if not include_initial:
        return summed
    first = np.zeros([1 if place == axis % value.ndim else size for place, size in enumerate(value.shape)])
    return np.concatenate([first, summed], axis=axis)


def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    return secret(a).round(decimals)


def _method(name: str) -> Callable[..., Any]:
    return lambda a, *inputs, **options: getattr(secret(a), name)(*inputs, **options)


FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "sum": _method("sum"), "mean": _method("mean"), "cumsum": _method("cumsum"), "average": _average, "nansum": _nan_sum,
    "nanmean": _nan_mean, "nancumsum": lambda x, axis=None, **_: _nan_to_num(x).cumsum(axis), "nan_to_num": _nan_to_num, "diff": _diff, "lstsq": _lstsq, "polyfit": _polyfit, "solve": _solve,
    "linspace": _linspace, "cumulative_sum": _cumulative_sum,
    "round": _round, "around": _round, "round_": _round, "bincount": _bincount, "convolve": _convolve, "interp": _interp,
    "multi_dot": lambda arrays: functools.reduce(matmul, arrays), "cov": _cov, "apply_along_axis": _along_axis, "apply_over_axes": _over_axes, "real": lambda val: secret(val),
    "shape": lambda a: secret(a).shape, "ndim": lambda a: secret(a).ndim, "size": lambda a: secret(a).size,
    "dot": lambda a, b: matmul(a, b) if np.ndim(a) and np.ndim(b) else binary("multiply", a, b),
}  # fmt: skip
"""Functions with a matrix of their own."""

LINEAR_IN: Dict[str, Callable[..., Any]] = {
    "correlate": _linear_in(0, 1, "a", "v"), "einsum": _einsum, "tensordot": _linear_in(0, 1), "inner": _product,
    "outer": _linear_in(0, 1), "vdot": _product, "kron": _linear_in(0, 1), "trace": _linear_in(0),
    "gradient": _linear_in(0, exact=False), "ediff1d": _linear_in(0), "trapezoid": _linear_in(0, "y", exact=False),
    "trapz": _linear_in(0, "y", exact=False), "polyval": _linear_in(0, "p", exact=False),
    "vecdot": _linear_in(0, 1), "cross": _linear_in(0, 1, "a", "b"), "polyder": _linear_in(0, "p"), "polyint": _linear_in(0, "p", exact=False),
    "tensorsolve": _linear_in(1, "b", exact=False),
}  # fmt: skip
"""Functions whose matrix numpy itself tells, column by column."""

