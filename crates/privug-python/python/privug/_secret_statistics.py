"""pandas' summaries of which only a part is linear in a secret column: `describe` and `cov`.

The linear part is there as always. The rest stands in its place, and is refused when somebody uses or publishes it.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._not_said import NotSaid
from ._secret import not_linear, secret
from ._secret_linear import covariance

Replace = Callable[[Any, str, Any], None]


def hooks(replace: Replace) -> None:
    """Lets pandas summarise secret columns."""
    import pandas
    from pandas.core.groupby.groupby import GroupBy
    from pandas.core.methods import describe

    replace(describe, "select_describe_func", _describing(describe.select_describe_func))
    replace(GroupBy, "describe", _of_groups(GroupBy.describe))
    replace(pandas.Series, "cov", _cov_of_columns(pandas.Series.cov))
    replace(pandas.DataFrame, "cov", _cov_of_tables(pandas.DataFrame.cov))


def _describing(original: Callable[..., Any]) -> Callable[..., Any]:
    def select_describe_func(data: Any) -> Any:
        return _described if secret(data) is not None else original(data)

    return select_describe_func


def _described(column: Any, percentiles: Any) -> Any:
    import pandas
    from pandas.io.formats.format import format_percentiles

    label = secret(column).label
    names = ["count", "mean", "std", "min", *(format_percentiles(percentiles) if len(percentiles) else []), "max"]
    values = np.empty(len(names), dtype=object)
    values[:2] = float(column.count()), column.mean()
    for place, name in enumerate(names[2:], 2):
        values[place] = NotSaid(f"`{name}` of `describe` is", label, "publish `describe().loc[['count', 'mean']]`")
    return pandas.Series(values, index=names, name=column.name, dtype=object)


def _of_groups(original: Callable[..., Any]) -> Callable[..., Any]:
    def describe(self: Any, *inputs: Any, **options: Any) -> Any:
        return _with_secret_columns(original(self, *inputs, **options))

    return describe


def _with_secret_columns(table: Any) -> Any:
    """Columns of objects that are all secret as secret columns."""
    import pandas

    from ._secret_pandas import SecretColumn

    columns = [table.iloc[:, place] for place in range(table.shape[1])]
    for place, column in enumerate(columns):
        found = secret(column) if column.dtype == object else None
        if found is not None:
            columns[place] = pandas.Series(SecretColumn(found._forms, found.label), index=column.index)
    made = pandas.concat(columns, axis=1) if columns else table
    made.columns = table.columns
    return made


def _cov_of_columns(original: Callable[..., Any]) -> Callable[..., Any]:
    def cov(self: Any, other: Any, min_periods: Any = None, ddof: Any = 1) -> Any:
        if secret(self) is None and secret(other) is None:
            return original(self, other, min_periods, ddof)
        if secret(self) is not None and secret(other) is not None:
            raise not_linear(secret(self).label, "cov")
        one, another = self.align(other, join="inner")
        return _pairwise(one, another, min_periods, ddof)

    return cov


def _pairwise(one: Any, other: Any, min_periods: Any, ddof: int) -> Any:
    """The covariance of the rows in which both have a value."""
    present = (one.notna() & other.notna()).to_numpy(dtype=bool)
    count = int(present.sum())
    if count < max(1 if min_periods is None else min_periods, 1) or count <= ddof:
        return np.nan
    rows = np.flatnonzero(present)

    def values(column: Any) -> Any:
        found = secret(column)
        return found[rows] if found is not None else column.to_numpy(dtype=float, na_value=np.nan)[rows]

    first = values(one)
    return covariance(first, first if other is one else values(other), np.ones(count), float(count - ddof))


def _cov_of_tables(original: Callable[..., Any]) -> Callable[..., Any]:
    def cov(self: Any, min_periods: Any = None, ddof: Any = 1, numeric_only: bool = False) -> Any:
        data = self._get_numeric_data() if numeric_only else self
        columns = [data.iloc[:, place] for place in range(data.shape[1])]
        if all(secret(column) is None for column in columns):
            return original(self, min_periods, ddof, numeric_only)
        has_gaps = any(column.isna().any() for column in columns)
        values = np.empty((len(columns), len(columns)), dtype=object)
        for row, column in np.ndindex(values.shape):
            # With gaps pandas always takes one degree of freedom away.
            values[row, column] = _pairwise(columns[row], columns[column], min_periods, 1 if has_gaps else ddof)
        return self._constructor(values, index=data.columns, columns=data.columns)

    return cov
