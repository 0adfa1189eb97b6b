"""Who is behind the counts that a function publishes.

pandas counts rows by itself, and a count is a plain number. Its labels tell which rows it should be of, and so does a figure
about secrets with the same labels, as a mean beside its number of people. Whether it is the number of these rows is tested by running the function on parts of the table, chosen at random: a count of other rows would
change otherwise. Where that is not so, nothing is known about the number, and the audit says so.

Labels, headings and names of files may show counts as well (`north (n=3)`). Those of groups are the same on fewer rows, or gone;
what shows a number of rows is another label then.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._live_between import Between, Betweens
from ._live_compare import depends_on_rows
from ._live_release import Cell, Cells, Said, Where

RUNS = 6
"""A count of other rows is found out with at least half a chance in each run."""

MANY_ROWS, RUNS_FOR_LABELS = 100_000, 2
"""From how many rows on only so many runs are made where there are no counts."""

MARGINS = ("All", "Total")

MOST_REPEATED, ROWS_REPEATED = 8, 20_000
"""How often every row is repeated at most, and up to how many rows: a label that shows 1 or 2 rows may be one of others on fewer."""

MAX_LABELS = 3
"""How many labels are named."""


class Counts:
    """The rows behind published numbers."""

    def __init__(
        self, run: Any, tables: Any, public: List[Cell], beside: Dict[Where, List[np.ndarray]], real: List[Cell], texts: List[Between]
    ) -> None:
        """`beside` are the rows behind figures, by the labels of the figures; `real` is all that was published."""
        self.texts = Betweens(texts, real)
        self.run = run
        self.beside = beside
        self.tables = tables
        self.people = tables.frames[tables.people]
        self.found: Dict[int, np.ndarray] = {}
        self._masks: Dict[Tuple[Any, Any], Optional[np.ndarray]] = {}
        candidates = {id(cell): (cell, self._candidates(cell)) for cell in public if _is_count(cell.value)}
        candidates = {key: each for key, each in candidates.items() if each[1]}
        self.said: Optional[Said] = None
        """A text of the script that is published about some rows and not about others."""
        self.labels: List[str] = []
        """Labels that are other ones on other rows."""
        self._real = Cells(real, getattr(real, "said", ()))
        self._real.labels.update(getattr(real, "labels", {}))
        if candidates or texts or self._real.labels or any(each.is_written for each in self._real.said):
            self._test(candidates)

    def rows(self, cell: Cell) -> Optional[np.ndarray]:
        """Which rows a number is the number of; None if that is not known."""
        return self.found.get(id(cell))

    def _candidates(self, cell: Cell) -> List[np.ndarray]:
        """Sets of as many rows as the number says: those of the labels, and those of them that have a value."""
        rows = self._labelled(cell)
        sets = list(self.beside.get(cell.where, []))
        if rows is not None:
            column = cell.column[-1] if isinstance(cell.column, tuple) and cell.column else cell.column
            sets += [rows, *(rows & ~gaps for gaps in self.tables.gaps)]
            if isinstance(column, str) and column in self.people.columns:
                sets.append(rows & self.people[column].notna().to_numpy(dtype=bool))
        fitting: List[np.ndarray] = []
        for each in sets:
            if int(each.sum()) == int(cell.value) and not any((each == other).all() for other in fitting):
                fitting.append(each)
        return fitting

    def _labelled(self, cell: Cell) -> Optional[np.ndarray]:
        """The rows that have the labels of a cell; None where a label is not of the table."""
        rows = np.ones(len(self.people), dtype=bool)
        for name, label in cell.where:
            mask = self._mask(name, label)
            if mask is not None:
                rows = rows & mask
            elif label not in MARGINS:
                return None
        return rows

    def _mask(self, name: Any, label: Any) -> Optional[np.ndarray]:
        if (name, label) not in self._masks:
            self._masks[name, label] = self._matching(name, label)
        return self._masks[name, label]

    def _matching(self, name: Any, label: Any) -> Optional[np.ndarray]:
        if name not in self.people.columns or name in self.tables.columns:
            return None
        column = self.people[name]
        try:
            found = (column == label).to_numpy(dtype=bool, na_value=False)
            return found if found.any() else (column.astype(str) == str(label)).to_numpy(dtype=bool)
        except (TypeError, ValueError):
            return None

    def _test(self, candidates: Dict[int, Tuple[Cell, List[np.ndarray]]]) -> None:
        generator = np.random.default_rng(20_240_229)
        for _ in range(RUNS if candidates or self.texts.has_numbers or len(self.people) <= MANY_ROWS else RUNS_FOR_LABELS):
            part = generator.random(len(self.people)) < 0.5
            try:
                published = self.run.publish(self.tables.real(part))
            except Exception:
                # With fewer rows the function fails: then nothing is known.
                self.said = next((each for each in self._real.said if each.is_written), None)
                self._repeat()
                self.labels = self.labels or self._numbered()
                self.texts.is_known = False
                return
            self.texts.test(published, part)
            self.said = self.said or depends_on_rows(self._real, published)
            if any(label not in self._real.labels for label in published.labels):
                self._note(published)
            again = {cell.key: cell.value for cell in published}
            kept = {}
            for key, (cell, sets) in candidates.items():
                value = again.get(cell.key, 0)
                fitting = [rows for rows in sets if _is_count(value) and int((rows & part).sum()) == int(value)]
                if fitting:
                    kept[key] = (cell, fitting)
            candidates = kept
        self.found = {key: sets[0] for key, (_, sets) in candidates.items() if len(sets) == 1}
        self._repeat()

    def _repeat(self) -> None:
        """Compares texts and labels with those of a run in which all rows are there several times."""
        times = min(MOST_REPEATED, ROWS_REPEATED // max(len(self.people), 1))
        if times < 2:
            self.texts.not_repeated()
            return
        try:
            published = self.run.publish(self.tables.repeated(times))
        except Exception:
            # People who are there more than once are too much for it.
            self.texts.not_repeated()
            return
        self.texts.test(published, np.ones(len(self.people), dtype=bool), times)
        self.said = self.said or depends_on_rows(self._real, published)
        # Groups that were left out because they are small may be there now.
        if any(label not in published.labels for label in self._real.labels):
            self._note(published)

    def _note(self, published: Cells) -> None:
        """Takes up labels that are others in a run on other rows."""
        known = self._real.labels
        self.labels = self.labels or ([label for label in known if label not in published.labels] or list(known))[:MAX_LABELS]

    def _numbered(self) -> List[str]:
        """Labels with numbers in them that stand neither in the tables nor in the program: where it cannot be run on other rows."""
        frames = [frame for frame in self.tables.frames.values()]
        names = {str(each) for frame in frames for name in (*frame.columns, *frame.index.names) for each in (name if isinstance(name, tuple) else (name,))}
        known = names | set(getattr(self.run, "written", ()))
        found = [shown for shown in self._real.labels if any(map(str.isdigit, shown)) and shown not in known]
        for frame in frames if found else ():
            for name in frame.columns:
                if not (frame is self.people and name in self.tables.columns):
                    values = set(frame[name].astype(str))
                    found = [shown for shown in found if shown not in values]
        return found[:MAX_LABELS]


def _is_count(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value >= 0 and float(value).is_integer()
