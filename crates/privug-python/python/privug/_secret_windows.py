"""pandas' windows over secret columns: moving, growing, weighted and exponential ones. Which rows are in a window is public."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, Callable, Iterator, List, Optional, Tuple

import numpy as np

from . import _exact
from ._secret import not_linear, refused, secret
from ._secret_array import MAX_COLUMNS, MAX_MATRIX, combined
from ._secret_linear import of_rows

Replace = Callable[[Any, str, Any], None]

MOST_EXACT = 150
"""Longer columns have weights that do not fit anyway."""

_APPLIED: ContextVar[Optional[Tuple[Any, bool, Any, Any]]] = ContextVar("privug_window_function", default=None)
"""The function that `rolling(…).apply` was given, whether it is given arrays, and its other arguments."""


def hooks(replace: Replace) -> None:
    """Lets pandas' windows go over secret columns."""
    windows: Any = sys.modules["pandas.core.window.rolling"]
    replace(windows.BaseWindow, "_apply_series", _windowed(windows.BaseWindow._apply_series))
    replace(windows.BaseWindow, "_apply_columnwise", _windowed_tables(windows.BaseWindow._apply_columnwise))
    replace(windows.RollingAndExpandingMixin, "apply", _applying(windows.RollingAndExpandingMixin.apply))


def _applying(original: Callable[..., Any]) -> Callable[..., Any]:
    """`rolling(…).apply(f)`: pandas' own loop takes numbers only."""

    def apply(self: Any, func: Any, raw: bool = False, *inputs: Any, **options: Any) -> Any:
        names = ("engine", "engine_kwargs", "args", "kwargs")
        given = {**dict(zip(names, inputs)), **options}
        token = _APPLIED.set((func, bool(raw), given.get("args") or (), given.get("kwargs") or {}))
        try:
            return original(self, func, raw, *inputs, **options)
        finally:
            _APPLIED.reset(token)

    return apply


def _windowed(original: Callable[..., Any]) -> Callable[..., Any]:
    def _apply_series(self: Any, homogeneous_func: Any, name: Any = None, *inputs: Any, **options: Any) -> Any:
        from ._secret_pandas import SecretColumn

        obj = self._create_data(self._selected_obj)
        column = obj.array
        if not isinstance(column, SecretColumn) or name == "count":
            return original(self, homogeneous_func, name, *inputs, **options)
        kind = type(self).__name__
        if kind.startswith(("Window", "ExponentialMovingWindow")):
            if name not in ("sum", "mean"):
                raise not_linear(column.label, f"{'ewm' if kind.startswith('Exp') else 'rolling'} {name}")
            exact = _faded(self, column, name) if kind.startswith("Exp") else None
            found = _weighted(homogeneous_func, column) if exact is None else exact
        elif name == "apply":
            found = _applied(self, column)
        elif name in ("sum", "mean"):
            found = _summed(self, column, name)
        else:
            raise not_linear(column.label, f"rolling {name}")
        labels = self._slice_axis_for_step(obj.index, found)
        return obj._constructor(found, index=labels, name=obj.name)

    return _apply_series


def _bounds(window: Any, column: Any) -> Tuple[Any, Any, int]:
    index = window._get_window_indexer()
    least = window.min_periods if window.min_periods is not None else index.window_size
    starts, ends = index.get_window_bounds(len(column), least, window.center, window.closed, window.step)
    return starts, ends, least


def _summed(window: Any, column: Any, name: str) -> Any:
    """Moving sums and means of the rows that have a value."""
    starts, ends, least = _bounds(window, column)
    starts, ends = np.ascontiguousarray(starts, dtype=np.int64), np.ascontiguousarray(np.maximum(starts, ends), dtype=np.int64)
    present = np.concatenate([[0], np.cumsum(~column.isna())])
    lengths = present[ends] - present[starts]
    if int(lengths.sum()) > MAX_MATRIX:
        raise refused("P603", column.label, "`{}`: its windows have too many rows together", "rolling", "aggregate by groups first")
    forms = column._forms.windows(starts, ends)
    if name == "mean":
        forms = forms.over(np.where(lengths > 0, lengths, np.nan).astype(float))
    forms = forms.plus(np.where(lengths < max(least, 0 if name == "sum" else 1), np.nan, 0.0))
    return column._with(forms)


