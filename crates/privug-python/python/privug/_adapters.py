"""Least squares and ridges of statsmodels, scikit-learn and scipy: linear in a secret response with public regressors."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np

from ._not_said import NotSaid
from ._linear_libraries import as_pandas_like
from ._secret import not_linear, refused, secret
from ._secret_array import MAX_MATRIX, matmul, public
from ._secret_linear import inexact, label_of, least_squares

Replace = Callable[[Any, str, Any], None]
_PUBLIC = ("nobs", "df_resid", "df_model", "k_constant")


def hooks(replace: Replace) -> None:
    """Lets the packages that are loaded fit secrets."""
    linear: Any = sys.modules.get("statsmodels.regression.linear_model")
    for name in ("OLS", "WLS", "GLS") if linear is not None else ():
        # The class itself, wherever it was imported to.
        model = getattr(linear, name)
        replace(model, "__init__", _init(model, model.__init__))
        replace(model, "from_formula", classmethod(_from_formula(model.from_formula.__func__)))
    formulas: Any = sys.modules.get("statsmodels.formula.api")
    for name in ("ols", "wls", "gls") if linear is not None and formulas is not None else ():
        replace(formulas, name, getattr(linear, name.upper()).from_formula)
    fitted: Any = sys.modules.get("sklearn.linear_model._base")
    if fitted is not None:
        replace(fitted.LinearRegression, "fit", _fit(fitted.LinearRegression.fit))
    ridges: Any = sys.modules.get("sklearn.linear_model._ridge")
    if ridges is not None:
        replace(ridges.Ridge, "fit", _ridge(ridges.Ridge.fit))
    statistics: Any = sys.modules.get("scipy.stats")
    if statistics is not None:
        replace(statistics, "linregress", _linregress(statistics.linregress))


def _secret_regressors(regressors: Any, name: str) -> BaseException:
    label = secret(regressors).label
    hint = "use public regressors"
    return refused("P301", label, "`{}`: regressors are secret, so the coefficients are not linear in the secret", name, hint)


def _init(own: Any, original: Any) -> Any:
    def init(self: Any, endog: Any, exog: Any = None, *inputs: Any, **options: Any) -> None:
        if type(self) is not own or secret(public(endog)) is None and secret(public(exog)) is None:
            original(self, public(endog), public(exog), *inputs, **options)
            return
        if secret(public(exog)) is not None:
            raise _secret_regressors(exog, own.__name__)
        response = secret(endog)
        gaps = response._forms.missing()
        if gaps.any() and options.get("missing", "none") == "none":
            raise ValueError("the response has missing values: drop those rows first")
        plain = own(np.where(gaps, np.nan, 0.0), public(exog), *inputs, **options)
        self.__class__ = Model
        Model.__init__(self, plain, response, gaps)

    return init


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
            hint = "use the secret column itself as the response, and public regressors"
            raise refused("P306", label, f"`{{}}`: `{formula}` is not linear in the secret", cls.__name__.lower(), hint)
        response = secret(data[left.strip()])
        gaps = response._forms.missing()
        # Without the secrets: a formula that has one among its regressors finds no such column.
        public = data.drop(columns=secrets).assign(_response=np.where(gaps, np.nan, 0.0))
        try:
            plain = original(cls, f"_response ~ {right}", public, *inputs, **options)
        except Exception as error:
            if any(name in right for name in secrets):
                hint = "use public regressors"
                raise refused("P301", response.label, "`{}`: a regressor is secret", cls.__name__.lower(), hint) from error
            raise
        return Model(plain, response, gaps)

    return from_formula


class Model:
    """A model of statsmodels whose response is secret."""

    def __init__(self, plain: Any, response: Any, gaps: np.ndarray) -> None:
        self._plain = plain
        left_out = getattr(plain.data, "missing_row_idx", None)
        left_out = np.flatnonzero(gaps) if left_out is None else np.asarray(left_out, dtype=int)
        self._response = response[np.setdiff1d(np.arange(len(gaps)), left_out)]
        self.exog = plain.exog
        self.exog_names = plain.exog_names

    def fit(self, *inputs: Any, **options: Any) -> "Fit":
        """Least squares; the matrix is statsmodels' own."""
        plain = self._plain.fit(*inputs, **options)
        weights = np.broadcast_to(np.asarray(getattr(self._plain, "weights", 1.0), dtype=float), (len(self.exog),))
        if getattr(self._plain, "sigma", None) is not None:
            # Of correlated or unequal errors: statsmodels' own way to make them alike, as a matrix.
            alike = self._plain.whiten(np.eye(_few(len(self.exog), self._response)))
            found = np.linalg.pinv(self._plain.whiten(self.exog), rcond=1e-15) @ alike
            return Fit(plain, self, inexact(matmul(found, self._response)))
        coefficients = least_squares(self.exog, self._response, None if (weights == 1.0).all() else weights, 1e-15)
        return Fit(plain, self, coefficients)


