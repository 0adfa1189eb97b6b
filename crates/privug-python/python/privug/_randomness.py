"""Finds out whether a function draws random numbers that the analysis does not know about."""

from __future__ import annotations

import copy
import os
import random
import sys
import threading
from types import CodeType, FunctionType
from typing import Any, Callable, Dict, List, Mapping, Optional, Set, Tuple

import numpy as np

from ._privug import Random, RandomVector
from ._publish import Labelled
from ._recording import Recording, concerned

INSTEAD = (
    "write noise as privug.Normal(0, std=...) or privug.gaussian_mechanism(...), draw from a generator made inside "
    "the function with a seed, or give the path of the file instead of the function: random numbers are understood "
    "where a program is analysed from its source"
)
SEEDED = "a generator with a fixed seed is used: its numbers are treated as constants known to the attacker"

_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState, np.random.BitGenerator)
_ATOMS = {int, float, bool, str, bytes, type(None)}
_FACTORIES = {"default_rng", "RandomState", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"}


_SEED_BYTES = 16
"""numpy asks for as many for every generator, also for a `RandomState` that gets a seed afterwards."""

MORE_RUNS = 8
"""How many more runs must record the same if it may have no seed."""


class Dice:
    """The state of the generators that Python and numpy share with everybody."""

    def __init__(self) -> None:
        legacy: Any = np.random.get_state(legacy=False)
        self.python = random.getstate()
        self.numpy = (legacy["state"]["key"].tobytes(), legacy["state"]["pos"], legacy["has_gauss"], legacy["gauss"])

    def changed(self, later: Dice) -> Optional[str]:
        """Which of them has drawn since."""
        if self.python != later.python:
            return "random"
        return "np.random" if self.numpy != later.numpy else None


class Entropy:
    """Watches for the randomness of the system while a function runs: a choice of two is the same in half of two runs.

    `SystemRandom`, `secrets` and generators without a seed ask for it; so does the function itself with `os.urandom`. Other
    packages may, for names that nobody sees.
    """

    _lock = threading.Lock()
    _watching = 0
    _originals: Tuple[Any, ...] = ()

    def __init__(self, recording: Recording) -> None:
        self.recording = recording

    def __enter__(self) -> None:
        with Entropy._lock:
            Entropy._watching += 1
            if Entropy._watching == 1:
                Entropy._originals = (os.urandom, vars(random)["_urandom"], random.Random.seed)
                _patch(_told(os.urandom, True), _told(vars(random)["_urandom"], False), _told_seed(random.Random.seed))

    def __exit__(self, *_: object) -> None:
        with Entropy._lock:
            Entropy._watching -= 1
            if Entropy._watching == 0:
                _patch(*Entropy._originals)


def _patch(of_system: Any, of_random: Any, seed: Any) -> None:
    os.urandom = of_system
    vars(random)["_urandom"] = of_random
    random.Random.seed = seed  # type: ignore[method-assign]


def _note(only_of_function: bool, size: int) -> None:
    for recording in concerned():
        if recording.entropy or (only_of_function and sys._getframe(2).f_code.co_filename != recording.program.path):
            continue
        recording.entropy = None if size == _SEED_BYTES else True


def _told(function: Callable[[int], bytes], only_of_function: bool) -> Callable[[int], bytes]:
    def told(size: int) -> bytes:
        _note(only_of_function, size)
        return function(size)

    return told


def _told_seed(seed: Callable[..., None]) -> Callable[..., None]:
    def told(self: Any, a: Any = None, *others: Any, **named: Any) -> None:
        # SystemRandom has no seed to forget.
        if a is None and type(self) is random.Random:
            _note(False, 0)
        seed(self, a, *others, **named)

    return told


def fresh(value: Any) -> Any:
    """A copy of an argument, so that runs do not see each other's changes; generators go on where they were."""
    if isinstance(value, (list, tuple)) and set(map(type, value)) <= _ATOMS:
        return copy.copy(value)
    memo: Dict[int, Any] = {}
    _share_generators(value, memo, 0)
    try:
        return copy.deepcopy(value, memo)
    except Exception:
        # Locks, files and the like cannot be copied.
        return value


def _share_generators(value: Any, memo: Dict[int, Any], depth: int) -> None:
    if isinstance(value, _GENERATORS):
        memo[id(value)] = value
    elif depth < 5:
        parts: Any = ()
        if isinstance(value, Mapping):
            parts = value.values()
        elif isinstance(value, (list, tuple, set, frozenset)):
            parts = value
        elif hasattr(value, "__dict__") and not isinstance(value, type):
            parts = vars(value).values()
        for part in list(parts):
            _share_generators(part, memo, depth + 1)


def makes_generator(code: Optional[CodeType], scope: Mapping[str, Any]) -> bool:
    """Whether a function, or one that it calls by a global name, makes or seeds a generator."""
    pending: List[CodeType] = [] if code is None else [code]
    done: Set[CodeType] = set()
    while pending and len(done) < 1000:
        code = pending.pop()
        if code in done:
            continue
        done.add(code)
        names = set(code.co_names)
        if names & _FACTORIES or ("seed" in names and "random" in names) or ("Random" in names and "random" in names):
            return True
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        called = [scope.get(name) for name in names]
        pending += [each.__code__ for each in called if isinstance(each, FunctionType) and each.__globals__ is scope]
    return False


def same(left: Any, right: Any) -> bool:
    """Whether two runs gave the same structure, labels and constants; random variables are compared on their tapes."""
    if isinstance(left, Labelled) or isinstance(right, Labelled):
        labels = isinstance(left, Labelled) and isinstance(right, Labelled) and list(left) == list(right)
        return labels and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) or isinstance(right, list):
        lists = isinstance(left, list) and isinstance(right, list) and len(left) == len(right)
        return lists and all(map(same, left, right))
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        return np.array_equal(left, right)
    return isinstance(left, (Random, RandomVector)) or bool(left == right)
