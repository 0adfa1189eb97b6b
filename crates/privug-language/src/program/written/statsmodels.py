"""Least squares as statsmodels has it: what is linear in the response."""

import numpy as np
import pandas as pd


def add_constant(data, prepend=True):
    if isinstance(data, pd.Series):
        return add_constant(data.to_frame(), prepend)
    if isinstance(data, pd.DataFrame):
        for name in data.columns:
            assert data[name].nunique() > 1, "a column that is a constant already is in the table: leave one of the two out"
        names = list(data.columns)
        return data.assign(const=1.0)[["const"] + names if prepend else names + ["const"]]
    ones = np.ones(len(data))
    return np.column_stack([ones, data] if prepend else [data, ones])


class RegressionResults:
    def __init__(self, response, known, weights, is_of_formula=False):
        self._is_of_formula = is_of_formula
        self._known = known
        self._response = response
        self._weights = weights

    def _matrix(self):
        return np.asarray(self._known, dtype=float)

    def _coefficients(self):
        matrix = self._matrix()
        response = np.asarray(self._response)
        if self._weights is None:
            return np.linalg.solve(matrix.T @ matrix, matrix.T @ response)
        weighted = matrix.T * np.asarray(self._weights)
        return np.linalg.solve(weighted @ matrix, weighted @ response)

    @property
    def params(self):
        found = self._coefficients()
        if isinstance(self._known, pd.DataFrame):
            return pd.Series(list(found), index=list(self._known.columns))
        return found

    def predict(self, exog=None):
        assert exog is None or not self._is_of_formula, "other rows are predicted from arrays of regressors, not from formulas"
        matrix = self._matrix() if exog is None else np.asarray(exog, dtype=float)
        return matrix @ self._coefficients()

    @property
    def fittedvalues(self):
        return self._matrix() @ self._coefficients()

    @property
    def resid(self):
        return np.asarray(self._response) - self.fittedvalues

    @property
    def nobs(self):
        return float(len(self._response))


class OLS:
    def __init__(self, endog, exog):
        self._endog = endog
        self._exog = exog.to_frame() if isinstance(exog, pd.Series) else exog

    def fit(self, method="pinv", cov_type="nonrobust", cov_kwds=None, use_t=None, disp=0):
        return RegressionResults(self._endog, self._exog, None)


class WLS:
    def __init__(self, endog, exog, weights):
        self._endog = endog
        self._exog = exog.to_frame() if isinstance(exog, pd.Series) else exog
        self._weights = weights

    def fit(self, method="pinv", cov_type="nonrobust", cov_kwds=None, use_t=None, disp=0):
        return RegressionResults(self._endog, self._exog, self._weights)
