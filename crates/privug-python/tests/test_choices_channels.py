"""Channels of small protocols against a joint distribution that CPython enumerates, in fractions."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest
from choices_oracle import frozen, worlds_of
from conftest import run_command

HEAD = "from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, Normal, condition\n"
PROGRAMS: Dict[str, Tuple[str, str]] = {}

PROGRAMS["dc"] = (
    "payer",
    """
def f():
    payer = DiscreteUniform(0, 3)
    coins = [Bernoulli(0.6) for _ in range(3)]
    out = [coins[i] ^ coins[i - 1] ^ (payer == i) for i in range(3)]
    return out
""",
)

PROGRAMS["crowds"] = (
    "sender",
    """
def f():
    sender = DiscreteUniform(0, 2)
    at = sender
    caught = -1
    for _ in range(3):
        if not Bernoulli(0.75):
            break
        nxt = DiscreteUniform(0, 3)
        if nxt == 3:
            caught = at
            break
        at = nxt
    return caught
""",
)

PROGRAMS["vote"] = (
    "v",
    """
from collections import Counter
def f():
    votes = [Categorical({"A": 0.5, "B": 0.3, "C": 0.2}) for _ in range(3)]
    v = votes[0]
    c = Counter(votes)
    return [c["A"], c["B"], c["C"]]
""",
)

PROGRAMS["walk"] = (
    "start",
    """
def f():
    start = DiscreteUniform(-1, 1)
    x = start
    for _ in range(4):
        x += 1 if Bernoulli(0.5) else -1
        if abs(x) > 2:
            return "out"
    return x
""",
)

PROGRAMS["timing"] = (
    "key",
    """
def f():
    key = DiscreteUniform(0, 15)
    t = 0
    k = key
    while k > 0:
        t += 2 if k & 1 else 1
        k >>= 1
    return t + Binomial(1, 0.25)
""",
)

PROGRAMS["object"] = (
    "who",
    """
class Spy:
    def __init__(self, n):
        self.n = n
    def __call__(self, x):
        return (x + self.n) % 3
    def __eq__(self, other):
        return self.n % 2 == other.n % 2
def f():
    who = DiscreteUniform(0, 3)
    spy = Spy(who)
    return spy(DiscreteUniform(0, 1)), spy == Spy(1)
""",
)

PROGRAMS["reservoir"] = (
    "kept",
    """
def f():
    kept = 0
    for i in range(1, 4):
        if DiscreteUniform(0, i) == 0:
            kept = i
    seen = kept % 2 if Bernoulli(0.5) else 5
    return seen
""",
)

PROGRAMS["birthday"] = (
    "mine",
    """
def f():
    days = [DiscreteUniform(1, 5) for _ in range(4)]
    mine = days[0]
    return len(set(days)), days.count(1) > 0
""",
)

PROGRAMS["pir"] = (
    "want",
    """
def f():
    want = DiscreteUniform(0, 2)
    mask = [Bernoulli(0.5) for _ in range(3)]
    a = mask
    b = [m != (i == want) for i, m in enumerate(mask)]
    return b if Bernoulli(0.5) else a
""",
)


def joint_of(secret: str, source: str) -> Dict[Tuple[Any, Any], Fraction]:
    """P(secret, output), from a program whose function gives the secret along with what it publishes."""
    before, body = source.split("def f(")
    body = re.sub(r"return (.*)$", rf"return ({secret}, (\1))", body, flags=re.MULTILINE)
    joint: Dict[Tuple[Any, Any], Fraction] = defaultdict(Fraction)
    for world, value, raised in worlds_of(f"{before}def f({body}", "f", True):
        assert raised is None
        joint[frozen(value[0]), frozen(value[1])] += world.probability
    return joint


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_channels_tell_what_enumeration_finds(name: str, tmp_path: Path) -> None:
    secret, source = PROGRAMS[name]
    joint = joint_of(secret, source)
    prior: Dict[Any, Fraction] = defaultdict(Fraction)
    outputs: Dict[Any, Fraction] = defaultdict(Fraction)
    for (value, output), p in joint.items():
        prior[value] += p
        outputs[output] += p
    at = lambda value, output: joint.get((value, output), Fraction(0))  # noqa: E731
    wanted = {
        "mutual_information_bits": sum(float(p) * math.log2(p / (prior[s] * outputs[o])) for (s, o), p in joint.items()),
        "bayes_vulnerability_prior": float(max(prior.values())),
        "bayes_vulnerability_posterior": float(sum(max(at(s, o) for s in prior) for o in outputs)),
        "max_posterior": max(float(p / outputs[o]) for (_, o), p in joint.items()),
        "maximal_leakage_bits": math.log2(sum(max(at(s, o) / prior[s] for s in prior) for o in outputs)),
    }
    program = tmp_path / "program.py"
    program.write_text(HEAD + source)
    status, document = run_command("analyze", f"{program}:f", "--secret", secret)
    assert status == 0, document
    (known,) = document["leakage"]
    assert {measure: known[measure] for measure in wanted} == pytest.approx(wanted, abs=1e-11)
    status, channel = run_command("channel", f"{program}:f", "--secret", secret)
    assert status == 0
