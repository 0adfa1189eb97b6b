

# Windows in groups, changes, and tables side by side.


def _method_pct_change(column, periods=1, fill_method=None):
    if isinstance(column, pd.DataFrame):
        return column.apply(lambda part: _changed(part, periods))
    return _changed(column, periods) if isinstance(column, pd.Series) else column.transform(lambda part: _changed(part, periods))


def _changed(column, periods):
    assert not column.isna().any(), "changes beside missing values are not known here; drop them"
    return column / column.shift(periods) - 1


class _InGroups:
    def __init__(self, column):
        # The rows are those of the table, in its order.
        self._column = column

    def reset_index(self, level=None, drop=False):
        assert drop and level == 0, "take the keys away, `.reset_index(level=0, drop=True)`, and assign it as a column"
        return self._column

    def droplevel(self, level):
        assert level == 0, "take the keys away, `.droplevel(0)`, and assign it as a column"
        return self._column


class _GroupWindows:
    def __init__(self, groups, window, min_periods, center):
        self._groups = groups
        self._window = window
        self._least = window if min_periods is None else min_periods
        self._center = center

    def mean(self):
        return _InGroups(self._groups.transform(lambda part: part.rolling(self._window, min_periods=self._least, center=self._center).mean()))

    def sum(self):
        return _InGroups(self._groups.transform(lambda part: part.rolling(self._window, min_periods=self._least, center=self._center).sum()))


class _TableWindows:
    def __init__(self, table, window, min_periods, center):
        self._table = table
        self._window = window
        self._least = window if min_periods is None else min_periods
        self._center = center

    def mean(self):
        return self._table.apply(lambda part: part.rolling(self._window, min_periods=self._least, center=self._center).mean())

    def sum(self):
        return self._table.apply(lambda part: part.rolling(self._window, min_periods=self._least, center=self._center).sum())


def _method_rolling(groups, window, min_periods=None, center=False):
    if isinstance(groups, pd.DataFrame):
        return _TableWindows(groups, window, min_periods, center)
    return _GroupWindows(groups, window, min_periods, center)


def _method_add_suffix(column, suffix):
    assert isinstance(column, pd.Series), "the labels of a column or a table get a suffix"
    return pd.Series(column.tolist(), index=[f"{label}{suffix}" for label in column.index], name=column.name)


def _method_add_prefix(column, prefix):
    assert isinstance(column, pd.Series), "the labels of a column or a table get a prefix"
    return pd.Series(column.tolist(), index=[f"{prefix}{label}" for label in column.index], name=column.name)


def _method_rank(groups, method="average", ascending=True):
    assert not isinstance(groups, (pd.Series, pd.DataFrame)), "ranks of a single public column, also in groups, are known"
    return groups.transform(lambda part: part.rank(method=method, ascending=ascending))


def _method_convert_dtypes(table):
    # The values stay the same.
    return table
