"""What a release publishes on secret columns, and what it publishes with the real values, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import numpy as np

from ._live_between import Between
from ._live_compare import CANCELLED, DIFFERENT, TOLERANCE, Elsewhere, allowed, check_names, check_said, is_nan, same, written
from ._live_counts import Counts
from ._live_doubt import doubtful
from ._live_structure import Structure
from ._live_release import Cell, Cells, Where, kind
from ._live_text import SecretText
from ._privug import Forms
from ._publish import Constant
from ._secret import SecretValue

if TYPE_CHECKING:
    from ._live_audit import Tables


MAX_BESIDE = 4
"""With how many figures of the same labels a count is compared."""


class Paired:
    """What both runs published, side by side."""

    def __init__(self, run: Any, tables: Tables, modelled: List[Cell], real: Optional[List[Cell]]) -> None:
        """Without a real run, the figures are what the run on secret columns tells them to be."""
        self.run = run
        self.tables = tables
        self.figures: List[Tuple[str, int, int]] = []
        self.parts: List[Forms] = []
        self._cells: List[Cell] = []
        self._texts: List[Between] = []
        self._rounded: Dict[Any, str] = {}
        self.counts: List[Any] = []
        self.unexamined: List[Any] = []
        self.notes: List[str] = []
        elsewhere: Optional[Elsewhere] = None
        if real is None:
            labels = getattr(modelled, "labels", {})
            real = Cells(Cell(cell.name, self._value(cell.value), cell.where, cell.column) for cell in modelled)
            real.labels.update(labels)
        else:
            check_names(run, modelled, real)
            check_said(run, modelled, real)
            # What is compared in a moment takes the place of what was published.
            elsewhere = Elsewhere(run, tables, _copied(modelled), _copied(real))
        public = []
        empty = []
        for one, other in zip(modelled, real):
            if isinstance(one.value, SecretText):
                self._in_text(one, other)
                continue
            if isinstance(one.value, SecretValue):
                fixed = one.value.fixed()
                if fixed is None:
                    self._figure(one, other)
                    continue
                one.value = float(fixed) if fixed == fixed else Constant(fixed)
                # What cancels out leaves the rounding of floats in the real run.
                if isinstance(other.value, float) and abs(other.value - float(fixed)) <= CANCELLED * self._largest():
                    other.value = one.value
            if is_nan(one.value) and is_nan(other.value):
                empty.append(one.name)
            elif not same(one.value, other.value):
                message = f"`{one.name}` is {other.value!r} with the real values, and {one.value!r} on secret columns"
                raise run.refuse("P808", message, DIFFERENT)
            elif one.value is not None and not self._shows_everybody(other):
                public.append(other)
        if empty:
            more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
            self.notes.append(f"`{empty[0]}`{more}: published as NaN, because there are no values in it, which anybody can see")
        self._check_rounded()
        if elsewhere is not None:
            elsewhere.check()
        behind = Counts(run, tables, public, self._beside(public), real, self._texts)
        for between in self._texts:
            self._between(between, behind.texts.is_known)
        for cell in public:
            place = self._place(cell)
            rows = behind.rows(cell)
            if rows is not None:
                self.counts.append((place, int(cell.value), None if rows.all() else np.flatnonzero(rows).astype(np.int64)))
            else:
                number = float(cell.value) if isinstance(cell.value, (int, float)) else None
                self.unexamined.append((place, kind(cell.value), number))
        if behind.said is not None:
            start = run.text.byte(behind.said.line, 0)
            name = f"which texts are published, line {behind.said.line}"
            self.unexamined.append(((name, start, start), "a text", None))
        doubt = Structure(run, tables, modelled).doubt() if elsewhere is not None else None
        if doubt is not None:
            self.unexamined.append(((doubt, run.start, run.end), "a text", None))
        for label in behind.labels:
            self.unexamined.append(((f"the label `{label}`", run.start, run.end), "a text", None))

    def _check_rounded(self) -> None:
        """Refuses figures of which the last digits of weights would decide what they tell."""
        place, self.parts = doubtful(self.parts)
        if place is None:
            return
        hint = "remove it, since others reveal the same, or compute it with numbers of few digits"
        message = "there are too many figures with rounded weights to decide whether they follow from each other"
        if place >= 0:
            message = f"`{self.figures[place][0]}` may follow from other figures, but its weights are rounded, and their last digits decide"
        raise self.run.refuse("P504", message, hint)

    def _beside(self, public: List[Cell]) -> Dict[Where, List[np.ndarray]]:
        """The rows behind the figures that have the labels of something public."""
        wanted = {cell.where for cell in public if cell.where}
        found: Dict[Where, List[np.ndarray]] = {}
        for cell, forms in zip(self._cells, self.parts):
            if cell.where in wanted and len(found.get(cell.where, [])) < MAX_BESIDE:
                found.setdefault(cell.where, []).append(self._behind(forms))
        return found

    def _value(self, value: Any) -> Any:
        return float(value._forms.at(self.tables.truths)[0]) if isinstance(value, SecretValue) else value

    def _place(self, cell: Cell) -> Tuple[str, int, int]:
        start, end = cell.place or (self.run.start, self.run.end)
        return cell.name, start, end

    def _largest(self) -> float:
        """The size of the secrets."""
        return float(np.abs(self.tables.truths).max(initial=0.0))

    def _in_text(self, cell: Cell, other: Cell) -> None:
        """Takes up the figures in a text, and what else is in it that does not stand in the file."""
        numbers = written(cell.value, other.value)
        if numbers is None:
            message = f"`{cell.name}` is another text with the real values"
            raise self.run.refuse("P808", message, DIFFERENT)
        several = len(numbers) > 1
        for place, (value, (number, unit)) in enumerate(zip(cell.value.values, numbers)):
            parts = [Cell(f"{cell.name} ({place + 1})" if several else cell.name, each) for each in (value, number)]
            parts[0].place = cell.place
            self._figure(parts[0], parts[1], unit)
        rest = [piece for piece in cell.value.pieces if piece.strip() and not self._is_written(piece.strip())]
        if rest:
            behind = [self._behind(value._forms) for value in cell.value.values]
            behind.append(np.ones(len(self.tables.gaps[0]), dtype=bool))
            different = [rows for at, rows in enumerate(behind) if not any((rows == each).all() for each in behind[:at])]
            self._texts.append(Between(cell, cell.value.pieces, cell.value.marks, rest, different))

    def _shows_everybody(self, cell: Cell) -> bool:
        """Whether a text says how many people there are, and no other number: `f"All {len(people)} people"`."""
        if not isinstance(cell.value, str) or not any(map(str.isdigit, cell.value)):
            return False
        everybody = np.ones(len(self.tables.gaps[0]), dtype=bool)
        text = Between(cell, [cell.value], (",", "."), [cell.value], [everybody])
        if text.has_numbers or not text.counts:
            return False
        self._texts.append(text)
        return True

    def _is_written(self, piece: str) -> bool:
        """Whether the program has a piece of text; with digits, as a string: `2` also stands in `2024`."""
        if any(map(str.isdigit, piece)):
            return piece in self.run.written
        return piece in self.run.definition.text

    def _between(self, between: Between, is_known: bool) -> None:
        """Takes up the counts in a text, and what nobody looked into."""
        place = self._place(between.cell)
        if not is_known:
            self.unexamined += [(place, "a text", None) for _ in between.rest]
            return
        for number, sets in between.counts:
            if len(sets) == 1:
                self.counts.append((place, number, None if sets[0].all() else np.flatnonzero(sets[0]).astype(np.int64)))
            else:
                self.unexamined.append((place, "a number", float(number)))

    def _behind(self, forms: Forms) -> np.ndarray:
        """The rows that a figure is made of."""
        rows = np.concatenate([np.flatnonzero(~gaps) for gaps in self.tables.gaps])
        behind = np.zeros(len(self.tables.gaps[0]), dtype=bool)
        behind[rows[forms.terms(0)[0]]] = True
        return behind

    def _figure(self, cell: Cell, other: Cell, written_to: float = 0.0) -> None:
        forms = cell.value._forms
        sources, weights, divisor, offset, unit = forms.terms(0)
        unit = max(unit, written_to)
        wanted = float(forms.at(self.tables.truths)[0])
        room = allowed((sources, weights, divisor, offset, unit), self.tables.truths, self.run.loosely) + unit * (0.5 + TOLERANCE)
        value = other.value
        if isinstance(value, (bool, str)) or not isinstance(value, (int, float)) or not abs(float(value) - wanted) <= room:
            shown = repr(value) if not isinstance(value, str) else value
            message = f"`{cell.name}` is {shown} with the real values, where the run on secret columns tells {wanted!r}"
            raise self.run.refuse("P808", message, DIFFERENT)
        if unit > 0 and not any("rounded" in note for note in self.notes):
            self.notes.append("rounded values are judged as if published unrounded")
        if forms.is_rounded:
            # The very same weights tell nothing more, whatever their last digits are.
            same = (sources.tobytes(), weights.tobytes(), divisor)
            if same in self._rounded:
                self.notes.append(f"`{cell.name}` is published a second time: it is `{self._rounded[same]}`")
                return
            self._rounded[same] = cell.name
        self.figures.append(self._place(cell))
        self._cells.append(cell)
        self.parts.append(forms)

    def forms(self) -> Forms:
        """All figures."""
        return Forms.concat(self.parts) if self.parts else Forms.of_numbers(np.zeros(0))


def _copied(found: List[Cell]) -> Cells:
    copied = (Cell(cell.name, cell.value) for cell in found)
    return Cells(copied, getattr(found, "said", ()))
