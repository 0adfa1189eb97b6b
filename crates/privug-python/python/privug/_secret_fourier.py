"""Fourier transforms of secret series: complex numbers whose real and imaginary parts are linear in the secrets."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

from ._secret import needs_values, not_linear, refused, secret
from ._secret_array import MAX_MATRIX, matmul, public
from ._secret_linear import inexact

PARTS = "publish its real and its imaginary part"


def _waves(count: int, length: int, sign: float) -> Tuple[np.ndarray, np.ndarray]:
    """cos and sin of sign·2π·j·k/length for j below `count` and k below `length`, exact where they are 0, ±1/2 or ±1."""
    steps = np.outer(np.arange(count), np.arange(length)) % length
    angles = 2 * np.pi * steps / length
    cosines, sines = np.cos(angles), np.sin(angles)
    for values, turns in ((cosines, 12 * steps), (sines, 12 * steps - 3 * length)):
        # cos(2π·m/12) for whole m: what floats leave of zero is no weight.
        whole, rest = np.divmod(turns, length)
        for multiple, value in ((0, 1.0), (2, 0.5), (3, 0.0), (4, -0.5), (6, -1.0), (8, -0.5), (9, 0.0), (10, 0.5)):
            values[(rest == 0) & (whole % 12 == multiple)] = value
    return cosines, sign * sines


def _resized(value: Any, n: Optional[int]) -> Any:
    """A series of `n` values: cut off, or with zeros behind it, as numpy does."""
    length = len(value) if n is None else int(n)
    if value.ndim != 1:
        raise refused("P306", value.label, "`{}`: only one-dimensional series are supported", "np.fft", "transform them one by one")
    if length * length > MAX_MATRIX:
        raise refused("P603", value.label, "`{}`: the matrix is too large", "np.fft", "aggregate by groups first")
    return value[:length] if length <= len(value) else np.concatenate([value, np.zeros(length - len(value))])


def _forward(count: Callable[[int], int]) -> Callable[..., Any]:
    """Σ x[k]·exp(−2πi·j·k/n)"""

    def transform(a: Any, n: Optional[int] = None, axis: int = -1, norm: Any = None) -> "Spectrum":
        scale = _scale(norm, True)
        if isinstance(a, Spectrum):
            length = len(a) if n is None else int(n)
            return a._turned(length, -1.0, scale(length))
        value = _resized(secret(public(a)), n)
        cosines, sines = _waves(count(len(value)), len(value), -1.0)
        return Spectrum(inexact(matmul(cosines * scale(len(value)), value)), inexact(matmul(sines * scale(len(value)), value)))

    return transform


def _back(a: Any, n: Optional[int] = None, axis: int = -1, norm: Any = None) -> "Spectrum":
    """Σ X[j]·exp(2πi·j·k/n)/n"""
    spectrum = a if isinstance(a, Spectrum) else Spectrum(secret(public(a)), secret(public(a)) * 0.0)
    length = len(spectrum) if n is None else int(n)
    return spectrum._turned(length, 1.0, _scale(norm, False)(length))


def _real_back(a: Any, n: Optional[int] = None, axis: int = -1, norm: Any = None) -> Any:
    """The real series whose transform begins with these numbers."""
    spectrum = a if isinstance(a, Spectrum) else Spectrum(secret(public(a)), secret(public(a)) * 0.0)
    length = 2 * (len(spectrum) - 1) if n is None else int(n)
    used = min(len(spectrum), length // 2 + 1)
    cosines, sines = _waves(length, length, 1.0)
    # All but the first and, of an even number, the middle one stand for their conjugates as well.
    twice = np.full(used, 2.0)
    twice[0] = 1.0
    if length % 2 == 0 and used == length // 2 + 1:
        twice[-1] = 1.0
    weights = twice * _scale(norm, False)(length)
    real = matmul(cosines[:, :used] * weights, spectrum.real[:used])
    return inexact(real - matmul(sines[:, :used] * weights, spectrum.imag[:used]))


def _scale(norm: Any, is_forward: bool) -> Callable[[int], float]:
    if norm == "ortho":
        return lambda length: float(length) ** -0.5
    divides = is_forward if norm == "forward" else not is_forward
    return lambda length: 1.0 / length if divides else 1.0


FOURIER: Dict[str, Callable[..., Any]] = {
    "fft": _forward(lambda length: length), "rfft": _forward(lambda length: length // 2 + 1), "ifft": _back, "irfft": _real_back,
}  # fmt: skip
"""numpy's functions of series of one dimension."""


