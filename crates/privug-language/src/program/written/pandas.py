"""Functions of pandas that are made of others, and methods of tables and columns."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd


def qcut(x, q, labels=None, retbins=False, duplicates="raise"):
    shares = q if isinstance(q, list) else [place / q for place in range(q + 1)]
    edges = [x.quantile(share) for share in shares]
    if duplicates == "drop":
        edges = [edge for place, edge in enumerate(edges) if place == 0 or edge != edges[place - 1]]
    found = pd.cut(x, edges, labels=labels, include_lowest=True)
    return (found, np.array(edges)) if retbins else found


def get_dummies(data, columns=None, prefix=None, drop_first=False, dtype=None):
    assert prefix is None, "`prefix` is not known here; rename the columns"
    table = data.to_frame() if isinstance(data, pd.Series) else data
    assert len(list(table.select_dtypes("category").columns)) == 0, "`get_dummies` of categories is not known here: make them texts first"
    if isinstance(data, pd.Series):
        return pd.DataFrame(_indicators(data, "", drop_first, dtype))
    numbers = list(data.select_dtypes("number").columns) + list(data.select_dtypes("bool").columns)
    coded = [name for name in data.columns if name not in numbers] if columns is None else columns
    found = {name: data[name] for name in data.columns if name not in coded}
    for name in coded:
        found.update(_indicators(data[name], f"{name}_", drop_first, dtype))
    return pd.DataFrame(found)


def _indicators(column, before, drop_first, dtype):
    levels = sorted(column.dropna().unique())
    found = {}
    for level in levels[1:] if drop_first else levels:
        is_level = column == level
        found[f"{before}{level}"] = is_level if dtype is None else is_level.astype("float")
    return found


def _method_cov(column, other=None, ddof=1):
    assert other is not None, "the covariances of a whole table contain variances, which are not linear in the secret"
    both = column.notna() & other.notna()
    first = column[both]
    second = other[both]
    return ((first - first.mean()) * (second - second.mean())).sum() / (len(first) - ddof)


def factorize(values, sort=False):
    column = values if isinstance(values, pd.Series) else pd.Series(values)
    assert not column.isna().any(), "missing values have no code here; fill them in first"
    seen = list(column.unique())
    levels = sorted(seen) if sort else seen
    codes = {level: place for place, level in enumerate(levels)}
    return np.array([codes[value] for value in column.tolist()]), levels


def _drawn(table, options):
    y = options.get("y")
    print(table if y is None else table[y])
    for name, value in options.items():
        # Everything that could hold a figure is published too.
        if name not in ("x", "y", "kind", "figsize", "rot", "width", "dpi", "alpha", "fontsize", "color", "legend", "grid", "stacked", "ax"):
            print(value)
    return plt._axes()


class _Plotter:
    def __init__(self, table):
        self.table = table

    def bar(self, **options):
        return _drawn(self.table, options)

    def barh(self, **options):
        return _drawn(self.table, options)

    def line(self, **options):
        return _drawn(self.table, options)

    def area(self, **options):
        return _drawn(self.table, options)

    def pie(self, **options):
        return _drawn(self.table, options)

    def hist(self, **options):
        return _drawn(self.table, options)

    def box(self, **options):
        return _drawn(self.table, options)


def _method_plot(table, **options):
    return _drawn(table, options)


def _attribute_plot(table):
    return _Plotter(table)


class _Styler:
    def __init__(self, table):
        self.table = table

    def format(self, formatter=None, **options):
        for shown in formatter.values() if isinstance(formatter, dict) else [formatter]:
            _shown_by(shown)
        return self

    def hide(self, *labels, **options):
        return self

    def set_properties(self, **options):
        return self

    def set_table_styles(self, *styles, **options):
        return self

    def background_gradient(self, **options):
        return self

    def set_caption(self, caption):
        print(caption)
        return self

    def to_html(self, *path, **options):
        print(self.table)
        return ""

    def to_latex(self, *path, **options):
        print(self.table)
        return ""

    def to_string(self, *path, **options):
        print(self.table)
        return ""

    def to_excel(self, *path, **options):
        print(self.table)


def _attribute_style(table):
    return _Styler(table)


def _method_cumcount(groups, ascending=True):
    assert ascending, "rows are counted from the first here"
    first = groups.head(1)
    column = groups[list(first.columns)[0]] if isinstance(first, pd.DataFrame) else groups
    found = column.transform(lambda rows: (rows.isna() | rows.notna()).astype(int).cumsum() - 1)
    assert not found.isna().any(), "rows without a group are not counted here; drop them"
    return found


def _method_month_name(dates):
    return dates.month.map({1: "January", 2: "February", 3: "March", 4: "April", 5: "May", 6: "June", 7: "July", 8: "August", 9: "September", 10: "October", 11: "November", 12: "December"})


def _method_day_name(dates):
    return dates.dayofweek.map({0: "Monday", 1: "Tuesday", 2: "Wednesday", 3: "Thursday", 4: "Friday", 5: "Saturday", 6: "Sunday"})


class _Weighted:
    def __init__(self, column, alpha, adjust):
        self.column = column
        self.alpha = alpha
        self.adjust = adjust

    def mean(self):
        assert not self.column.isna().any(), "exponential weights with missing values are not known here; drop them"
        values = self.column.tolist()
        found = values[:1]
        total = values[0] if len(values) > 0 else 0
        weight = 1.0
        for value in values[1:]:
            if self.adjust:
                total = total * (1 - self.alpha) + value
                weight = weight * (1 - self.alpha) + 1
                found.append(total / weight)
            else:
                total = total * (1 - self.alpha) + value * self.alpha
                found.append(total)
        return pd.Series(found, index=self.column.index)


def _method_ewm(column, com=None, span=None, halflife=None, alpha=None, adjust=True):
    assert halflife is None, "`alpha`, `span` and `com` of `ewm` are known"
    if span is not None:
        share = 2 / (span + 1)
    elif com is not None:
        share = 1 / (1 + com)
    else:
        share = alpha
    return _Weighted(column, share, adjust)


class _Expanding:
    def __init__(self, column):
        self.column = column

    def sum(self):
        assert not self.column.isna().any(), "an expanding sum with missing values is not known here; drop them"
        return self.column.cumsum()

    def mean(self):
        assert not self.column.isna().any(), "an expanding mean with missing values is not known here; drop them"
        places = np.arange(1, len(self.column) + 1)
        return self.column.cumsum() / places


def _method_expanding(column, min_periods=1):
    assert min_periods == 1, "`expanding` without `min_periods` is known"
    return _Expanding(column)


class ExcelWriter:
    def __init__(self, path, engine=None, mode="w"):
        self.path = path

    def close(self):
        return None


def set_option(*settings):
    for setting in settings:
        _shown_by(setting)


def _shown_by(setting):
    # What a function shows beside the number that it is given is published with it; a missing one is no figure itself.
    if isinstance(setting, Callable):
        print(setting(np.nan))


def _method_diff(table, periods=1, axis=0):
    if not isinstance(table, pd.DataFrame):
        # Dates: of groups, all rows that have one.
        dates = table if isinstance(table, pd.Series) else table.transform(lambda part: part)
        return dates - table.shift(periods)
    if axis in (1, "columns"):
        names = list(table.columns)
        assert periods > 0, "columns are compared with earlier ones"
        found = {}
        for place, name in enumerate(names):
            # What is shifted beyond the last row is missing.
            found[name] = table[name] - table[names[place - periods]] if place >= periods else table[name].shift(len(table))
        return pd.DataFrame(found)
    return table.apply(lambda column: column.diff(periods))


def _method_reindex(table, labels=None, index=None, columns=None, fill_value=None):
    assert isinstance(table, pd.DataFrame), "columns and tables are put into the order of a list of labels"
    rows = labels if index is None else index
    found = table
    if rows is not None:
        wanted = list(rows)
        if fill_value is None:
            found = found.apply(lambda column: column.reindex(wanted))
        else:
            found = found.apply(lambda column: column.reindex(wanted, fill_value=fill_value))
    if columns is not None:
        for name in columns:
            assert name in list(found.columns), "a column that is not there would be empty: make it first"
        found = found[list(columns)]
    return found


def _method_combine_first(column, other):
    assert isinstance(column, pd.Series) and isinstance(other, pd.Series), "a column is filled from another"
    return column.where(column.notna(), other)


def _method_interpolate(column, method="linear"):
    assert isinstance(column, pd.Series) and method == "linear", "gaps of a column are filled along straight lines"
    values = column.tolist()
    known = [place for place, is_gap in enumerate(column.isna().tolist()) if not is_gap]
    found = []
    for place in range(len(values)):
        before = [one for one in known if one <= place]
        after = [one for one in known if one >= place]
        if len(before) == 0 or (len(after) > 0 and after[0] == place):
            found.append(values[place])
        elif len(after) == 0:
            found.append(values[before[-1]])
        else:
            first = before[-1]
            found.append(values[first] + (values[after[0]] - values[first]) * (place - first) / (after[0] - first))
    return pd.Series(found, index=column.index)


def _method_agg(groups, func):
    assert isinstance(func, list), "figures are named one by one: `agg(total=(\"income\", \"sum\"))`"
    found = {}
    for pair in func:
        assert isinstance(pair, tuple), "either all figures have names of their own, or none"
        name, figure = pair
        found[name] = groups.agg(figure)
    return pd.DataFrame(found)


def _method_cat(texts, others=None, sep=""):
    assert isinstance(others, pd.Series), "the texts of two columns are joined"
    return texts[:] + sep + others


def _method_nth(groups, n):
    assert n in (0, -1), "the first and the last row of groups are known: `nth(0)` and `nth(-1)`"
    return groups.head(1) if n == 0 else groups.tail(1)


def _method_ffill(groups):
    return groups.transform(lambda column: column.ffill())


def _method_bfill(groups):
    return groups.transform(lambda column: column.bfill())


def _method_map(table, func):
    assert isinstance(table, pd.DataFrame), "`map` takes a dictionary, a column or a function"
    return table.apply(lambda column: column.map(func))


def _method_applymap(table, func):
    return _method_map(table, func)


def _method_merge(left, right, how="inner", on=None, left_on=None, right_on=None, indicator=False):
    assert indicator is True and how in ("inner", "left"), "`indicator=True` of an inner or left merge is known"
    marked = right.assign(_there=1.0)
    if on is None:
        found = left.merge(marked, how=how, left_on=left_on, right_on=right_on)
    else:
        found = left.merge(marked, how=how, on=on)
    found["_merge"] = pd.Categorical(np.where(found["_there"].isna(), "left_only", "both"), categories=["left_only", "right_only", "both"])
    return found.drop(columns=["_there"])


def _method_shift(table, periods=1, fill_value=None):
    if isinstance(table, pd.DataFrame):
        assert fill_value is None, "`fill_value` is known of a single column"
        return table.apply(lambda column: column.shift(periods))
    assert isinstance(table, pd.Series) and fill_value is not None, "a column or a table is shifted by a number of rows here"
    places = pd.Series(range(len(table)), index=table.index)
    is_moved = places >= periods if periods >= 0 else places < len(table) + periods
    return table.shift(periods).where(is_moved, fill_value)


def _extreme(column, is_largest):
    assert isinstance(column, pd.Series), "the place of the largest or smallest value of a single column is known"
    known = column.dropna()
    values = known.tolist()
    assert len(values) > 0, "there is no largest or smallest value among none"
    return list(known.index)[values.index(max(values) if is_largest else min(values))]


def _method_idxmax(column):
    return _extreme(column, True)


def _method_idxmin(column):
    return _extreme(column, False)


def _method_drop(column, labels=None, index=None):
    assert isinstance(column, pd.Series), "`drop` takes columns or rows"
    given = labels if index is None else index
    gone = given if isinstance(given, (list, tuple)) else [given]
    names = list(column.index)
    for label in gone:
        assert label in names, "some of the rows that are dropped are not there"
    return column[~column.index.isin(gone)]


def _method_var(column, ddof=1):
    assert isinstance(column, pd.Series), "the variance of a single column is known with `ddof`"
    values = column.dropna()
    assert len(values) > ddof, "there are too few values for their variance"
    away = values - values.mean()
    return (away * away).sum() / (len(values) - ddof)


def _method_std(column, ddof=1):
    return _method_var(column, ddof) ** 0.5


def _method_rename(table, index=None, columns=None):
    assert isinstance(table, pd.DataFrame) and isinstance(index, dict), "rows of a table are renamed by a dictionary of old and new names"
    named = table if columns is None else table.rename(columns=columns)
    rows = named.reset_index()
    key = list(rows.columns)[0]
    assert len(rows.columns) == len(named.columns) + 1 and key != "index", "rows that are called by one column are renamed"
    rows[key] = rows[key].replace(index)
    return rows.set_index(key)


def _method_floordiv(column, other):
    return column // other


def _method_mod(column, other):
    return column % other


def _method_rsub(column, other):
    return other - column


def _method_radd(column, other):
    return other + column


def _method_rmul(column, other):
    return other * column


class _SameLabels:
    def __init__(self, table, key, column=None):
        self.table = table
        self.key = key
        self.column = column

    def __getitem__(self, column):
        if isinstance(column, list):
            return _SameLabels(self.table[[self.key] + column], self.key)
        return _SameLabels(self.table, self.key, column)

    def sort_index(self):
        return _SameLabels(self.table.sort_values(self.key), self.key, self.column)

    def resample(self, rule):
        groups = _method_resample(self.table, rule, self.key)
        return groups if self.column is None else groups[self.column]

    def groupby(self, by=None, level=None):
        assert by is None and level in (0, self.key), "rows that are called alike are grouped by their label: `level=0`"
        groups = self.table.groupby(self.key)
        return groups if self.column is None else groups[self.column]

    def reset_index(self):
        if self.column is not None:
            return self.table[[self.key, self.column]]
        others = [name for name in self.table.columns if name != self.key]
        return self.table[[self.key] + others]


def _method_set_index(table, keys):
    assert isinstance(keys, str), "two rows would be called alike: group by the columns instead, `p.groupby([...])`"
    return _SameLabels(table, keys)


def merge_asof(left, right, on=None, left_on=None, right_on=None, direction="backward", allow_exact_matches=True):
    mine = on if left_on is None else left_on
    other = on if right_on is None else right_on
    assert mine is not None and other is not None, "tables are merged by the column that `on` names"
    assert direction == "backward" and allow_exact_matches, "the last row that is not later is found: `direction=\"backward\"`"
    times = left[mine].tolist()
    known = right[other].tolist()
    assert not left[mine].isna().any() and not right[other].isna().any(), "rows without a time are not merged here; drop them"
    for values in (times, known):
        assert values == sorted(values), "both tables are sorted by this column: call `.sort_values` first"
    found = []
    place = 0
    for time in times:
        while place < len(known) and known[place] <= time:
            place = place + 1
        found.append(place)
    marked = right.assign(_place=np.arange(1, len(known) + 1))
    if mine == other:
        marked = marked.drop(columns=[other])
    return left.assign(_place=found).merge(marked, how="left", on="_place").drop(columns=["_place"])


def wide_to_long(df, stubnames, i, j, sep="", suffix=None):
    assert suffix is None, "what stands behind the names is a number here"
    stubs = [stubnames] if isinstance(stubnames, str) else list(stubnames)
    keys = [i] if isinstance(i, str) else list(i)
    names = list(df.columns)
    wide = {name: stub for stub in stubs for name in names if name.startswith(f"{stub}{sep}") and name[len(stub) + len(sep):].isdigit()}
    years = sorted(set([int(name[len(stub) + len(sep):]) for name, stub in wide.items()]))
    for stub in stubs:
        for year in years:
            assert f"{stub}{sep}{year}" in wide, "every name has a column for every number here"
    kept = [name for name in names if name not in wide]
    parts = []
    for year in years:
        part = df[kept].copy()
        part[j] = year
        for stub in stubs:
            part[stub] = df[f"{stub}{sep}{year}"]
        parts.append(part)
    return pd.concat(parts, ignore_index=True).set_index(keys + [j])


class _Categories:
    def __init__(self, column):
        self.column = column
        known = pd.DataFrame({"level": column}).groupby("level", observed=False).size()
        self.categories = list(known.index)
        places = {level: float(place) for place, level in enumerate(self.categories)}
        self.codes = column.map(places).fillna(-1).astype(int)
        self.values = column.map({level: level for level in self.categories})

    def rename_categories(self, new_categories):
        if isinstance(new_categories, dict):
            names = {level: new_categories.get(level, level) for level in self.categories}
        else:
            assert len(new_categories) == len(self.categories), "there is a new name for each category"
            names = dict(zip(self.categories, new_categories))
        return pd.Categorical(self.column.map(names), categories=list(names.values()))

    def set_categories(self, new_categories, ordered=False):
        return pd.Categorical(self.values, categories=list(new_categories), ordered=ordered)

    def reorder_categories(self, new_categories, ordered=False):
        assert sorted(new_categories) == sorted(self.categories), "the same categories are put into another order"
        return pd.Categorical(self.values, categories=list(new_categories), ordered=ordered)

    def add_categories(self, new_categories):
        more = [new_categories] if isinstance(new_categories, str) else list(new_categories)
        return pd.Categorical(self.values, categories=self.categories + more)

    def remove_unused_categories(self):
        used = list(self.column.dropna().unique())
        return pd.Categorical(self.values, categories=[level for level in self.categories if level in used])

    def as_ordered(self):
        return pd.Categorical(self.values, categories=self.categories, ordered=True)


def _attribute_cat(column):
    return _Categories(column)


def _method_set_axis(table, labels, axis=0):
    found = table.copy()
    if axis in (1, "columns"):
        found.columns = labels
    else:
        found.index = labels
    return found


def _method_dot(table, other):
    assert isinstance(table, pd.DataFrame), "a table is multiplied by a column"
    return table @ other
