"""Tables of pandas, polars and pyarrow as columns for the compiled part; numbers are handed over without a copy of their own."""

from __future__ import annotations

import datetime
import sys
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from ._privug import RawTable
from ._refused import program_refusal, type_refusal

Column = Tuple[str, np.ndarray, np.ndarray]
"""A name, the values, and where they are missing."""


def raw_table(name: str, table: Any, missing: str) -> RawTable:
    """A table, whatever package it comes from."""
    columns = _columns(name, table)
    row_count = len(columns[0][1]) if columns else 0
    if row_count == 0:
        raise program_refusal("P724", f"table `{name}`", "the table has no rows", "was everybody filtered out?")
    raw = RawTable(row_count)
    for column, values, gaps in columns:
        if missing == "refuse" and gaps.any():
            message = f"row {int(gaps.argmax()) + 1}, column `{column}`: the value is missing"
            hint = 'fill it in, or let every figure skip missing values with missing="pandas"'
            raise program_refusal("P724", f"table `{name}`", message, hint)
        _add(raw, column, values, gaps)
    return raw


def is_table(value: Any) -> bool:
    """Whether it is something that `raw_table` takes."""
    package, kind = type(value).__module__.partition(".")[0], type(value).__name__
    return (
        _is_frame(value)
        or (package == "polars" and kind == "DataFrame")
        or (package == "pyarrow" and kind in ("Table", "RecordBatch"))
        or (isinstance(value, Mapping) and bool(value))
    )


def _is_frame(value: Any) -> bool:
    pandas: Any = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def as_pandas(name: str, table: Any) -> Any:
    """The same table for functions that are written for pandas."""
    import pandas

    if isinstance(table, pandas.DataFrame):
        return table
    if hasattr(table, "to_pandas"):
        made = table.to_pandas()
        for column in made.columns:
            # pandas has no decimals of its own: they are numbers, as in source mode.
            if made[column].dtype == object and _is_decimal(made[column].dropna()):
                made[column] = made[column].astype(float)
        return made
    if isinstance(table, Mapping):
        return pandas.DataFrame(dict(table))
    raise _unknown(name, table)


def _is_decimal(values: Any) -> bool:
    return len(values) > 0 and type(values.iloc[0]).__name__ == "Decimal"


def person_values(table: Any, column: str) -> Sequence[Any]:
    """The values of a column as the table has them."""
    if _is_frame(table):
        return list(table[column])
    if hasattr(table, "column") and hasattr(table, "to_pydict"):
        return list(table.column(column).to_pylist())
    return list(table[column])


def _columns(name: str, table: Any) -> List[Column]:
    package, kind = type(table).__module__.partition(".")[0], type(table).__name__
    if _is_frame(table):
        return [_of_pandas(_name(key), table.iloc[:, place]) for place, key in enumerate(table.columns)]
    if package == "polars" and kind == "DataFrame":
        return [_of_polars(each, table[each]) for each in table.columns]
    if package == "pyarrow" and kind in ("Table", "RecordBatch"):
        return [_of_pyarrow(each, table.column(place)) for place, each in enumerate(table.schema.names)]
    if isinstance(table, Mapping):
        return [_of_values(_name(key), np.asarray(values)) for key, values in table.items()]
    raise _unknown(name, table)


def _unknown(name: str, table: Any) -> TypeError:
    message = f"`{name}` is of type {type(table).__name__}, not a table"
    return type_refusal("P724", message, table_hint(table))


def table_hint(table: Any) -> str:
    """What to pass instead of something that is no table."""
    if type(table).__name__ == "LazyFrame":
        return "pass the table itself: call `.collect()`"
    return "pass a pandas or polars DataFrame, or a pyarrow Table"


def _name(key: Any) -> str:
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _of_pandas(name: str, series: Any) -> Column:
    gaps = series.isna().to_numpy(dtype=bool)
    dtype = series.dtype
    kind = getattr(dtype, "kind", "O")
    if hasattr(series, "cat"):
        # The categories tell what the values are: numbers stay numbers.
        return _of_values(name, np.asarray(series.astype(series.cat.categories.dtype)))
    if isinstance(dtype, np.dtype) and kind in "biuf":
        return name, series.to_numpy(), gaps
    if kind == "b":
        return name, series.fillna(False).to_numpy(dtype=bool), gaps
    if kind in "iuf":
        if gaps.any() or kind == "f":
            return name, series.to_numpy(dtype=float, na_value=np.nan), gaps
        return name, series.to_numpy(dtype=np.int64 if kind == "i" else np.uint64), gaps
    if kind == "M":
        return name, _dates(series), gaps
    return _of_values(name, series.astype(object).to_numpy(), gaps)


