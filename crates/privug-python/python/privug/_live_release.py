"""What a function published, figure by figure: names as in reports, and who is behind the counts among them."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

import numpy as np

from ._hidden import refuse_hidden
from ._live_looks import look, look_at_blank
from ._live_text import SecretText
from ._refused import type_refusal
from ._publish import Constant, Labelled, _rows, holds_random, look_into
from ._secret import SecretValue
from ._not_said import NotSaid
from ._secret_array import SecretArray

Where = Tuple[Tuple[Any, Any], ...]
"""Labels of a cell: names of columns, and what is in them."""


class Cell:
    """One published value."""

    __slots__ = ("name", "value", "where", "column", "place")

    def __init__(self, name: str, value: Any, where: Where = (), column: Any = None) -> None:
        self.name = name
        self.value = value
        self.where = where
        self.column = column
        self.place: Optional[Tuple[int, int]] = None
        """Where it is published, in bytes of the file; None where the result is returned."""

    @property
    def key(self) -> Any:
        """What it is, in a run on other rows too."""
        return (self.where, self.column) if self.where else (self.name,)


class Said(NamedTuple):
    """A text that stands in the script, or names a bar, and that a run published."""

    after: int
    """How many values were published before it."""
    line: int
    text: str
    is_written: bool
    """Whether it stands in the script."""


class Cells(List[Cell]):
    """What a run published, in its order."""

    def __init__(self, values: Iterable[Cell] = (), said: Iterable[Said] = ()) -> None:
        super().__init__(values)
        self.said = list(said)
        """The texts among it that tell nothing by themselves; which of them there are, and how often, may tell something."""
        self.labels: Dict[str, Any] = {}
        """What stands beside the values: labels, headings, keys and names of files, by how they are shown."""
        self.looks: Set[str] = set()
        """How they are shown: widths, decimals, sizes of pictures."""

    def label(self, *labels: Any) -> None:
        """Takes up labels; those of several levels one by one."""
        for each in labels:
            if isinstance(each, tuple):
                self.label(*each)
            elif each is not None:
                self.labels[text(each)] = each


def cells(result: Any, name: str) -> Cells:
    """Every value in a result, in its order, each under a name of its own."""
    found = Cells()
    _walk(result, "", name, found, 0)
    seen: dict[str, int] = {}
    for cell in found:
        times = seen[cell.name] = seen.get(cell.name, 0) + 1
        if times > 1:
            cell.name = f"{cell.name} ({times})"
    return found


def text(label: Any) -> str:
    """A label as it is written in names."""
    if isinstance(label, tuple):
        return ", ".join(map(text, label))
    return "nan" if label is None else str(label)


def _element(path: str, label: Any) -> str:
    return f"{path}[{text(label)}]"


def _key(path: str, label: Any) -> str:
    return _element(path, label) if path else text(label)


_LEAVES = (SecretValue, SecretArray, SecretText)
"""What is taken apart by its own rules, also inside data classes and generators."""


def _walk(value: Any, path: str, name: str, found: Cells, depth: int) -> None:
    if depth > 50:
        raise ValueError(f"P607: the values in `{path[:60]}…` are nested too deeply, or contain themselves")
    pandas: Any = sys.modules.get("pandas")
    if isinstance(value, NotSaid):
        value._refuse()
    if pandas is not None and type(value).__name__ == "Styler" and type(value).__module__.startswith("pandas"):
        _check_styler(value)
        if value.caption:
            _walk(value.caption, f"{path}.caption".lstrip("."), "", found, depth + 1)
        value = value.data
    if getattr(type(value), "_is_shown", False):
        # It was published when it was made.
        value = ""
    if isinstance(value, np.matrix):
        # A row of a matrix is a matrix again, without end.
        value = np.asarray(value)
    if not isinstance(value, _LEAVES):
        _beside(value, path, found, depth)
    if pandas is not None and isinstance(value, pandas.DataFrame):
        _frame(value, path, found)
    elif pandas is not None and isinstance(value, pandas.Series):
        _series(value, path, found)
    elif isinstance(value, (SecretValue, SecretText)):
        found.append(Cell(path or name or "result", value))
    elif isinstance(value, Mapping):
        for label, each in value.items():
            look_into(label)
            found.label(label)
            step = (f"{path}.{label}" if path else label) if isinstance(label, str) else _key(path, label)
            if path and isinstance(each, (int, float, np.generic, SecretValue)):
                # `{"north": {"n": 30, "mean": 400.0}}`: what the inner dictionary holds is about the same people.
                _leaf(each, step, (("", path),), label, found)
                continue
            _walk(each, step, "", found, depth + 1)
    elif (records := _records(value)) is not None:
        _frame(records, path, found)
    elif isinstance(value, (SecretArray, list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        labels = getattr(value, "_fields", None)
        for place, each in enumerate(value):
            _walk(each, f"{path}.{labels[place]}".lstrip(".") if labels else f"{path}[{place}]", "", found, depth + 1)
    elif hasattr(value, "_forms"):
        _walk(value._array(), path, name, found, depth)
    else:
        tree = look_into(value, path, _LEAVES)
        if isinstance(tree, (Labelled, list, np.ndarray)):
            _walk(dict(tree) if isinstance(tree, Labelled) else tree, path, name, found, depth + 1)
        else:
            if isinstance(tree, str):
                look_at_blank(tree)
            found.append(Cell(path or name or "result", tree))
    _note_shape(value, found)


def _note_shape(value: Any, found: Cells) -> None:
    """Notes down what holds values, and the names that it shows beside them: these must not depend on secrets either."""
    pandas: Any = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series)):
        names = [list(axis.names) for axis in value.axes]
        for axis in value.axes:
            for level in axis.levels if hasattr(axis, "levels") else [axis]:
                if hasattr(level, "categories") and not str(level.categories.dtype).startswith("interval"):
                    look(f"categories {list(level.categories)}")
        shown = list(value.columns) if value.ndim == 2 else value.name
        told = f"{type(value).__name__} {names} {shown!r} {list(value.index) if not value.size else len(value)}"
    elif isinstance(value, (SecretArray, np.ndarray)) and value.ndim:
        told = f"array {value.shape}"
    elif isinstance(value, (Mapping, list, tuple, set, frozenset)):
        told = f"{type(value).__qualname__} {len(value)}"
    else:
        return
    look(f"a {type(value).__name__}")
    if isinstance(value, (list, tuple)) and all(map(_is_empty, value)):
        look(f"empty {told}")
    found.said.append(Said(len(found), 0, told, False))


def _is_empty(value: Any) -> bool:
    """Whether nothing stands there, so that only how often it does tells something."""
    if isinstance(value, (str, list, tuple, dict)):
        return not value
    return value is None or (isinstance(value, float) and value != value)


def _check_styler(styler: Any) -> None:
    """Refuses a Styler with functions of one's own, which decide what is shown and could know more than the table."""
    given = [each for _, inputs, _ in getattr(styler, "_todo", ()) for each in inputs[:1]]
    for name in ("_display_funcs", "_display_funcs_index", "_display_funcs_columns"):
        given += list(getattr(styler, name, {}).values())
    if any(map(_is_own_function, given)) or getattr(styler, "tooltips", None) is not None:
        message = "custom functions or strings of a Styler determine what is shown, and could show the secret"
        raise type_refusal("P901", message, "return the table, and what is shown with it as separate values")


