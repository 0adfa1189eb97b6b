"""Least squares from formulas: `y ~ a + C(b)`."""

import pandas as pd
from statsmodels.api import RegressionResults


def _name(term):
    for quote in ["Q('", 'Q("']:
        if term.startswith(quote):
            return term[3:-2]
    return term


def _terms(formula):
    sides = formula.split("~")
    assert len(sides) == 2, "a formula is `response ~ terms`"
    terms = [part.strip() for part in sides[1].split("+")]
    for sign in ["*", ":", "-", "/", "^", "|"]:
        assert sign not in sides[1], "terms of a formula are columns and `C(column)`, joined by `+`"
    return _name(sides[0].strip()), [term for term in terms if term != "1"]


def _design(data, terms):
    numbers = list(data.select_dtypes("number").columns)
    labels = list(data.select_dtypes("object").columns) + list(data.select_dtypes("bool").columns)
    coded = {}
    plain = {}
    for term in terms:
        is_coded = term.startswith("C(")
        name = _name(term[2:-1] if is_coded else term)
        assert name in numbers or name in labels, "a term is a column of numbers, texts or booleans, or `C(column)` of one"
        if is_coded or name in labels:
            for level in sorted(data[name].unique())[1:]:
                coded[f"{term}[T.{level}]"] = (data[name] == level).astype("float")
        else:
            plain[term] = data[name].astype("float")
    first = data[_name(terms[0][2:-1] if terms[0].startswith("C(") else terms[0])]
    return pd.DataFrame({"Intercept": (first == first).astype("float"), **coded, **plain})


class _Model:
    def __init__(self, formula, data, weights):
        response, terms = _terms(formula)
        assert len(terms) > 0, "a formula without terms is a mean"
        names = [_name(term[2:-1] if term.startswith("C(") else term) for term in terms]
        rows = data.dropna(subset=[response] + names)
        assert weights is None or len(rows) == len(data), "weights of rows with missing values: drop these first"
        self._response = rows[response]
        self._known = _design(rows, terms)
        self._weights = weights

    def fit(self, method="pinv", cov_type="nonrobust", cov_kwds=None, use_t=None, disp=0):
        return RegressionResults(self._response, self._known, self._weights)


def ols(formula, data):
    return _Model(formula, data, None)


def wls(formula, data, weights):
    return _Model(formula, data, weights)