def _dates(series: Any) -> np.ndarray:
    """Dates as texts: those without a time of day as `2024-02-29`."""
    days = series.dropna()
    is_day = bool((days == days.dt.normalize()).all())
    texts = [None if gap else (str(value.date()) if is_day else str(value)) for value, gap in zip(series, series.isna())]
    return np.array(texts, dtype=object)


def _of_polars(name: str, series: Any) -> Column:
    kind = str(series.dtype)
    gaps = series.is_null().to_numpy()
    if kind.startswith(("Int", "UInt")) and not gaps.any():
        return name, series.to_numpy(), gaps
    if kind.startswith(("Int", "UInt", "Float", "Decimal")):
        import polars

        values = series.cast(polars.Float64).to_numpy()
        return name, values, gaps | np.isnan(values)
    return _of_values(name, np.array(series.to_list(), dtype=object), gaps)


def _of_pyarrow(name: str, column: Any) -> Column:
    kind = str(column.type)
    gaps = np.asarray(column.is_null().to_numpy(zero_copy_only=False) if column.null_count else np.zeros(len(column), bool))
    if kind.startswith(("int", "uint", "float", "double", "halffloat")):
        values = column.to_numpy(zero_copy_only=False) if hasattr(column, "buffers") else column.to_numpy()
        return name, values, gaps | (np.isnan(values) if values.dtype.kind == "f" else False)
    return _of_values(name, np.array([*column.to_pylist(), None], dtype=object)[:-1], gaps)


def _of_values(name: str, values: np.ndarray, gaps: Any = None) -> Column:
    """An array whose type may say nothing about its values."""
    if values.ndim != 1:
        raise type_refusal("P724", f"the column `{name}` has {values.ndim} dimensions", "give one value for each row")
    if gaps is None:
        gaps = np.array([_is_missing(value) for value in values], dtype=bool)
    if values.dtype.kind in "biuf":
        return name, values, gaps
    present = [value for value, gap in zip(values.tolist(), gaps) if not gap]
    if present and all(isinstance(value, (bool, np.bool_)) for value in present):
        return name, np.array([bool(value) and not gap for value, gap in zip(values, gaps)], dtype=bool), gaps
    if present and all(_is_number(value) for value in present):
        integers = not gaps.any() and all(isinstance(value, (int, np.integer)) for value in present)
        if integers and all(-(2**63) <= value < 2**63 for value in present):
            return name, np.array(present, dtype=np.int64), gaps
        return name, np.array([np.nan if gap else float(value) for value, gap in zip(values, gaps)]), gaps
    texts = [None if gap else _text(value) for value, gap in zip(values.tolist(), gaps)]
    return name, np.array([*texts, None], dtype=object)[:-1], gaps


def _is_missing(value: Any) -> bool:
    return value is None or value is getattr(sys.modules.get("pandas"), "NA", None) or value != value


def _is_number(value: Any) -> bool:
    import numbers
    from decimal import Decimal

    return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, (bool, np.bool_))


def _text(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return str(value.date()) if value.time() == datetime.time() and value.tzinfo is None else str(value)
    return str(value)


def _add(raw: RawTable, name: str, values: np.ndarray, gaps: np.ndarray) -> None:
    kind = values.dtype.kind
    if kind == "b":
        values = np.ascontiguousarray(values)
        raw.booleans(name, values, np.ascontiguousarray(gaps) if gaps.any() else None)
    elif kind == "i" or (kind == "u" and (values.dtype.itemsize < 8 or not len(values) or values.max() < 2**63)):
        raw.integers(name, np.ascontiguousarray(values, dtype=np.int64))
    elif kind in "uf":
        raw.numbers(name, np.ascontiguousarray(values, dtype=np.float64))
    else:
        codes: Dict[Any, int] = {None: -1}
        labels: List[str] = []
        coded = np.empty(len(values), dtype=np.int64)
        for row, text in enumerate(values):
            code = codes.get(text)
            if code is None:
                code = codes[text] = len(labels)
                labels.append(text)
            coded[row] = code
        raw.texts(name, coded, labels)