def _is_own_function(function: Any, depth: int = 0) -> bool:
    if not isinstance(function, types.FunctionType) or depth > 4:
        return False
    inside = [cell.cell_contents for cell in function.__closure__ or () if cell.cell_contents is not function]
    return not function.__module__.startswith("pandas.") or any(_is_own_function(each, depth + 1) for each in inside)


def _shown(path: str) -> str:
    """A path as it stands behind `return`."""
    return f".{path}" if path and not path.startswith("[") else path


def _beside(value: Any, path: str, found: Cells, depth: int) -> None:
    """What a value carries beside what it shows: secrets are refused, and the rest is published with it."""
    refuse_hidden(value, _shown(path), lambda inner: holds_random(look_into(inner, path, _LEAVES)))
    carried = dict(getattr(value, "attrs", None) or {}) if hasattr(value, "_constructor") else {}
    if hasattr(value, "_constructor") or isinstance(value, (Mapping, list, tuple, str, int, float, np.ndarray)):
        own = getattr(value, "__dict__", None) or {}
        carried.update({name: each for name, each in own.items() if not (str(name).startswith("_") or _is_accessor(value, name, each))})
    for name, each in carried.items():
        _walk(each, f"{path}.{text(name)}".lstrip("."), "", found, depth + 1)


def _is_accessor(value: Any, name: str, each: Any) -> bool:
    """Whether it is what pandas 2 keeps of `.plot`, `.str` or `.dt`: a way to look at the table itself."""
    kind = getattr(type(value), name, None)
    is_pandas = isinstance(kind, type) and kind.__module__.startswith("pandas.")
    return is_pandas and type(each) is kind and getattr(each, "_parent", None) is value


def _values(column: Any) -> Sequence[Any]:
    return column.array.tolist() if hasattr(column.array, "_forms") else column.tolist()


def _labels(index: Any, path: str) -> Optional[List[Any]]:
    """The labels along an axis; None where they are positions."""
    rows = _rows(index, _shown(path))
    if rows is None and not (type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1):
        return index.tolist()
    return rows


