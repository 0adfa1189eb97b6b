"""Whether runs of a program agree: on secret columns, on the real values, and on other values in their place.

Whoever tells secret columns and numbers apart can publish by the very texts that it prints, or by staying silent. So what does
not follow from the forms of the figures has to be the same in every run, whatever the secrets are.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, List, Optional, Tuple

import numpy as np

from ._live_release import Cell, Cells, Said
from ._live_text import SecretText
from ._publish import Constant
from ._secret import SecretValue

CANCELLED = 1e-12
"""Of the size of the secrets: what rounding may leave where they cancel out."""

TOLERANCE = 1e-9
"""Relative to the size of a figure's parts: more is never allowed between a form and a number."""

ROUNDING = 4.0 * 2.0**-52
"""Of all that is added up, for each number that is added: what the real run may lose, in an order of its own."""

DIFFERENT = "an audited function must do the same with secret columns as with numbers, and must not draw random numbers"


def allowed(terms: Tuple[Any, ...], truths: np.ndarray, loosely: bool) -> float:
    """How far a number may be from its form; `loosely` where equations are solved, which lose more digits than sums."""
    sources, weights, divisor, offset, _ = terms
    size = float(np.abs(weights * truths[sources]).sum() / abs(divisor)) + abs(offset)
    if loosely:
        return TOLERANCE * size
    # What cancelled out on the way may have been as large as everything together.
    largest = float(np.abs(weights).max(initial=0.0) / abs(divisor))
    whole = largest * float(np.abs(truths).sum()) + abs(offset)
    return min(TOLERANCE * size, ROUNDING * (len(truths) + 1) * whole)


def is_nan(value: Any) -> bool:
    """Whether it is a gap."""
    return (isinstance(value, float) and value != value) or (isinstance(value, Constant) and str(value) in ("nan", "NaN", "<NA>", "NaT"))


def same(one: Any, other: Any) -> bool:
    """Whether two public values are the same, but for how the last digits of decimals were rounded."""
    if isinstance(one, float) or isinstance(other, float):
        numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
        return numbers and abs(one - other) <= CANCELLED * max(abs(one), abs(other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return type(one) is type(other) and one == other


def check_names(run: Any, one: List[Cell], other: List[Cell]) -> None:
    """Both runs publish figures of the same names."""
    names, others = [cell.name for cell in one], [cell.name for cell in other]
    if names == others:
        return
    # The one that the longer list has more often than the other is not in both.
    longer, shorter = (names, others) if len(names) > len(others) else (others, names)
    more = Counter(longer) - Counter(shorter)
    if more:
        message = f"with the real values the function publishes different figures: `{next(iter(more))}` is not in both runs"
    else:
        moved = next(a for a, b in zip(names, others) if a != b)
        message = f"with the real values the function publishes its figures in a different order: `{moved}` has a different position"
    raise run.refuse("P808", message, DIFFERENT)


def first_difference(one: List[Said], other: List[Said]) -> Optional[Said]:
    """The first text that is not in both runs."""
    for a, b in zip(one, other):
        if a != b:
            return a if a.line <= b.line else b
    more = one[len(other) :] or other[len(one) :]
    return more[0] if more else None


def check_said(run: Any, one: List[Cell], other: List[Cell]) -> None:
    """Both runs publish the same texts of the script, as often, in the same order."""
    said = first_difference(getattr(one, "said", []), getattr(other, "said", []))
    if said is None:
        return
    message = f"with other values in the secret column, different strings or tables are published: {said.text.strip()[:60]!r} is not in both runs"
    raise run.refuse("P808", message, "publish strings, names and shapes that do not depend on the secret", said.line)


def written(text: SecretText, real: Any) -> Optional[List[Tuple[float, float]]]:
    """The numbers in a text, and to multiples of what each is rounded."""
    return text.numbers(real) if isinstance(real, str) else None


class Elsewhere:
    """Compares what a run on the real values published with runs on other values."""

    def __init__(self, run: Any, tables: Any, modelled: List[Cell], real: List[Cell]) -> None:
        self.run = run
        self.tables = tables
        self.modelled = modelled
        self.real = real

    def check(self) -> None:
        """Runs the program on other values of the secrets."""
        for sign in (1, -1):
            frames, truths = self.tables.other(sign)
            try:
                found = self.run.publish(frames)
            except Exception as error:
                message = f"with other values in the secret column the function fails ({type(error).__name__}: {error})"
                raise self.run.refuse("P808", message, DIFFERENT) from error
            del frames
            check_names(self.run, self.modelled, found)
            check_said(self.run, self.modelled, found)
            for one, real, other in zip(self.modelled, self.real, found):
                self._cell(one, real, other, truths)
        self.run.check_left()

    def _cell(self, one: Cell, real: Cell, other: Cell, truths: np.ndarray) -> None:
        if isinstance(one.value, SecretText):
            self._text(one, real.value, other.value, truths)
            return
        if isinstance(one.value, SecretValue) and one.value.fixed() is None:
            self._number(one.name, one.value._forms, real.value, other.value, 0.0, truths)
            return
        if is_nan(real.value) and is_nan(other.value):
            return
        if isinstance(one.value, SecretValue) and isinstance(real.value, float) and isinstance(other.value, float):
            # What cancels out leaves the rounding of floats.
            largest = float(np.abs(truths).max(initial=0.0))
            if abs(real.value - other.value) <= 2 * CANCELLED * largest + CANCELLED * abs(real.value):
                return
        elif type(real.value) is type(other.value) and real.value == other.value:
            return
        raise self._refused(one.name)

    def _text(self, one: Cell, real: Any, other: Any, truths: np.ndarray) -> None:
        numbers, others = written(one.value, real), written(one.value, other)
        if numbers is None or others is None:
            raise self._refused(one.name)
        for value, (number, unit), (another, its) in zip(one.value.values, numbers, others):
            self._number(one.name, value._forms, number, another, max(unit, its), truths)

    def _number(self, name: str, forms: Any, real: Any, other: Any, digits: float, truths: np.ndarray) -> None:
        terms = forms.terms(0)
        unit = terms[4]
        wanted = float(forms.at(truths)[0])
        room = allowed(terms, truths, self.run.loosely)
        is_number = isinstance(other, (int, float)) and not isinstance(other, bool)
        if not is_number or not abs(float(other) - wanted) <= room + max(unit, digits) * (0.5 + TOLERANCE):
            raise self._refused(name)
        if unit > digits:
            # Rounded values differ by multiples of the unit, whatever was added to them.
            steps = (float(other) - float(real)) / unit
            least = allowed(terms, self.tables.truths, self.run.loosely)
            if not abs(steps - round(steps)) * unit <= room + least + digits:
                raise self._refused(name)

    def _refused(self, name: str) -> BaseException:
        message = f"`{name}` does not depend on the secret as the run on secret columns predicts, when other values are substituted"
        return self.run.refuse("P808", message, DIFFERENT)


def depends_on_rows(one: Cells, other: Cells) -> Optional[Said]:
    """The first text of the script that a run on other rows published otherwise."""
    mine, others = ([each._replace(after=0) for each in found.said if each.is_written] for found in (one, other))
    return first_difference(mine, others)
