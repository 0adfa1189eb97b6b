"""Runs a function on numbers too: they must come out as what the random variables stand for.

Code can tell a random variable from a number: by its type, by the `object` columns of pandas, by errors that are caught.
Then what was recorded is not what will be published. No list of such cases is ever complete, so they are not looked for;
the results are compared. What is done to numbers only may depend on them ("nobody earns more than 90"), so they are of
several kinds.
"""

from __future__ import annotations

import enum
import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._discrete import DiscretePrior
from ._privug import Random, RandomVector, Recorder
from ._publish import Labelled, Tree, flatten, step
from ._recording import Recording
from ._worlds import Told, Worlds

RELATIVE = 1e-6
ROUNDING = 16 * float(np.finfo(float).eps)
"""Sums of many numbers may cancel, and what is left is their rounding: of the largest, times the root of how many."""


class Point(enum.Enum):
    """Which numbers distributions give."""

    USUAL = enum.auto()
    """Numbers that they might well give."""
    MEANS = enum.auto()
    FAR = enum.auto()
    """Many standard deviations away, each in a direction and at a distance of its own (10 to 1000, evenly on a logarithmic
    scale), so that sums and differences are far away too: beyond every limit that matters."""
    OPPOSITE = enum.auto()
    """As far away on the other side."""


class Rehearsal(Recording):
    """A run in which each distribution gives a number."""

    def __init__(self, path: str, text: str, first_free: int, point: Point, worlds: Worlds) -> None:
        super().__init__(path, text, first_free)
        self.running = False
        self.worlds = Told(worlds)
        self._point = point
        self._draw = np.random.Generator(np.random.PCG64(20_240_229))
        self._noise: List[np.ndarray] = []

    @property
    def noise(self) -> np.ndarray:
        """What distributions have added to their means, in order."""
        return np.concatenate(self._noise) if self._noise else np.zeros(0)

    def _add_noise(self, mean: Any, scale: Any, size: Optional[int]) -> Any:
        mean, scale = np.asarray(mean, dtype=float), np.abs(np.asarray(scale, dtype=float))
        shape = np.broadcast_shapes(mean.shape, scale.shape, () if size is None else (size,))
        noise = scale * self._deviations(shape)
        drawn = mean + noise
        self._noise.append(np.ravel(noise))
        return drawn if shape else float(drawn)

    def _deviations(self, shape: Tuple[int, ...]) -> np.ndarray:
        """By how many standard deviations each number is away from its mean."""
        drawn = self._draw.standard_normal(shape)
        if self._point is Point.USUAL:
            return drawn
        if self._point is Point.MEANS:
            return np.zeros(shape)
        far = np.sign(drawn) * 10 * 100 ** self._draw.uniform(0, 1, shape)
        return far if self._point is Point.FAR else -far

    def create(self, prior: Any) -> Any:
        return prior.create(self) if isinstance(prior, DiscretePrior) else prior.draw(self._add_noise)

    def see(self, name: str, variable: Any, value: Any, spread: Any, is_std_dev: bool) -> None:
        """Evidence changes nothing in what a function computes."""

    def see_event(self, name: str, happened: bool) -> None:
        """Nor do events."""

    def gaussian_mechanism(
        self, name: str, variable: Any, sensitivity: Any, epsilon: Any, delta: Any, calibration: str
    ) -> Any:
        return self._add_noise(variable, sensitivity, None)


def difference(
    recorder: Recorder, recorded: Tree, rehearsal: Rehearsal, numbers: Tree, units: Dict[str, Any], texts: Dict[str, Any]
) -> Optional[str]:
    """What differs between a recorded result and that of the run on numbers; None if nothing does.

    `units` are those that outputs are rounded to, and `texts` those that are shown in texts, by their paths.
    """
    parts = [leaf for leaf, _, _ in flatten(recorded) if isinstance(leaf, (Random, RandomVector))]
    noise = rehearsal.noise
    rehearsed = recorder.rehearse(noise, parts)
    if rehearsed is None:
        # Comparisons come out otherwise with these numbers, and another run is the one to compare with.
        return None
    played, largest = rehearsed
    absolute = ROUNDING * math.sqrt(max(1, len(noise))) * largest
    return _Comparison(iter(played), absolute, units, texts).compare(recorded, numbers, "")


class _Comparison:
    def __init__(self, played: Any, absolute: float, units: Dict[str, Any], texts: Dict[str, Any]) -> None:
        self.played = played
        self.absolute = absolute
        self.units = dict(units)
        self.texts = texts

    def compare(self, left: Tree, right: Tree, path: str) -> Optional[str]:
        if path in self.texts:
            found = self.texts[path].numbers(right) if type(right) is str else None
            if found is None:
                return f"`return{path}` is another text"
            is_one = not isinstance(left, list)
            for place, (_, unit) in enumerate(found):
                where = path if is_one else f"{path}[{place}]"
                self.units[where] = max(unit, self.units.get(where, 0.0))
            right = found[0][0] if is_one else [number for number, _ in found]
        if isinstance(left, Labelled) or isinstance(right, Labelled):
            a, b = _labels(left), _labels(right)
            if a != b:
                extra = [each for each in (b or []) if each not in (a or [])]
                return f"`return{path}{step(extra[0])}` is published" if extra else f"`return{path}` has other parts"
            pairs = [(step(key), left[key], right[key]) for key in left]
        elif isinstance(left, list):
            right = right.tolist() if isinstance(right, np.ndarray) else right
            if not isinstance(right, list) or len(left) != len(right):
                return f"`return{path}` has other parts"
            pairs = [(f"[{place}]", a, b) for place, (a, b) in enumerate(zip(left, right))]
        else:
            return None if self.close(left, right, self.units.get(path, 0.0)) else f"`return{path}` is another value"
        for inner, a, b in pairs:
            found = self.compare(a, b, path + inner)
            if found is not None:
                return found
        return None

    def close(self, left: Any, right: Any, unit: Any) -> bool:
        if isinstance(left, (Random, RandomVector)):
            left = next(self.played)
        elif left is None or isinstance(left, str) or right is None or isinstance(right, str):
            return bool(type(left) is type(right) and left == right)
        try:
            a, b = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
        except (TypeError, ValueError):
            return False
        except OverflowError:
            # Integers beyond the range of doubles.
            return bool(left == right)
        if a.size != b.size:
            return False
        a, b = a.ravel(), b.ravel()
        allowed = RELATIVE * np.maximum(np.abs(a), np.abs(b)) + self.absolute + 0.5 * np.asarray(unit)
        return bool(np.all(np.abs(a - b) <= allowed))


def _labels(tree: Tree) -> Any:
    return list(tree) if isinstance(tree, Labelled) else None
