"""Polynomials that are fitted to secrets: `np.polynomial.Polynomial.fit` and its family are linear in the response."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np

from ._secret import not_linear, refused, secret
from ._secret_array import by_matrix, public
from ._secret_linear import inexact, label_of

Replace = Callable[[Any, str, Any], None]
_PUBLIC = ("domain", "window", "symbol", "maxpower", "basis_name")


def hooks(replace: Replace) -> None:
    """Lets the classes of `np.polynomial` fit secrets."""
    base: Any = sys.modules.get("numpy.polynomial._polybase")
    if base is not None:
        replace(base.ABCPolyBase, "fit", classmethod(_fit(base.ABCPolyBase.fit.__func__)))


def _fit(original: Any) -> Any:
    def fit(cls: Any, x: Any, y: Any, deg: Any, domain: Any = None, rcond: Any = None, full: bool = False, w: Any = None, window: Any = None, symbol: str = "x") -> Any:  # fmt: skip
        if all(secret(public(each)) is None for each in (x, y, w)):
            return original(cls, public(x), public(y), deg, domain, rcond, full, public(w), window, symbol)
        if full or secret(public(x)) is not None or secret(public(w)) is not None:
            raise not_linear(label_of((x, y, w)), f"{cls.__name__}.fit")
        places, weights = np.asarray(public(x), dtype=float), None if w is None else np.asarray(public(w), dtype=float)
        response = secret(public(y))
        if response._forms.missing().any():
            hint = "drop rows without it first"
            raise refused("P306", response.label, "`{}`: the response has missing values", f"{cls.__name__}.fit", hint)
        degree = int(np.max(deg))
        return Fitted(lambda values: original(cls, places, values, deg, domain, rcond, False, weights, window, symbol), response, degree)

    return fit


class Fitted:
    """A polynomial whose coefficients are linear in secrets."""

    def __init__(self, make: Callable[[np.ndarray], Any], response: Any, degree: int) -> None:
        self._make, self._response, self._degree = make, response, degree

    def _told(self, function: Callable[[Any], Any]) -> Any:
        return inexact(by_matrix(lambda values: function(self._make(values)), self._response))

    @property
    def coef(self) -> Any:
        """The coefficients; numpy leaves out those at the end that are zero, which no secret makes them."""
        return self._told(lambda made: np.pad(made.coef, (0, self._degree + 1 - len(made.coef))))

    def __call__(self, arg: Any) -> Any:
        if secret(public(arg)) is not None:
            raise not_linear(secret(public(arg)).label, "a polynomial")
        return self._told(lambda made: made(public(arg)))

    def convert(self, *inputs: Any, **options: Any) -> "Fitted":
        """The same in another basis."""
        return Fitted(lambda values: self._make(values).convert(*inputs, **options), self._response, self._degree)

    def deriv(self, m: int = 1) -> "Fitted":
        """The derivative."""
        return Fitted(lambda values: self._make(values).deriv(m), self._response, max(self._degree - m, 0))

    def integ(self, m: int = 1, *inputs: Any, **options: Any) -> "Fitted":
        """The integral."""
        return Fitted(lambda values: self._make(values).integ(m, *inputs, **options), self._response, self._degree + m)

    def degree(self) -> int:
        """How many coefficients there are, less one."""
        return self._degree

    def __len__(self) -> int:
        return self._degree + 1

    def __iter__(self) -> Any:
        return iter(self.coef)

    def __getattr__(self, name: str) -> Any:
        if name in _PUBLIC:
            return getattr(self._make(np.zeros(self._response.shape)), name)
        if name.startswith("__"):
            raise AttributeError(name)
        raise not_linear(self._response.label, name)