class Spectrum:
    """An array of complex numbers with secrets in it."""

    _forms = None
    __array_priority__ = 1000.0

    def __init__(self, real: Any, imag: Any) -> None:
        self.real, self.imag = real, imag

    @property
    def shape(self) -> Tuple[int, ...]:
        """As of the parts."""
        return tuple(self.real.shape)

    @property
    def label(self) -> str:
        """What the secrets are called."""
        return str(self.real.label or self.imag.label)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(np.prod(self.shape))

    ndim = property(lambda self: len(self.shape))

    def __len__(self) -> int:
        return len(self.real)

    def copy(self) -> "Spectrum":
        """Another one that can be written to."""
        return Spectrum(self.real.copy(), self.imag.copy())

    def conj(self) -> "Spectrum":
        """With the other sign before the imaginary part."""
        return Spectrum(self.real, self.imag * -1.0)

    conjugate = conj

    def __getitem__(self, key: Any) -> "Spectrum":
        return Spectrum(self.real[key], self.imag[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        other = _complex(value)
        self.real[key], self.imag[key] = other.real, other.imag

    def __add__(self, other: Any) -> "Spectrum":
        other = _complex(other)
        return Spectrum(self.real + other.real, self.imag + other.imag)

    __radd__ = __add__

    def __neg__(self) -> "Spectrum":
        return Spectrum(self.real * -1.0, self.imag * -1.0)

    def __sub__(self, other: Any) -> "Spectrum":
        return self + -_complex(other)

    def __rsub__(self, other: Any) -> "Spectrum":
        return -self + other

    def __mul__(self, other: Any) -> "Spectrum":
        if isinstance(other, Spectrum) or secret(public(other)) is not None:
            raise refused("P301", self.label, "`{}`: a product of secrets is not linear", "*")
        other = np.asarray(public(other))
        real, imag = np.real(other).astype(float), np.imag(other).astype(float)
        if not imag.any():
            return Spectrum(self.real * real, self.imag * real)
        return Spectrum(self.real * real - self.imag * imag, self.real * imag + self.imag * real)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Spectrum":
        if isinstance(other, Spectrum) or secret(public(other)) is not None:
            raise refused("P302", self.label, "`{}`: a quotient of secrets is not linear", "/")
        return self * (1.0 / np.asarray(public(other)))

    def _turned(self, length: int, sign: float, scale: float) -> "Spectrum":
        parts = Spectrum(_resized(self.real, length), _resized(self.imag, length))
        cosines, sines = (each * scale for each in _waves(length, length, sign))
        real = matmul(cosines, parts.real) - matmul(sines, parts.imag)
        return Spectrum(inexact(real), inexact(matmul(sines, parts.real) + matmul(cosines, parts.imag)))

    def _refuse(self, *_: Any) -> Any:
        raise not_linear(self.label, "abs")

    __abs__ = _refuse

    def _shown(self, *_: Any) -> Any:
        raise needs_values(self.label, "a complex number")

    __str__ = __repr__ = __format__ = __complex__ = __float__ = __iter__ = __eq__ = __bool__ = __array__ = _shown  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        simple: Dict[str, Callable[..., Any]] = {
            "add": lambda a, b: b + a if isinstance(b, Spectrum) else a + b, "multiply": lambda a, b: b * a if isinstance(b, Spectrum) else a * b,
            "subtract": lambda a, b: a - b if isinstance(a, Spectrum) else b.__rsub__(a), "negative": lambda a: -a,
            "divide": lambda a, b: a / b if isinstance(a, Spectrum) else b._refuse(), "conjugate": lambda a: a.conj(),
        }  # fmt: skip
        if method == "__call__" and ufunc.__name__ in simple and not options:
            return simple[ufunc.__name__](*inputs)
        raise not_linear(self.label, f"np.{ufunc.__name__}")

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        name = function.__name__
        if name in FOURIER:
            return FOURIER[name](*inputs, **options)
        if name in ("real", "imag"):
            return getattr(inputs[0], name)
        if name == "copy":
            return inputs[0].copy()
        if name in ("shape", "ndim", "size"):
            return getattr(inputs[0], name)
        raise not_linear(self.label, f"np.{name}")


def _complex(value: Any) -> Any:
    if isinstance(value, Spectrum):
        return value
    if secret(public(value)) is not None:
        return Spectrum(secret(public(value)), 0.0)
    plain = np.asarray(public(value))
    return plain.astype(complex)
