"""Least squares of statsmodels and scikit-learn: coefficients are linear in a secret response with public regressors."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np

from ._secret import not_linear, refused, secret

Replace = Callable[[Any, str, Any], None]
_PUBLIC = ("nobs", "df_resid", "df_model", "k_constant")


def hooks(replace: Replace) -> None:
    """Lets the packages that are loaded fit secrets."""
    linear = sys.modules.get("statsmodels.regression.linear_model")
    if linear is not None:
        for name in ("OLS", "WLS"):
            model = getattr(linear, name)
            if "statsmodels.api" in sys.modules:
                replace(sys.modules["statsmodels.api"], name, _new(model))
            replace(model, "from_formula", classmethod(_from_formula(model.from_formula.__func__)))
        formulas: Any = sys.modules.get("statsmodels.formula.api")
        for name in ("ols", "wls") if formulas is not None else ():
            replace(formulas, name, getattr(linear, name.upper()).from_formula)
    fitted = sys.modules.get("sklearn.linear_model._base")
    if fitted is not None:
        replace(fitted.LinearRegression, "fit", _fit(fitted.LinearRegression.fit))


def _new(cls: Any) -> Any:
    def new(endog: Any, exog: Any = None, *inputs: Any, **options: Any) -> Any:
        response = secret(endog)
        if secret(exog) is not None:
            raise refused("P301", secret(exog).label, "`{}`: regressors are secret, and then coefficients are not linear", cls.__name__)
        if response is None:
            return cls(endog, exog, *inputs, **options)
        gaps = response._forms.missing()
        if gaps.any() and options.get("missing", "none") == "none":
            raise ValueError("the response has gaps: leave rows without it out first")
        plain = cls(np.where(gaps, np.nan, 0.0), exog, *inputs, **options)
        return Model(plain, response, gaps)

    new.from_formula = cls.from_formula  # type: ignore[attr-defined]
    return new


def _from_formula(original: Any) -> Any:
    def from_formula(cls: Any, formula: str, data: Any, *inputs: Any, **options: Any) -> Any:
        secrets = [name for name in data.columns if secret(data[name]) is not None]
        if not secrets or not isinstance(formula, str):
            return original(cls, formula, data, *inputs, **options)
        left, _, right = formula.partition("~")
        if left.strip() not in secrets:
            label = secret(data[secrets[0]]).label
            used = [name for name in secrets if name in formula]
            if not used:
                return original(cls, formula, data.drop(columns=secrets), *inputs, **options)
            hint = "let the secret column itself be the response, and the regressors be public"
            raise refused("P306", label, f"`{{}}`: `{formula}` is not linear in the secret", cls.__name__.lower(), hint)
        response = secret(data[left.strip()])
        gaps = response._forms.missing()
        # Without the secrets: a formula that has one among its regressors finds no such column.
        public = data.drop(columns=secrets).assign(_response=np.where(gaps, np.nan, 0.0))
        try:
            plain = original(cls, f"_response ~ {right}", public, *inputs, **options)
        except Exception as error:
            if any(name in right for name in secrets):
                hint = "let the regressors be public"
                raise refused("P301", response.label, "`{}`: a regressor is secret", cls.__name__.lower(), hint) from error
            raise
        kept = ~np.isin(np.arange(len(gaps)), getattr(plain.data, "missing_row_idx", None) or [])
        return Model(plain, response, ~kept)

    return from_formula


class Model:
    """A model of statsmodels whose response is secret."""

    def __init__(self, plain: Any, response: Any, left_out: np.ndarray) -> None:
        self._plain = plain
        self._response = response[np.flatnonzero(~left_out)]
        self.exog = plain.exog
        self.exog_names = plain.exog_names

    def fit(self, *inputs: Any, **options: Any) -> "Fit":
        """Least squares; the matrix is statsmodels' own."""
        plain = self._plain.fit(*inputs, **options)
        weights = getattr(self._plain, "weights", 1.0)
        root = np.sqrt(np.broadcast_to(np.asarray(weights, dtype=float), (len(self.exog),)))
        coefficients = np.asarray(self._plain.pinv_wexog) @ (self._response * root)
        return Fit(plain, self, coefficients)


class Fit:
    """Coefficients, fitted values and residuals; everything else is not linear in the response."""

    def __init__(self, plain: Any, model: Model, coefficients: Any) -> None:
        self._plain = plain
        self.model = model
        self._coefficients = coefficients

    @property
    def params(self) -> Any:
        """The coefficients."""
        import pandas

        if isinstance(self._plain.params, pandas.Series):
            return pandas.Series(self._coefficients, index=self._plain.params.index)
        return self._coefficients

    @property
    def fittedvalues(self) -> Any:
        """What the model says of each row."""
        return self.model.exog @ self._coefficients

    @property
    def resid(self) -> Any:
        """What is left."""
        return self.model._response - self.fittedvalues

    def predict(self, exog: Any = None) -> Any:
        """What the model says of other rows, given as a matrix."""
        return self.fittedvalues if exog is None else np.asarray(exog, dtype=float) @ self._coefficients

    def __getattr__(self, name: str) -> Any:
        if name in _PUBLIC:
            return getattr(self._plain, name)
        if name.startswith("__"):
            raise AttributeError(name)
        raise not_linear(self.model._response.label, name)


def _fit(original: Any) -> Any:
    def fit(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
        response = secret(y)
        if secret(X) is not None:
            raise refused("P301", secret(X).label, "`{}`: regressors are secret, and then coefficients are not linear", "fit")
        if response is None:
            return original(self, X, y, sample_weight)
        if response.ndim != 1 or self.positive:
            raise not_linear(response.label, "fit")
        # All unit vectors at once: the coefficients of each are a column of the matrix.
        original(self, X, np.eye(len(response)), sample_weight)
        columns, constants = np.asarray(self.coef_), np.broadcast_to(self.intercept_, (len(response),))
        self.coef_ = columns.T @ response
        self.intercept_ = np.asarray(constants, dtype=float) @ response if self.fit_intercept else 0.0
        return self

    return fit
