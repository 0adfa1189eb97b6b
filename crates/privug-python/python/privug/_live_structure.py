"""Whether it depends on numbers of people which figures are published, how often, in which order, and how they are shown.

`table.head(n)` has as many rows as there are heads in the east, and `f"{mean:{n}.1f}"` is as wide. So the function runs on
secret columns of other rows. A group all of whose rows are kept has the same figures there, whoever else is left out; how
figures are shown is the same; their order is the same where the rows of some groups are there several times; and a group that
appears where its own rows are repeated, because it was too small before, does so wherever these are.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np

from ._live_compare import is_nan
from ._live_looks import TEXT
from ._live_release import Cells
from ._live_text import SecretText
from ._publish import Constant
from ._secret import SecretValue

RUNS = ((5_000, 6), (50_000, 4))
"""Up to how many rows there are so many runs on fewer rows; on tables with more there are two."""

ORDER_RUNS = 2
"""So many runs are on all rows and some of them again: the order in which values first appear is the same there."""

MOST_REPEATED, ROWS_REPEATED = 8, 20_000
"""How often every row is repeated at most, and up to how many rows."""

MOST_KEPT = 0.4
"""Of all rows: so many are in groups that stay as they are, at most."""

MARGINS = ("All", "Total")

MAX_TERMS = 1_000_000
"""Where more people are behind figures, counted for each of them, only how figures are shown is compared."""

HOW, WHICH, ORDER = "how the figures are shown", "which figures are published", "the order of the figures"


class Figure(NamedTuple):
    """One figure of a run on secret columns."""

    key: Any
    rows: FrozenSet[int]
    form: bytes
    """Its weights."""


class Trace:
    """What a run on secret columns published: figures, and how they are shown."""

    def __init__(self, found: Cells, rows: np.ndarray, is_known: Callable[[Any, Any], bool]) -> None:
        """`is_known` tells whether a column of the table has a value."""
        self.looks: Set[str] = set(found.looks)
        self.figures: List[Figure] = []
        self._terms = 0
        self.columns: Dict[Any, List[float]] = {}
        """The public numbers beside the figures, by their columns."""
        self.places: Set[str] = {cell.name for cell in found}
        self.empty: Set[str] = set()
        """Places where nothing stands, and that are not called after values of the table."""
        for cell in found:
            if _is_gap(cell.value) and not all(is_known(name, label) for name, label in cell.where or [(None, None)]):
                self.empty.add(cell.name)
            texts = isinstance(cell.value, SecretText)
            if texts:
                self.looks.add(f"blanks {[_blanks(piece) for piece in cell.value.pieces]}")
            for place, value in enumerate(cell.value.values if texts else [cell.value]):
                if not isinstance(value, SecretValue):
                    if isinstance(value, (int, float)) and cell.where:
                        self.columns.setdefault(cell.column, []).append(float(value))
                    continue
                if value.fixed() is not None:
                    continue
                sources, weights, divisor, _, unit = value._forms.terms(0)
                self.looks.add(f"unit {unit}")
                self._terms += len(sources)
                if self._terms > MAX_TERMS:
                    self.figures.clear()
                elif not any(_INTERVAL.fullmatch(str(label)) for _, label in cell.where):
                    # Of intervals, the ends are values of a public column, and others on other rows.
                    key = (cell.name, cell.key, place)
                    self.figures.append(Figure(key, frozenset(rows[sources].tolist()), _form(sources, weights, divisor)))

    def whole(self, kept: Set[int]) -> List[bytes]:
        """The figures that are about these rows only."""
        return [each.form for each in self.figures if each.rows <= kept]

    def sets(self) -> Set[FrozenSet[int]]:
        """The rows behind figures."""
        return {each.rows for each in self.figures}


def _form(sources: Any, weights: Any, divisor: Any) -> bytes:
    order = np.argsort(sources, kind="stable")
    shares = weights[order] / divisor
    largest = float(np.abs(shares).max(initial=0.0)) or 1.0
    return np.asarray(sources[order]).tobytes() + np.round(shares / largest, 9).tobytes() + f"{largest:.9e}".encode()


def _is_gap(value: Any) -> bool:
    fixed = value.fixed() if isinstance(value, SecretValue) else value
    return fixed is None and not isinstance(value, SecretValue) or isinstance(fixed, (float, Constant)) and is_nan(fixed)


_INTERVAL = re.compile(r"[\[(][^,]+, [^,]+[\])]")

_SPACED = re.compile(r" {2,}\d+")


def _blanks(piece: str) -> str:
    """What is empty in a text: a number that is put into a column is as wide as the column, however many digits it has."""
    piece = _SPACED.sub(lambda found: f"{len(found.group())}w", piece)
    return re.sub(r"\S+", "x", piece)


class Structure:
    """Compares what is published of all rows with runs on others."""

    def __init__(self, run: Any, tables: Any, modelled: Any) -> None:
        self.run = run
        self.tables = tables
        self._values: Dict[Any, Set[Any]] = {}
        self.rows = np.concatenate([np.flatnonzero(~gaps) for gaps in tables.gaps])
        self.count = len(tables.gaps[0])
        self.all = Trace(modelled, self.rows, self._is_known)
        self.generator = np.random.default_rng(20_240_517)

    def doubt(self) -> Optional[str]:
        """What depends on numbers of rows; None if nothing is known to."""
        runs = next((runs for most, runs in RUNS if self.count <= most), 2)
        for number in range(runs):
            found = self._on_fewer(self._kept(self.all.sets(), number / max(runs - 1, 1)))
            if found is not None:
                return found
        times = max(2, min(MOST_REPEATED, ROWS_REPEATED // max(self.count, 1)))
        for _ in range(ORDER_RUNS):
            other = self._trace(self._repeated(times, self._kept(self.all.sets(), 0.7)))
            if other is not None and (found := self._order(other)):
                return found
        return self._on_more()

    def _repeated(self, times: int, kept: Set[int]) -> np.ndarray:
        """All rows, and after them those that are not kept as they are again, so that each is there so many times."""
        again = np.array([row for row in range(self.count) if row not in kept], dtype=np.int64)
        return np.concatenate([np.arange(self.count), np.tile(again, times - 1)])

    def _is_known(self, name: Any, label: Any) -> bool:
        people = self.tables.frames[self.tables.people]
        if name not in people.columns:
            return False
        if name not in self._values:
            self._values[name] = set(people[name].dropna().unique().tolist())
        return label in self._values[name] or str(label) in MARGINS

    def _kept(self, sets: Set[FrozenSet[int]], share: float) -> Set[int]:
        """The rows of some groups, chosen at random: of one, and up to a share of what is possible."""
        groups = sorted((each for each in sets if len(each) <= MOST_KEPT * self.count), key=lambda each: (len(each), sorted(each)[:3]))
        kept: Set[int] = set()
        for place in self.generator.permutation(len(groups)) if groups else ():
            if kept and len(kept | groups[place]) > MOST_KEPT * share * self.count:
                continue
            kept |= groups[place]
        return kept

    def _trace(self, rows: np.ndarray) -> Optional[Trace]:
        """What is published of some rows, of which some may be there several times; None where the function fails."""
        try:
            return Trace(self.run.on_secrets(self.tables.secret(rows)), self.rows, self._is_known)
        except Exception:
            return None

    def _on_fewer(self, kept: Set[int]) -> Optional[str]:
        part = self.generator.random(self.count) < 0.5
        part[list(kept)] = True
        other = self._trace(np.flatnonzero(part))
        if other is None:
            # Texts of public columns are trusted only where it is seen that they stay the same.
            return WHICH if any(look.startswith(TEXT) for look in self.all.looks) else None
        if not other.looks <= self.all.looks:
            return _shown(other.looks - self.all.looks, self.all.looks)
        if Counter(self.all.whole(kept)) - Counter(other.whole(kept)) or self.all.empty - other.places:
            return WHICH
        return self._of_all(other)

    def _order(self, other: Trace) -> Optional[str]:
        """The figures that are in both are in the same order, or in that of a column beside them."""
        mine, others = [each.key for each in self.all.figures], [each.key for each in other.figures]
        both = set(mine) & set(others)
        is_same = [key for key in mine if key in both] == [key for key in others if key in both]
        return None if is_same or self._is_sorted(other) else ORDER

    def _of_all(self, other: Trace) -> Optional[str]:
        """The same figure that is published several times is so wherever it is, and figures of everybody are always there."""
        keys = {each.key for each in other.figures}
        groups: Dict[bytes, List[Any]] = {}
        for each in self.all.figures:
            groups.setdefault(each.form, []).append(each.key)
        for same in groups.values():
            if len(same) > 1 and 0 < sum(key in keys for key in same) < len(same):
                return WHICH
        everybody = frozenset(self.rows.tolist())
        if any(each.rows == everybody and each.key not in keys for each in self.all.figures):
            return WHICH
        return None

    def _is_sorted(self, other: Trace) -> bool:
        """Whether the rows are in the order of a column that is published with them."""
        for name, values in self.all.columns.items():
            others = other.columns.get(name, [])
            for sign in (1, -1):
                if all(_ascends([sign * value for value in each]) for each in (values, others)):
                    return True
        return False

    def _on_more(self) -> Optional[str]:
        times = min(MOST_REPEATED, ROWS_REPEATED // max(self.count, 1))
        more = self._trace(self._repeated(times, set())) if times > 1 else None
        if more is None:
            return None
        if not self.all.looks <= more.looks:
            return _shown(self.all.looks - more.looks, more.looks)
        found = self._order(more)
        if found is not None:
            return found
        if more.empty - self.all.places:
            return WHICH
        known = {each.key for each in self.all.figures}
        forms = {each.form for each in more.figures if each.key in known}
        if any(each.key not in known and each.form in forms for each in more.figures):
            return WHICH
        mine = self.all.sets()
        new = {each for each in more.sets() if each not in mine}
        for _ in range(2 if new else 0):
            kept = self._kept(new, 0.5)
            other = self._trace(self._repeated(times, kept))
            if other is None:
                return None
            shown = other.sets()
            if any(each in shown if each <= kept else each not in shown and not each & kept for each in new):
                return WHICH
        return None


def _ascends(values: Sequence[float]) -> bool:
    return len(set(values)) > 1 and all(one <= other for one, other in zip(values, values[1:]))


def _shown(looks: Set[str], others: Set[str]) -> str:
    example = sorted(looks)[0]
    return f"{HOW} (`{example[:60]}`)" if len(looks) + len(others) else HOW
