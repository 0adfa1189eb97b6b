"""Python's and numpy's own random numbers in programs, against CPython run once for each way in which they can come out.

`random` runs as it is, but for its source of randomness; numpy's functions are replaced by what their pages say.
`random()` takes twenty equally likely values, none of which is a number that a program compares with.
"""

from __future__ import annotations

import importlib.util
import random
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest
from conftest import run_command

PARTS = 20


class Ways:
    """All ways through a program: a path of answers is followed, and the last that has others left is changed."""

    def __init__(self) -> None:
        self.path: List[Tuple[int, List[Fraction]]] = []
        self.at = 0

    def pick(self, shares: List[Fraction]) -> int:
        if self.at == len(self.path):
            self.path.append((0, shares))
        answer, _ = self.path[self.at]
        self.at += 1
        return answer

    def below(self, count: int) -> int:
        return self.pick([Fraction(1, count)] * count)

    def share(self) -> float:
        return (self.below(PARTS) + 0.5) / PARTS

    def weight(self) -> Fraction:
        product = Fraction(1)
        for answer, shares in self.path:
            product *= shares[answer]
        return product

    def goes_on(self) -> bool:
        self.at = 0
        while self.path:
            answer, shares = self.path.pop()
            if answer + 1 < len(shares):
                self.path.append((answer + 1, shares))
                return True
        return False


class Source(random.Random):
    """CPython's `random` on answers that are enumerated."""

    def __new__(cls, *_: Any) -> Any:
        return super().__new__(cls, 0)

    def __init__(self, ways: Ways) -> None:
        super().__init__(0)
        self.ways = ways

    def random(self) -> float:
        return self.ways.share()

    def _randbelow(self, n: int) -> int:
        return self.ways.below(n)

    def getrandbits(self, k: int) -> int:
        return self.ways.below(2**k)


class NumpySource:
    """What numpy's pages say of its functions."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways

    def _many(self, size: Any, one: Callable[[], Any]) -> Any:
        return one() if size is None else np.array([one() for _ in range(size)])

    def random(self, size: Any = None) -> Any:
        return self._many(size, self.ways.share)

    rand = random_sample = random

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:
        return self._many(size, lambda: low + (high - low) * self.ways.share() if high > low else low)

    def integers(self, low: int, high: Any = None, size: Any = None, endpoint: bool = False) -> Any:
        first, end = (0, low) if high is None else (low, high)
        return self._many(size, lambda: first + self.ways.below(end + endpoint - first))

    randint = integers

    def binomial(self, n: int, p: float, size: Any = None) -> Any:
        tosses = [Fraction(str(p)), 1 - Fraction(str(p))]
        return self._many(size, lambda: sum(1 - self.ways.pick(tosses) for _ in range(n)))

    def permutation(self, x: Any) -> Any:
        left = list(range(x)) if isinstance(x, int) else list(x)
        return np.array([left.pop(self.ways.below(len(left))) for _ in range(len(left))])

    def shuffle(self, x: Any) -> None:
        x[:] = list(self.permutation(list(x)))

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        answers = list(range(a)) if isinstance(a, int) else list(a)
        if not replace:
            return self.permutation(answers)[:size]
        shares = [Fraction(1, len(answers))] * len(answers) if p is None else [Fraction(str(share)) for share in p]
        return self._many(size, lambda: answers[self.ways.pick(shares)])


PROGRAMS: Dict[str, Tuple[str, str]] = {
    "randomized_response": (
        "Bernoulli(0.3)",
        """
def f(x):
    if random.random() < 0.5:
        return x
    return random.random() < 0.5
""",
    ),
    "one_number_in_three_parts": (
        "Bernoulli(0.3)",
        """
def f(x):
    u = random.random()
    if u < 0.25:
        return "low"
    if 0.25 <= u < (0.7 if x else 0.5):
        return "middle"
    return "high" if u > 0.9 else "rather high"
""",
    ),
    "compared_again_in_some_worlds": (
        "DiscreteUniform(0, 2)",
        """
def f(x):
    u = random.random()
    seen = []
    if x > 0:
        seen.append(u < 0.4)
    if x < 2:
        seen.append(0.6 > u)
    seen.append(u * 2 - 1 > 0.5)
    return seen
""",
    ),
    "turned_around": (
        "Bernoulli(0.5)",
        """
def f(x):
    u = 1 - random.random()
    v = 2 * u + (1 if x else 0)
    return v >= 1.5, u <= 0.7, -u < -0.1
""",
    ),
    "probability_by_choice": (
        "Categorical([0.2, 0.3, 0.5])",
        """
def f(x):
    return random.random() < [0.1, 0.5, 0.95][x]
""",
    ),
    "uniform_between": (
        "DiscreteUniform(0, 1)",
        """
def f(x):
    always, never = random.random() < 1, random.random() <= 0
    return x + random.uniform(-1, 1) > 0.5, x + always + 2 * never
