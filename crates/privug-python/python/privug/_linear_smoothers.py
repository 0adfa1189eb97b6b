"""Predictions of scikit-learn and seasons of statsmodels that are weighted means of a secret response: the weights are public.

Who is whose neighbour depends on public regressors alone. Given a response for each row, the library itself tells the weights.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from ._linear_libraries import like, taken_apart
from ._secret import not_linear, refused, secret
from ._secret_array import MAX_MATRIX, by_matrix, matmul, public
from ._secret_linear import inexact, label_of

Replace = Callable[[Any, str, Any], None]
RESPONSE = "_privug_response"


def _neighbours(model: Any) -> Optional[str]:
    return None if model.weights in ("uniform", "distance") else f"weights={model.weights!r}"


def _dummy(model: Any) -> Optional[str]:
    return None if model.strategy == "mean" else f"strategy={model.strategy!r}"


def _process(model: Any) -> Optional[str]:
    # What is optimised depends on the response, and so does what is divided by its standard deviation.
    return None if model.optimizer is None and not model.normalize_y else "an optimizer, or normalize_y=True"


def _kernel(model: Any) -> Optional[str]:
    return None


SMOOTHERS: Tuple[Tuple[str, str, Callable[[Any], Optional[str]]], ...] = (
    ("sklearn.neighbors._regression", "KNeighborsRegressor", _neighbours),
    ("sklearn.neighbors._regression", "RadiusNeighborsRegressor", _neighbours),
    ("sklearn.dummy", "DummyRegressor", _dummy),
    ("sklearn.kernel_ridge", "KernelRidge", _kernel),
    ("sklearn.gaussian_process._gpr", "GaussianProcessRegressor", _process),
)
"""Modules and classes, each with what says with which options it is not linear in its response."""


def hooks(replace: Replace) -> None:
    """Lets the packages that are loaded predict secrets."""
    for module, name, told in SMOOTHERS:
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None and "fit" in vars(kind):
            replace(kind, "fit", _fit(kind.fit, name, told))
            replace(kind, "predict", _predict(kind.predict))
    seasonal: Any = sys.modules.get("statsmodels.tsa.seasonal")
    if seasonal is not None:
        made = _decomposed(seasonal.seasonal_decompose)
        for path in ("statsmodels.tsa.seasonal", "statsmodels.tsa.api"):
            if hasattr(sys.modules.get(path), "seasonal_decompose"):
                replace(sys.modules[path], "seasonal_decompose", made)


def _fit(original: Any, name: str, told: Callable[[Any], Optional[str]]) -> Any:
    def fit(self: Any, X: Any, y: Any, *inputs: Any, **options: Any) -> Any:
        response = secret(public(y))
        vars(self).pop(RESPONSE, None)
        if label_of([public(X), *map(public, inputs), *map(public, options.values())]):
            raise refused("P301", label_of([X, *inputs]), "`{}`: regressors or weights are secret", name, "use public regressors")
        if response is None:
            return original(self, public(X), public(y), *inputs, **options)
        why = told(self)
        if why is not None:
            raise not_linear(response.label, f"{name} with {why}")
        if response.ndim != 1 or response._forms.missing().any():
            raise refused("P306", response.label, "`{}`: the response has missing values or several columns", name, "drop rows without it first")
        if len(response) ** 2 > MAX_MATRIX:
            raise refused("P603", response.label, "`{}`: the matrix is too large", name, "aggregate by groups first")
        original(self, public(X), np.eye(len(response)), *inputs, **options)
        vars(self)[RESPONSE] = response
        return self

    return fit


def _predict(original: Any) -> Any:
    def predict(self: Any, X: Any, *inputs: Any, **options: Any) -> Any:
        response = vars(self).get(RESPONSE)
        if response is None:
            return original(self, X, *inputs, **options)
        if inputs or options:
            raise not_linear(response.label, "predict with standard deviations")
        # One column for each row that was fitted.
        weights = np.asarray(original(self, X), dtype=float)
        return inexact(matmul(weights.reshape(-1, len(response)), response))

    return predict


def _decomposed(original: Any) -> Any:
    """A series into trend, season and rest by moving averages; products of the three are not linear."""

    def seasonal_decompose(x: Any, model: str = "additive", *inputs: Any, **options: Any) -> Any:
        value = secret(public(x))
        if value is None:
            return original(public(x), model, *inputs, **options)
        if model.startswith("m"):
            raise not_linear(value.label, 'seasonal_decompose(model="multiplicative")')
        parts: List[Any] = []
        found: List[Any] = []

        def run(values: np.ndarray) -> Any:
            found[:] = [original(like(x, values), model, *inputs, **options)]
            parts[:] = [getattr(found[0], name) for name in ("seasonal", "trend", "resid")]
            return np.concatenate([np.ravel(part) for part in parts])

        whole = inexact(by_matrix(run, value))
        return type(found[0])(x, *taken_apart(whole, parts), found[0].weights)

    return seasonal_decompose