def _applied(window: Any, column: Any) -> Any:
    """A function of each window, called as pandas would call it."""
    import pandas

    given = _APPLIED.get()
    if given is None:
        raise not_linear(column.label, "rolling apply")
    function, raw, inputs, options = given
    starts, ends, least = _bounds(window, column)
    present = np.concatenate([[0], np.cumsum(~column.isna())])
    values: Any = column.to_numpy(dtype=float) if raw else pandas.Series(column, index=window._on)
    found: List[Any] = []
    for start, end in zip(starts, ends):
        if present[max(end, start)] - present[start] < least:
            found.append(np.nan)
        else:
            found.append(function(values[start:end] if raw else values.iloc[start:end], *inputs, **options))
    return column._cast_pointwise_result(found)


def _faded(window: Any, column: Any, name: str) -> Any:
    """Exponential sums and means with weights that are quotients of whole numbers; None where they do not fit."""
    share = _share(window)
    if share is None or window.times is not None or len(column) > MOST_EXACT:
        return None
    index = window._get_window_indexer()
    starts, ends = index.get_window_bounds(len(column), 0, getattr(window, "center", None), getattr(window, "closed", None), None)
    missing, least = column.isna(), max(int(window.min_periods), 1)
    places = np.flatnonzero(~missing)
    rows: List[Any] = []
    gaps = np.zeros(len(column), dtype=bool)
    for start, end in zip(starts.tolist(), ends.tolist()):
        for own, seen in _fading(missing[start:end], share, window.adjust, window.ignore_na, name == "mean"):
            gaps[len(rows)] = seen < least
            inside = [Fraction(0)] * start + own + [Fraction(0)] * (len(column) - end)
            found = _exact.fractions([inside[place] for place in places] or [Fraction(0)])
            if found is None:
                return None
            rows.append(found)
    if len(rows) != len(column) or not len(places):
        return None
    return column._with(of_rows(rows, secret(column)[places])._forms.plus(np.where(gaps, np.nan, 0.0)))


def _share(window: Any) -> Optional[Fraction]:
    """How much the newest value counts, where that is a quotient; a half-life is none."""
    if window.alpha is not None:
        return Fraction(repr(float(window.alpha)))
    if window.span is not None:
        return 2 / (Fraction(repr(float(window.span))) + 1)
    return None if window.com is None else 1 / (Fraction(repr(float(window.com))) + 1)


def _fading(missing: np.ndarray, share: Fraction, adjust: bool, ignore_gaps: bool, is_mean: bool) -> Iterator[Tuple[List[Fraction], int]]:
    """The weights of all values so far in each element, as pandas defines them, and how many values there were."""
    weights = [Fraction(0)] * len(missing)
    old, new, seen = Fraction(1), Fraction(1) if adjust else share, 0
    for place, gap in enumerate(missing):
        if seen and (not gap or not ignore_gaps):
            old *= 1 - share
            if not is_mean:
                weights = [each * (1 - share) for each in weights]
        if not gap and is_mean and seen:
            weights = [each * old / (old + new) for each in weights]
            weights[place] = new / (old + new)
            old = old + new if adjust else Fraction(1)
        elif not gap:
            weights[place] = Fraction(1)
        seen += not gap
        yield list(weights), seen


def _weighted(function: Callable[[np.ndarray], Any], column: Any) -> Any:
    """Sums and means with weights of pandas' own, which do not depend on the values: found one row at a time."""
    missing = column.isna()
    size = len(column)
    if size > MAX_COLUMNS or size * size > MAX_MATRIX:
        raise refused("P603", column.label, "`{}`: the table of weights is too large", "ewm", "aggregate by groups first")
    empty = np.where(missing, np.nan, 0.0)
    gaps = np.isnan(np.asarray(function(empty.copy()), dtype=float))
    matrix = np.zeros((size, len(gaps)))
    for place in np.flatnonzero(~missing):
        unit = empty.copy()
        unit[place] = 1.0
        matrix[place] = np.nan_to_num(np.asarray(function(unit), dtype=float))
    target, places = np.nonzero(matrix.T)
    found = combined(secret(column), target, places, matrix.T[target, places], gaps.shape, exact=False)
    return column._with(found._forms.plus(np.where(gaps, np.nan, 0.0)))


def _windowed_tables(original: Callable[..., Any]) -> Callable[..., Any]:
    """The same for tables with secret columns among theirs: column by column."""

    def _apply_columnwise(self: Any, homogeneous_func: Any, name: Any, *inputs: Any, **options: Any) -> Any:
        import pandas

        obj = self._selected_obj
        if obj.ndim == 1 or all(secret(obj.iloc[:, place]) is None for place in range(obj.shape[1])) or not obj.columns.is_unique:
            return original(self, homogeneous_func, name, *inputs, **options)
        made = {key: self._gotitem(key, ndim=1)._apply_series(homogeneous_func, name) for key in obj.columns if key != self.on}
        return pandas.DataFrame(made)

    return _apply_columnwise
