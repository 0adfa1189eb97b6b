"""Runs of a function, one for each combination of the discrete values that it asks for.

CPython does not let anybody take both ways of an `if`. So a choice gives an ordinary value, the function is run with it,
and run again with the next one: what each run records holds in the worlds in which the choices have these values.
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

from ._privug import Recorder
from ._recording import CURRENT
from ._refused import value_refusal

MAX_RUNS = 4096
"""More combinations are not run."""

ELSEWHERE = (
    "pass the program as a file, `privug.analyze('program.py')`, or as source='...': it is then not run, and sums over "
    "many people need no combinations"
)


class Asked:
    """A value that a run was told."""

    def __init__(self, at: int, values: Sequence[Any], steps: int, is_drawn: bool) -> None:
        self.at = at
        self.values = values
        self.steps = steps
        """How many steps were recorded before."""
        self.is_drawn = is_drawn
        """Whether it is the value of a choice, and not how a comparison comes out."""

    @property
    def value(self) -> Any:
        return self.values[self.at]


class Worlds:
    """What one run is told, and what it asked for."""

    def __init__(self, told: Sequence[int] = ()) -> None:
        self.told = told
        self.asked: List[Asked] = []

    @property
    def have_told(self) -> bool:
        """Whether some value of this run may be that of a choice."""
        return bool(self.asked)

    def tell(self, recorder: Recorder, step: int, values: Sequence[Any], is_drawn: bool) -> Any:
        """One of the values that a step can have."""
        if len(values) == 1:
            return values[0]
        if len(values) > MAX_RUNS:
            message = f"the function inspects a value that can be one of {len(values)}, and is run for each of them"
            raise value_refusal("P609", message, ELSEWHERE)
        place = len(self.asked)
        at = self.told[place] if place < len(self.told) else 0
        self.asked.append(Asked(min(at, len(values) - 1), values, len(recorder), is_drawn))
        recorder.assume(step, self.asked[-1].value)
        return self.asked[-1].value

    def next(self) -> Optional[Tuple[List[int], int]]:
        """What the next run is told, and how many of its first steps are those of this one."""
        for place in reversed(range(len(self.asked))):
            last = self.asked[place]
            if last.at + 1 < len(last.values):
                return [each.at for each in self.asked[:place]] + [last.at + 1], last.steps
        return None

    def left(self) -> int:
        """At least so many runs are needed besides this one."""
        return sum(len(each.values) - each.at - 1 for each in self.asked)


class Told(Worlds):
    """The values that choices had in another run, for a run on numbers, where comparisons come out by themselves."""

    def __init__(self, worlds: Worlds) -> None:
        super().__init__()
        self._values = [each.value for each in worlds.asked if each.is_drawn]
        self._has_values = bool(self._values)

    @property
    def have_told(self) -> bool:
        return self._has_values

    def tell(self, recorder: Recorder, step: int, values: Sequence[Any], is_drawn: bool) -> Any:
        if len(values) == 1:
            return values[0]
        # A run on numbers may take another way, and is not compared then.
        return self._values.pop(0) if self._values else values[0]


def compared(recorder: Recorder, step: int) -> Optional[bool]:
    """How the comparison of a random variable with a number comes out in this run; None if this is no run."""
    recording = CURRENT.get()
    if recording is None or recording.recorder is not recorder or not recording.running:
        return None
    return bool(recording.worlds.tell(recorder, step, (False, True), is_drawn=False))


def too_many(count: int) -> Exception:
    """Why more runs are not made."""
    message = f"the function inspects more than {count} combinations of discrete values, and would be run once for each"
    return value_refusal("P609", message, ELSEWHERE)