def _few(rows: int, response: Any) -> int:
    """The number of rows, where a matrix of so many rows and columns can be made."""
    if rows * rows > MAX_MATRIX:
        raise refused("P603", response.label, "`{}`: the matrix is too large", "fit", "aggregate by groups first")
    return rows


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
        return self._of_rows(self.model.exog @ self._coefficients)

    @property
    def resid(self) -> Any:
        """What is left."""
        return self._of_rows(self.model._response - self.model.exog @ self._coefficients)

    def _of_rows(self, values: Any) -> Any:
        """A column of pandas, where statsmodels would give one."""
        plain = self._plain.fittedvalues
        return as_pandas_like(plain, values) if hasattr(plain, "_constructor") else values

    def predict(self, exog: Any = None, transform: bool = True) -> Any:
        """What the model says of other rows, given as a matrix or, for a formula, as a table."""
        if exog is None:
            return self.fittedvalues
        matrix, index = self._plain._transform_predict_exog(exog, transform=transform)
        found = np.asarray(matrix, dtype=float) @ self._coefficients
        if index is None:
            return found
        import pandas

        return pandas.Series(found, index=index)

    def __getattr__(self, name: str) -> Any:
        if name in _PUBLIC:
            return getattr(self._plain, name)
        if name.startswith("__"):
            raise AttributeError(name)
        raise not_linear(self.model._response.label, name)


def _fit(original: Any) -> Any:
    def fit(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
        response, regressors, weights = secret(public(y)), public(X), public(sample_weight)
        if secret(regressors) is not None:
            raise _secret_regressors(regressors, "fit")
        if secret(weights) is not None:
            raise refused("P302", secret(weights).label, "`{}`: the weights are secret", "fit", "use public weights")
        if response is None:
            return original(self, regressors, y, weights)
        if self.positive:
            raise not_linear(response.label, "LinearRegression(positive=True)")
        # scikit-learn checks the regressors, and notes their names.
        original(self, regressors, np.zeros(response.shape), weights)
        matrix = np.asarray(regressors, dtype=float)
        own = np.ones(len(matrix)) if weights is None else np.asarray(weights, dtype=float)
        if not self.fit_intercept:
            self.coef_, self.intercept_ = least_squares(matrix, response, own).T, 0.0
            return self
        # With a column of ones; where the regressors are not independent, about their means, as scikit-learn does it.
        whole = np.column_stack([np.ones(len(matrix)), matrix])
        if np.linalg.matrix_rank(whole * np.sqrt(own)[:, None]) == whole.shape[1]:
            coefficients = least_squares(whole, response, own)
            self.intercept_, self.coef_ = coefficients[0], coefficients[1:].T
            return self
        centre = np.average(matrix, axis=0, weights=own)
        coefficients = least_squares(matrix - centre, response, own)
        self.coef_ = coefficients.T
        self.intercept_ = matmul(own, response) / own.sum() - matmul(centre, coefficients)
        return self

    return fit


def _ridge(original: Any) -> Any:
    """Ridge regression with a given penalty: scikit-learn itself tells its matrix, with a response for each row."""

    def fit(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
        response, regressors, weights = secret(public(y)), public(X), public(sample_weight)
        if secret(regressors) is not None:
            raise _secret_regressors(regressors, "fit")
        if secret(weights) is not None:
            raise refused("P302", secret(weights).label, "`{}`: the weights are secret", "fit", "use public weights")
        if response is None:
            return original(self, regressors, y, weights)
        if self.positive or self.solver not in ("auto", "svd", "cholesky"):
            raise not_linear(response.label, "Ridge with this solver")
        original(self, regressors, np.eye(_few(len(response), response)), weights)
        slopes, intercept = np.asarray(self.coef_).T, np.broadcast_to(np.asarray(self.intercept_, dtype=float), (len(response),))
        self.coef_ = inexact(matmul(slopes, response)).T
        self.intercept_ = inexact(matmul(intercept, response)) if self.fit_intercept else 0.0
        return self

    return fit


def _linregress(original: Any) -> Any:
    def linregress(x: Any, y: Any, *inputs: Any, **options: Any) -> Any:
        response = secret(public(y))
        if response is None and secret(public(x)) is None:
            return original(x, y, *inputs, **options)
        if response is None or secret(public(x)) is not None:
            raise _secret_regressors(x, "linregress")
        regressor = np.asarray(public(x), dtype=float)
        plain = original(regressor, np.arange(len(regressor), dtype=float))
        intercept, slope = least_squares(np.column_stack([np.ones(len(regressor)), regressor]), response)
        values = {name: NotSaid(f"`{name}` of `linregress` is", label_of((y,))) for name in ("rvalue", "pvalue", "stderr")}
        made = type(plain)(slope=slope, intercept=intercept, **values, intercept_stderr=None)
        made.intercept_stderr = NotSaid("`intercept_stderr` of `linregress` is", label_of((y,)))
        return made

    return linregress