def _without_intervals(index: Any, labels: Optional[List[Any]]) -> List[Any]:
    """Labels without the intervals that `cut` and `qcut` make: their ends are values of a public column, and others on other rows."""
    levels = index.levels if index.nlevels > 1 else [index]
    kept = [place for place, level in enumerate(levels) if not str(getattr(level, "categories", level).dtype).startswith("interval")]
    if len(kept) == len(levels):
        return labels or []
    return [tuple(label[place] for place in kept) for label in labels or [] if isinstance(label, tuple)]


def _named(names: Sequence[Any], label: Any) -> Where:
    parts = label if isinstance(label, tuple) else (label,)
    return tuple((name, part) for name, part in zip(names, parts) if name is not None)


def _series(value: Any, path: str, found: Cells) -> None:
    labels = _labels(value.index, path)
    look_into(value.name)
    found.label(value.name, *value.index.names, *_without_intervals(value.index, labels))
    for place, each in enumerate(_values(value)):
        cell = _element(path, place) if labels is None else _key(path, labels[place])
        where = _named(value.index.names, labels[place]) if labels is not None else ()
        _leaf(each, cell, where, value.name, found)


def _frame(value: Any, path: str, found: Cells) -> None:
    labels, names = _labels(value.index, path), _rows(value.columns, _shown(path))
    names = list(range(value.shape[1])) if names is None else names
    columns = [_values(value.iloc[:, place]) for place in range(value.shape[1])]
    keys = _key_columns(value, names) if labels is None else 0
    found.label(*_without_intervals(value.columns, names), *value.columns.names, *value.index.names)
    found.label(*_without_intervals(value.index, labels), *(each for key in columns[:keys] for each in key))
    for place in range(len(value)):
        row: Any = place if labels is None else labels[place]
        where = _named(value.index.names, row) if labels is not None else ()
        where += tuple((names[key], columns[key][place]) for key in range(keys))
        shown = text(tuple(columns[key][place] for key in range(keys))) if keys else text(row)
        for number in range(keys, len(columns)):
            across = _named(value.columns.names, names[number])
            rest = names[number] if not across else tuple(
                part for part, name in zip(_tuple(names[number]), value.columns.names) if name is None
            )  # fmt: skip
            _leaf(columns[number][place], _key(path, f"{shown}, {text(names[number])}"), where + across, rest, found)


def _records(value: Any) -> Any:
    """The table that `to_dict("records")` gave as a list, if texts tell its rows apart."""
    pandas: Any = sys.modules.get("pandas")
    if pandas is None or type(value) is not list or not all(type(each) is dict for each in value):
        return None
    names = list(value[0]) if value else []
    plain = (bool, int, float, str, np.generic, SecretValue, SecretText)
    if not all(isinstance(name, str) for name in names) or not all(list(row) == names for row in value):
        return None
    if not all(isinstance(each, plain) for row in value for each in row.values()):
        return None
    columns = {name: pandas.Series([row[name] for row in value], dtype=object) for name in names}
    frame = pandas.DataFrame(columns)
    return frame if _key_columns(frame, names) else None


def _tuple(label: Any) -> Tuple[Any, ...]:
    return label if isinstance(label, tuple) else (label,)


def _key_columns(frame: Any, names: Sequence[Any]) -> int:
    """How many of the first columns are labels of the rows: texts that tell the rows apart, as after `reset_index`."""
    count = 0
    while count < frame.shape[1] and isinstance(names[count], str):
        column = frame.iloc[:, count]
        values = [] if hasattr(column.array, "_forms") else column.tolist()
        if not values or not all(isinstance(each, (str, bool)) for each in values) or _shows_numbers(values):
            break
        count += 1
    if not 0 < count < frame.shape[1] or frame.iloc[:, :count].duplicated().any():
        return 0
    return count


_SHOWN = re.compile(r"\s*[-+]?(\d{5,}|\d[\d ,_.\xa0']*[,. \xa0']\d+)([eE][-+]?\d+)?\s*%?\s*")


def _shows_numbers(values: Sequence[Any]) -> bool:
    """Whether texts show numbers: those are published, and tell no rows apart. Years and short codes are labels."""
    return any(isinstance(each, str) and _SHOWN.fullmatch(each) for each in values)


def _leaf(value: Any, name: str, where: Where, column: Any, found: Cells) -> None:
    if isinstance(value, NotSaid):
        value._refuse()
    if not isinstance(value, (SecretValue, SecretText)):
        value = look_into(value, name, _LEAVES)
        if isinstance(value, (Labelled, list, np.ndarray)):
            _walk(dict(value) if isinstance(value, Labelled) else value, name, "", found, 1)
            return
    if isinstance(value, str):
        look_at_blank(value)
    found.append(Cell(name, value, where, column))


def kind(value: Any) -> str:
    """What a person calls a public value."""
    if isinstance(value, (bool, np.bool_)):
        return "a boolean"
    if isinstance(value, Constant) or isinstance(value, str):
        return "a text"
    return "a number"
