"""Least squares from formulas: `y ~ a + C(b)`."""

import numpy as np
import pandas as pd
from statsmodels.api import RegressionResults


def _name(term):
    for quote in ["Q('", 'Q("']:
        if term.startswith(quote):
            return term[3:-2]
    return term


def _column_of(term):
    # The column in `np.log(x)`, `I(x ** 2)`, `C(x)` and `x`.
    for function in ["np.log(", "np.log10(", "np.log1p(", "np.sqrt(", "np.exp(", "I(", "C("]:
        if term.startswith(function) and term.endswith(")"):
            inside = term[len(function):-1]
            return _name(inside.split("**")[0].strip() if function == "I(" else inside.strip())
    return _name(term)


def _value(data, term):
    column = data[_column_of(term)]
    if term.startswith("np.log("):
        return np.log(column)
    if term.startswith("np.log10("):
        return np.log10(column)
    if term.startswith("np.log1p("):
        return np.log1p(column)
    if term.startswith("np.sqrt("):
        return np.sqrt(column)
    if term.startswith("np.exp("):
        return np.exp(column)
    if term.startswith("I("):
        parts = term[2:-1].split("**")
        assert len(parts) == 2 and parts[1].strip().isdigit(), "a term in `I(...)` is a power of a column, such as `I(age ** 2)`"
        return column ** int(parts[1].strip())
    return column


def _terms(formula):
    sides = formula.split("~")
    assert len(sides) == 2, "a formula is `response ~ terms`"
    terms = [part.strip() for part in sides[1].split("+")]
    for term in terms:
        if not term.startswith("I("):
            for sign in ["*", ":", "-", "/", "^", "|"]:
                assert sign not in term, "terms of a formula are columns, `C(column)`, `np.log(column)` and `I(column ** 2)`, joined by `+`"
    return sides[0].strip(), [term for term in terms if term != "1"]


def _design(data, terms):
    numbers = list(data.select_dtypes("number").columns)
    labels = list(data.select_dtypes("object").columns) + list(data.select_dtypes("bool").columns)
    coded = {}
    plain = {}
    for term in terms:
        is_coded = term.startswith("C(")
        name = _column_of(term)
        assert name in numbers or name in labels, "a term is a column of numbers, texts or booleans, `C(column)`, `np.log(column)` or `I(column ** 2)`"
        if is_coded or name in labels:
            for level in sorted(data[name].unique())[1:]:
                coded[f"{term}[T.{level}]"] = (data[name] == level).astype("float")
        else:
            plain[term] = _value(data, term).astype("float")
    first = data[_column_of(terms[0])]
    return pd.DataFrame({"Intercept": (first == first).astype("float"), **coded, **plain})


class _Model:
    def __init__(self, formula, data, weights):
        response, terms = _terms(formula)
        assert len(terms) > 0, "a formula without terms is a mean"
        names = [_column_of(term) for term in terms]
        rows = data.dropna(subset=[_column_of(response)] + names)
        assert weights is None or len(rows) == len(data), "weights of rows with missing values: drop these first"
        self._response = _value(rows, response)
        self._known = _design(rows, terms)
        self._weights = weights

    def fit(self, method="pinv", cov_type="nonrobust", cov_kwds=None, use_t=None, disp=0):
        return RegressionResults(self._response, self._known, self._weights, True)


def ols(formula, data):
    return _Model(formula, data, None)


def wls(formula, data, weights):
    return _Model(formula, data, weights)