""",
    ),
    "die_by_rounding": ("DiscreteUniform(0, 2)", "def f(x):\n    return (int(random.random() * 4) + 1 + x) % 3\n"),
    "randrange": (
        "DiscreteUniform(0, 3)",
        "def f(x):\n    return x + random.randrange(0, 10, 3), random.randrange(3), random.randint(x, 3)\n",
    ),
    "choice_and_bits": (
        "Bernoulli(0.4)",
        "def f(x):\n    return random.choice(['a', 'b', 'c'] if x else ['c', 'd']), random.getrandbits(2) > x\n",
    ),
    "weighted_choices": (
        "Bernoulli(0.4)",
        """
def f(x):
    first = random.choices(["a", "b"], weights=[3, 1] if x else [1, 3], k=2)
    return "".join(first), random.choices(range(3), cum_weights=[2, 3, 5])[0]
""",
    ),
    "shuffled": (
        "Bernoulli(0.4)",
        """
def f(x):
    votes = [x, True, False]
    random.shuffle(votes)
    return votes
""",
    ),
    "sampled": ("DiscreteUniform(1, 3)", "def f(x):\n    return sum(random.sample([x, 5, 7, 9], 2))\n"),
    "own_generator": (
        "Bernoulli(0.4)",
        """
def f(x):
    system = random.SystemRandom()
    return system.choice([x, False]), system.random() < 0.3
""",
    ),
    "rappor": (
        "Bernoulli(0.4)",
        """
def f(x):
    bits = np.array([x, not x])
    keep = np.random.random(2) < 0.75
    return np.where(keep, bits, np.random.randint(0, 2, size=2)).sum()
""",
    ),
    "numpy_thresholds": (
        "Bernoulli(0.4)",
        """
def f(x):
    rng = np.random.default_rng()
    noisy = np.array([0, x]) + rng.uniform(-1, 1, size=2)
    return noisy > 0.15 * rng.uniform(2, 2)
""",
    ),
    "numpy_choice": (
        "DiscreteUniform(0, 2)",
        """
def f(x):
    rng = np.random.default_rng()
    return rng.choice(["a", "b"], p=[0.9, 0.1]) if x else rng.choice(3), rng.binomial(2, 0.25) + x
""",
    ),
    "numpy_without_replacement": (
        "DiscreteUniform(0, 2)",
        """
def f(x):
    rng = np.random.default_rng()
    people = [x, 3, 4]
    chosen = rng.choice(3, size=2, replace=False)
    return sum(people[i] for i in chosen), rng.integers(1, 3, endpoint=True)
""",
    ),
    "numpy_permutation": (
        "DiscreteUniform(0, 2)",
        """
def f(x):
    order = list(np.random.permutation([x, 3, 3]))
    np.random.shuffle(order)
    return order
""",
    ),
}
HEAD = "import random\nimport numpy as np\n"


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple, np.ndarray)):
        return tuple(plain(element) for element in value)
    return value.item() if isinstance(value, np.generic) else value


def enumerated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str, secret: Any) -> Dict[Any, Fraction]:
    path = tmp_path / "enumerated.py"
    path.write_text(HEAD + program)
    spec = importlib.util.spec_from_file_location("enumerated", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    ways, found = Ways(), defaultdict(Fraction)
    python, of_numpy = Source(ways), NumpySource(ways)
    with monkeypatch.context() as patched:
        for name in "random uniform randint randrange choice choices shuffle sample getrandbits".split():
            patched.setattr(random, name, getattr(python, name))
        patched.setattr(random, "SystemRandom", lambda: python)
        for name in "random rand uniform randint permutation shuffle choice binomial".split():
            patched.setattr(np.random, name, getattr(of_numpy, name))
        patched.setattr(np.random, "default_rng", lambda: of_numpy)
        while True:
            outcome = module.f(secret)
            found[plain(outcome)] += ways.weight()
            if not ways.goes_on():
                return found


def flat(value: Any) -> Tuple[Any, ...]:
    return tuple(part for element in value for part in flat(element)) if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_random_numbers_of_python_and_numpy(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prior, program = PROGRAMS[name]
    path = tmp_path / "program.py"
    path.write_text(HEAD + program)
    code, document = run_command("channel", str(path), "--prior", f"x={prior}", "--secret", "x")
    assert code == 0, document
    channel = document["channels"][0]
    outputs = [flat(plain(output)) for output in channel["outputs"]]
    assert len(channel["secrets"]) > 1 and len(outputs) > 1
    for secret, row in zip(channel["secrets"], channel["matrix"]):
        expected: Dict[Any, Fraction] = defaultdict(Fraction)
        for outcome, share in enumerated(monkeypatch, tmp_path, program, secret).items():
            expected[flat(outcome)] += share
        found = {output: share for output, share in zip(outputs, row) if share}
        assert set(found) == set(expected), f"{secret}: {found} instead of {dict(expected)}"
        for output, share in found.items():
            assert share == pytest.approx(float(expected[output]), rel=1e-12), (secret, output)
