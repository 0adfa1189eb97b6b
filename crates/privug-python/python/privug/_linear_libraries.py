"""Functions of scipy, numpy's subpackages and statsmodels that are known to be linear in one of their arguments."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from ._secret import not_linear, refused, secret
from ._secret_array import by_matrix, combined, matmul, public
from ._secret_linear import FUNCTIONS, label_of, least_squares

Replace = Callable[[Any, str, Any], None]

LINEAR: Dict[str, Dict[str, Tuple[int, str]]] = {
    "scipy.signal": {
        "lfilter": (2, "x"), "filtfilt": (2, "x"), "sosfilt": (1, "x"), "sosfiltfilt": (1, "x"), "savgol_filter": (0, "x"),
        "upfirdn": (1, "x"), "resample": (0, "x"), "decimate": (0, "x"),
    },
    "scipy.ndimage": {
        name: (0, "input")
        for name in (
            "gaussian_filter1d", "convolve1d", "correlate1d", "uniform_filter", "gaussian_filter", "convolve", "correlate", "shift", "zoom",
            "spline_filter1d", "sum", "sum_labels", "mean",
        )
    },
    "scipy.integrate": {name: (0, "y") for name in ("trapezoid", "simpson", "cumulative_trapezoid", "cumulative_simpson")},
    "scipy.linalg": {
        "cho_solve": (1, "b"), "lu_solve": (1, "b"), "solve_triangular": (1, "b"), "solve_banded": (2, "b"),
        "solveh_banded": (1, "b"), "solve_toeplitz": (1, "b"), "solve_circulant": (1, "b"), "matmul_toeplitz": (1, "x"),
    },
    "scipy.sparse.linalg": {"spsolve": (1, "b")},
    "scipy.fft": {name: (0, "x") for name in ("dct", "idct", "dst", "idst", "dctn", "idctn")},
    "scipy.interpolate": {"barycentric_interpolate": (1, "yi"), "krogh_interpolate": (1, "yi"), "griddata": (1, "values"), "interpn": (1, "values")},
    "numpy.polynomial.polynomial": {"polyfit": (1, "y"), "polyval": (1, "c")},
    "numpy.polynomial.chebyshev": {"chebfit": (1, "y"), "chebval": (1, "c")},
    "numpy.polynomial.legendre": {"legfit": (1, "y"), "legval": (1, "c")},
    "numpy.polynomial.hermite": {"hermfit": (1, "y"), "hermval": (1, "c")},
    "statsmodels.tsa.filters.hp_filter": {"hpfilter": (0, "x")},
    "statsmodels.tsa.filters.bk_filter": {"bkfilter": (0, "x")},
    "statsmodels.tsa.filters.filtertools": {"convolution_filter": (0, "x"), "recursive_filter": (0, "x")},
    "statsmodels.tsa.tsatools": {"lagmat": (0, "x"), "detrend": (0, "x")},
}  # fmt: skip
"""By package, each function with the place and the name of the argument that it is linear in while all others are public."""

CONVOLUTIONS = ("convolve", "fftconvolve", "oaconvolve")


def hooks(replace: Replace) -> None:
    """Lets the packages that are loaded compute with secrets."""
    for package, functions in LINEAR.items():
        for name, (place, key) in functions.items():
            _everywhere(replace, package, name, functools.partial(_linear_in, place=place, name=key))
    for name in CONVOLUTIONS:
        _everywhere(replace, "scipy.signal", name, _convolving)
    _everywhere(replace, "scipy.signal", "detrend", _detrending)
    _everywhere(replace, "scipy.linalg", "solve", _solving)
    _everywhere(replace, "scipy.linalg", "lstsq", _least_squares)
    for name in ("interp1d", "CubicSpline", "make_interp_spline", "make_lsq_spline", "BarycentricInterpolator", "KroghInterpolator",
                 "RegularGridInterpolator", "RBFInterpolator", "LinearNDInterpolator", "NearestNDInterpolator"):  # fmt: skip
        _everywhere(replace, "scipy.interpolate", name, _interpolating)
    _everywhere(replace, "scipy.signal", "resample_poly", _resampling)
    _everywhere(replace, "scipy.ndimage", "uniform_filter1d", _uniform)
    replace(np.poly1d, "__init__", _polynomial(np.poly1d.__init__))
    sparse: Any = sys.modules.get("scipy.sparse._base")
    if sparse is not None:
        replace(sparse._spbase, "_matmul_dispatch", _sparse_product(sparse._spbase._matmul_dispatch))


def _everywhere(replace: Replace, package: str, name: str, new: Callable[[Any], Any]) -> None:
    """Replaces a function in its package, and wherever a public module of the same family has it, but not inside the library."""
    original = getattr(sys.modules.get(package), name, None)
    if original is None:
        return
    made = new(original)
    if not isinstance(original, type):
        made.__dict__.update(getattr(original, "__dict__", {}))
    for module in _public_modules(package.partition(".")[0], len(sys.modules)):
        if vars(module).get(name) is original:
            replace(module, name, made)


@functools.lru_cache(maxsize=32)
def _public_modules(family: str, loaded: int) -> List[Any]:
    """The public modules of a package, as long as no others are loaded: looking for them takes long."""
    found = [(path, module) for path, module in list(sys.modules.items()) if path == family or path.startswith(f"{family}.")]
    return [module for path, module in found if isinstance(module, types.ModuleType) and "._" not in path]


def _linear_in(original: Any, place: int, name: str) -> Any:
    def call(*inputs: Any, **options: Any) -> Any:
        given: Dict[Any, Any] = {**dict(enumerate(inputs)), **options}
        found = [key for key, each in given.items() if secret(public(each)) is not None]
        if not found:
            return original(*map(public, inputs), **options)
        if len(found) > 1 or found[0] not in (place, name):
            raise not_linear(label_of(list(given.values())), original.__name__)
        key, parts = found[0], []  # type: Any, List[Any]

        def run(value: np.ndarray) -> Any:
            value = like(given[key], value)
            arguments = [value if at == key else public(each) for at, each in enumerate(inputs)]
            result = original(*arguments, **{at: value if at == key else public(each) for at, each in options.items()})
            parts[:] = result if isinstance(result, tuple) else [result]
            return np.concatenate([np.ravel(part) for part in parts])

        found = taken_apart(by_matrix(run, secret(given[key])), parts)
        return found[0] if len(found) == 1 else tuple(found)

    return call


def like(given: Any, numbers: np.ndarray) -> Any:
    """Numbers as a column or table of pandas, where the secrets are one."""
    if not hasattr(given, "_constructor"):
        return numbers
    axes = {"index": given.index, "columns": given.columns} if given.ndim == 2 else {"index": given.index, "name": given.name}
    return given._constructor(numbers, **axes)


def taken_apart(whole: Any, parts: List[Any]) -> List[Any]:
    """What several results in a row are by themselves, each of the kind and shape that the library gave it."""
    found, start = [], 0
    for part in parts:
        shape = np.shape(part)
        end = start + int(np.prod(shape, dtype=np.int64))
        values = whole[start:end].reshape(shape)
        start = end
        found.append(as_pandas_like(part, values) if hasattr(part, "_constructor") else values)
    return found


def as_pandas_like(part: Any, values: Any) -> Any:
    """Secrets as a column or table with the labels of another."""
    import pandas

    if part.ndim == 1:
        return pandas.Series(values, index=part.index, name=part.name)
    columns = {place: pandas.Series(values[:, place], index=part.index) for place in range(part.shape[1])}
    table = pandas.DataFrame(columns, index=part.index)
    table.columns = part.columns
    return table


def _resampling(original: Any) -> Any:
    """Pads by medians and extremes are not linear, all others are."""

    def resample_poly(x: Any, up: int, down: int, *inputs: Any, padtype: str = "constant", **options: Any) -> Any:
        value = secret(public(x))
        if value is not None and padtype in ("median", "maximum", "minimum"):
            raise not_linear(value.label, f'resample_poly(padtype="{padtype}")')
        return _linear_in(original, 0, "x")(x, up, down, *inputs, padtype=padtype, **options)

    return resample_poly


def _uniform(original: Any) -> Any:
    """Means of neighbours as sums over their number: no weight is rounded."""

    def uniform_filter1d(input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect", cval: float = 0.0, origin: int = 0) -> Any:
        if secret(public(input)) is None or output is not None:
            return _linear_in(original, 0, "input")(input, size, axis, output, mode, cval, origin)
        summed = sys.modules["scipy.ndimage._filters"].correlate1d
        return by_matrix(lambda x: summed(x, np.ones(size), axis, None, mode, cval, origin), secret(input), exact=True) / float(size)

    return uniform_filter1d


def _convolving(original: Any) -> Any:
    def convolve(in1: Any, in2: Any, mode: str = "full", *inputs: Any, **options: Any) -> Any:
        if secret(public(in1)) is None and secret(public(in2)) is None:
            return original(public(in1), public(in2), mode, *inputs, **options)
        if secret(public(in1)) is not None and secret(public(in2)) is not None:
            raise refused("P301", label_of((in1, in2)), "`{}`: a product of secrets is not linear", original.__name__)
        if options.get("axes", None) is not None:
            raise not_linear(label_of((in1, in2)), f"{original.__name__}(axes=…)")
        # The weights themselves, and not what Fourier transforms leave of them.
        direct = sys.modules["scipy.signal._signaltools"].correlate
        is_first = secret(public(in1)) is not None
        value, kernel = (secret(in1), np.asarray(public(in2), dtype=float)) if is_first else (secret(in2), np.asarray(public(in1), dtype=float))

        def run(unit: np.ndarray) -> Any:
            one, other = (unit, kernel) if is_first else (kernel, unit)
            return direct(one, np.flip(other), mode, method="direct")

        return by_matrix(run, value, exact=True)

    return convolve


def _detrending(original: Any) -> Any:
    """What is left beside a line or a mean, whose weights are known to the last digit."""

    def detrend(data: Any, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: bool = False) -> Any:
        value = secret(public(data))
        if value is None:
            return original(public(data), axis, type, bp, overwrite_data)
        if value.ndim != 1 or np.ndim(bp) or bp != 0:
            return _linear_in(original, 0, "data")(value, axis, type, bp)
        if type in ("constant", "c"):
            return value - value.mean()
        regressors = np.column_stack([np.ones(len(value)), np.arange(1.0, len(value) + 1)])
        return value - matmul(regressors, least_squares(regressors, value))

    return detrend


def _solving(original: Any) -> Any:
    def solve(a: Any, b: Any, *inputs: Any, **options: Any) -> Any:
        if secret(public(a)) is None and secret(public(b)) is None:
            return original(public(a), public(b), *inputs, **options)
        return FUNCTIONS["solve"](a, b)

    return solve


def _least_squares(original: Any) -> Any:
    def lstsq(a: Any, b: Any, cond: Any = None, *inputs: Any, **options: Any) -> Any:
        if secret(public(a)) is None and secret(public(b)) is None:
            return original(public(a), public(b), cond, *inputs, **options)
        return FUNCTIONS["lstsq"](a, b, cond)

    return lstsq


class Interpolation:
    """A curve through secret values at public places."""

    def __init__(self, make: Callable[[np.ndarray], Any], values: Any) -> None:
        self._make = make
        self._values = values

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return by_matrix(lambda y: self._make(y)(*map(public, inputs), **options), self._values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise not_linear(self._values.label, name)


def _interpolating(original: Any) -> Any:
    def interpolate(x: Any, y: Any, *inputs: Any, **options: Any) -> Any:
        if secret(public(y)) is None and secret(public(x)) is None:
            return original(public(x), public(y), *inputs, **options)
        if secret(public(x)) is not None:
            raise not_linear(label_of((x, y)), original.__name__)
        places = np.asarray(public(x))
        return Interpolation(lambda values: original(places, values, *inputs, **options), secret(public(y)))

    return interpolate


class Polynomial:
    """`np.poly1d` with secret coefficients, the highest power first."""

    def __init__(self, coefficients: Any) -> None:
        self.c = self.coef = self.coeffs = self.coefficients = coefficients
        self.o = self.order = len(coefficients) - 1

    def __call__(self, x: Any) -> Any:
        return np.polyval(self.c, x)

    def __getitem__(self, power: int) -> Any:
        return self.c[self.order - power] if 0 <= power <= self.order else 0.0

    def __len__(self) -> int:
        return int(self.order)

    def __iter__(self) -> Any:
        return iter(self.c)

    def deriv(self, m: int = 1) -> "Polynomial":
        """The derivative."""
        found = self.c
        for _ in range(m):
            found = found[:-1] * np.arange(len(found) - 1, 0, -1.0)
        return Polynomial(found)


def _polynomial(original: Any) -> Any:
    # The class stays the one of numpy: others inherit from it when they are imported.
    def __init__(self: Any, c_or_r: Any, r: bool = False, variable: Any = None) -> None:
        found = secret(public(c_or_r.c if isinstance(c_or_r, Polynomial) else c_or_r))
        if found is None:
            original(self, public(c_or_r), r, variable)
            return
        if r:
            raise not_linear(found.label, "poly1d(r=True)")
        self.__class__ = Polynomial
        Polynomial.__init__(self, found)

    return __init__


def _sparse_product(original: Any) -> Any:
    """`matrix @ x`, `matrix * x` and `matrix.dot(x)` of scipy's sparse matrices."""

    def _matmul_dispatch(self: Any, other: Any) -> Any:
        value = secret(public(other))
        if value is None:
            return original(self, public(other))
        if value.ndim == 0:
            raise not_linear(value.label, "a sparse matrix times a secret number")
        return sparse_matmul(self, value)

    return _matmul_dispatch


def sparse_matmul(matrix: Any, value: Any) -> Any:
    """The product of a sparse matrix and secrets."""
    rows = matrix.tocsr()
    if value.shape[0] != rows.shape[1]:
        raise ValueError(f"matmul: dimension mismatch, {rows.shape} and {value.shape}")
    if value.ndim == 2:
        return np.stack([sparse_matmul(matrix, value[:, place]) for place in range(value.shape[1])], axis=1)
    rows = rows.copy()
    rows.sum_duplicates()
    target = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return combined(value, target, rows.indices, np.asarray(rows.data, dtype=float), (rows.shape[0],), exact=True)
