

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


class _IndexSlice:
    def __getitem__(self, key):
        return key


def _method_squeeze(table, axis=None):
    assert isinstance(table, pd.DataFrame) and axis in (1, "columns"), "a table of one column is made a column: `squeeze(\"columns\")`"
    names = list(table.columns)
    return table[names[0]] if len(names) == 1 else table


def _method_sum(values, min_count=0, skipna=True, axis=None):
    if isinstance(values, pd.DataFrame):
        assert axis in (1, "columns") and skipna, "sums of rows with `min_count` are known"
        return values.sum(axis=1).where(values.notna().sum(axis=1) >= min_count)
    if isinstance(values, pd.Series):
        is_missing = values.count() < min_count or (not skipna and values.isna().any())
        return np.nan if is_missing else values.sum()
    assert skipna and axis is None, "sums of groups leave missing values out"
    found = values.sum()
    assert isinstance(found, pd.Series), "`min_count` is known of a single column: choose it, `groups[\"income\"]`"
    return found.where(values.count() >= min_count)


def _method_pivot_table(table, values=None, index=None, columns=None, aggfunc="mean", fill_value=None, margins=False, margins_name="All", observed=True):
    is_known = isinstance(aggfunc, dict) and columns is None and fill_value is None and not margins
    assert is_known, "several figures of a column are shown without `columns` and margins here"
    found = table.groupby(index).agg(aggfunc)
    return found.dropna(how="all").sort_index(axis=1)


def _method_pow(column, other):
    return column ** other


def _method_rpow(column, other):
    return other ** column


def _method_swaplevel(table, i=-2, j=-1, axis=0):
    assert isinstance(table, pd.DataFrame) and axis in (1, "columns") and (i, j) in ((-2, -1), (0, 1)), "the two levels of columns change places"
    found = table.copy()
    found.columns = [(second, first) for first, second in table.columns]
    return found


def _method_groupby(values, by):
    # A dictionary says of the labels of rows to which group they belong.
    assert isinstance(by, dict), "rows are grouped by columns, or by a dictionary of their labels"
    labels = list(values.index)
    for label in labels:
        assert label in by, "every label is in the dictionary here: take the other rows out first"
    return values.groupby(pd.Series([by[label] for label in labels], index=values.index))


def _method_itertuples(table, index=True, name=None):
    rows = [list(row) for row in table.itertuples(index=index)]
    return [tuple(row) for row in rows]
