"""What a script that reads a table gets: the table that is given, with the options that say what is taken from the file."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

APPLIED = {"usecols", "index_col", "parse_dates", "dtype", "columns", "chunksize"}
"""Options of readers that a given table follows."""

OF_THE_FILE = {
    "sep", "delimiter", "encoding", "engine", "low_memory", "memory_map", "compression", "decimal", "thousands", "quotechar",
    "sheet_name", "storage_options", "filesystem",
}  # fmt: skip
"""Options of readers that say how the file is written, not what is taken from it."""

MISSING = {
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None",
    "n/a", "nan", "null",
}  # fmt: skip
"""What pandas takes for a missing value by itself."""

Refuse = Callable[[str, str], BaseException]


def changes_nothing(option: str, value: Any, frame: Any) -> bool:
    """Whether an option says what holds for a table anyway."""
    if option == "skipinitialspace":
        texts = (frame[column].dropna() for column in frame.columns if frame[column].dtype == object or frame[column].dtype == "str")
        begins = any(str(each).startswith(" ") for column in texts for each in column.unique())
        return not (begins or any(str(column).startswith(" ") for column in frame.columns))
    if option == "na_values":
        values = [value] if isinstance(value, str) else value
        return isinstance(values, (list, tuple, set)) and set(values) <= MISSING
    return option in ("keep_default_na", "na_filter") and value is True


class Pieces:
    """A table that is read piece by piece."""

    def __init__(self, frame: Any, size: int) -> None:
        self._frame = frame
        self._size = size
        self._place = 0

    def __iter__(self) -> "Pieces":
        return self

    def __next__(self) -> Any:
        if self._place >= len(self._frame):
            raise StopIteration
        return self.get_chunk()

    def get_chunk(self, size: Optional[int] = None) -> Any:
        """The next rows."""
        if self._place >= len(self._frame):
            raise StopIteration
        first, self._place = self._place, self._place + (self._size if size is None else size)
        return self._frame.iloc[first : self._place].copy()

    def __enter__(self) -> "Pieces":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open."""


def as_read(frame: Any, options: Dict[str, Any], secrets: Sequence[Any], texts: Callable[[Any], Optional[Any]], refuse: Refuse) -> Any:
    """A table as a reader of pandas gives it with these options; secrets stay numbers. `texts` gives a column as its file has it,
    if there is one."""
    chosen, index = options.get("usecols", options.get("columns")), options.get("index_col")
    if chosen is not None:
        frame = frame[_chosen(frame, chosen)]
    # The first columns that have no name of their own may become the index; they are counted among those that are read.
    columns = list(frame.columns)
    types = options.get("dtype")
    if types is not None:
        each = types if isinstance(types, dict) else {column: types for column in columns}
        for column, type_ in each.items():
            if column in columns and column not in secrets:
                frame[column] = _typed(frame[column], type_, texts, refuse)
    dates = options.get("parse_dates")
    for column in dates if isinstance(dates, list) else ():
        column = columns[column] if isinstance(column, int) and column not in columns else column
        frame[column] = _dates(frame[column])
    if index is None or index is False:
        return frame
    keys = [columns[key] if isinstance(key, int) and key not in columns else key for key in (index if isinstance(index, (list, tuple)) else [index])]
    frame = frame.set_index(keys if isinstance(index, (list, tuple)) else keys[0])
    if dates is True and frame.index.nlevels == 1:
        frame.index = _parsed(frame.index)
    return frame


def _chosen(frame: Any, chosen: Any) -> List[Any]:
    """The columns that are read, in the order of the file."""
    if callable(chosen):
        return [column for column in frame.columns if chosen(column)]
    wanted = list(chosen)
    return [column for place, column in enumerate(frame.columns) if column in wanted or place in wanted]


def _typed(column: Any, type_: Any, texts: Callable[[Any], Optional[Any]], refuse: Refuse) -> Any:
    """A column with the type that it is read as. Of codes such as `0301`, the numbers do not tell the texts."""
    import pandas

    wanted = pandas.api.types.pandas_dtype(type_)
    is_text = wanted == object or isinstance(wanted, pandas.StringDtype) or isinstance(wanted, pandas.CategoricalDtype) or wanted.kind in "SU"
    if is_text and pandas.api.types.is_numeric_dtype(column.dtype):
        found = texts(column.name)
        if found is None:
            message = f"`{column.name}` holds numbers in the given table, and is read as texts: `0301` and `301` are the same number"
            hint = f'give a table whose column holds texts: read it with `dtype={{"{column.name}": str}}`'
            raise refuse(message, hint)
        places = column.index.to_numpy() % len(found)
        column = pandas.Series(found.array.take(places), index=column.index, name=column.name)
    if wanted.kind in "SU":
        # What is missing stays missing, as where it is read.
        return column.astype(object)
    return column.astype(type_)


def _dates(column: Any) -> Any:
    import pandas

    return pandas.to_datetime(column)


def _parsed(index: Any) -> Any:
    """Dates where all of them are some; pandas leaves others as they are."""
    if index.dtype.kind in "iuf":
        return index
    try:
        return _dates(index)
    except (ValueError, TypeError):
        return index


class Spelled:
    """Columns of the files that tables were read from, as texts."""

    def __init__(self) -> None:
        self.known: Dict[Any, Any] = {}

    def load(self, frames: Dict[str, Any], files: Iterable[Tuple[str, str]]) -> None:
        """Reads the columns of numbers once more, before a script runs: what it opens itself is watched then."""
        import pandas

        for table, file in files:
            if os.path.splitext(file)[1].lower() in (".parquet", ".arrow", ".feather", ".ipc"):
                continue
            frame = frames[table]
            columns = [column for column in frame.columns if pandas.api.types.is_numeric_dtype(frame[column].dtype)]
            texts = pandas.read_csv(file, usecols=columns, dtype=str)
            self.known.update({(table, column): texts[column] for column in columns})

    def column(self, table: str, name: Any) -> Optional[Any]:
        """A column of a table, as it is spelled in its file; none if that is not known."""
        return self.known.get((table, name))
