"""Random numbers of Python's own are no constants."""

from __future__ import annotations

import datetime
import os
import random
import secrets
import time
import uuid
from typing import Any, Callable, Dict, List

import numpy as np
import pandas as pd
import pytest

import privug
from privug._rehearsal import Point

P = privug.Normal(50, std=10, size=4)
MODULE_RNG = np.random.default_rng(0)
MODULE_RANDOM = random.Random(0)


def shuffled(x: Any) -> Any:
    order = list(range(4))
    random.shuffle(order)
    return x[order[0]]


def bootstrap(x: Any) -> Any:
    return x[np.random.choice(4, 4)].mean()


DRAWN: Dict[str, Callable[..., Any]] = {
    "np.random.normal": lambda x: x[0] + np.random.normal(),
    "np.random.laplace": lambda x: x.sum() + np.random.laplace(0, 1),
    "random.gauss": lambda x: x[0] + random.gauss(0, 1),
    "random.sample": lambda x: sum(random.sample(list(x), 2)),
    "random.choice": lambda x: random.choice(list(x)),
    "random.shuffle": shuffled,
    "bootstrap": bootstrap,
    "permutation": lambda x: x[np.random.permutation(4)][0],
    "coefficient": lambda x: x[0] * random.random(),
    "a draw that is not used": lambda x: (random.random(), x[0])[1],
    "generator": lambda x: x[0] + np.random.default_rng().normal(),
    "RandomState": lambda x: x[0] + np.random.RandomState().normal(),
    "generator of the module": lambda x: x[0] + MODULE_RNG.normal(),
    "Random of the module": lambda x: x[0] + MODULE_RANDOM.random(),
    "Random": lambda x: x[0] + random.Random().random(),
    "SystemRandom": lambda x: x[0] + random.SystemRandom().random(),
    "secrets": lambda x: x[0] + secrets.randbelow(10**9),
    "os.urandom": lambda x: x[0] + int.from_bytes(os.urandom(4), "big"),
    "choice of two of the system": lambda x: x[random.SystemRandom().choice([0, 1])],
    "choice of two without a seed": lambda x: x[random.Random().choice([0, 1])],
    "choice of many of numpy": lambda x: x[0] * int(np.random.default_rng().integers(10**6)),
    "choice of two of secrets": lambda x: x[secrets.randbelow(2)],
    "choice of two of os.urandom": lambda x: x[os.urandom(1)[0] % 2],
    "uuid": lambda x: {str(uuid.uuid4()): x[0]},
    "uuid as a constant": lambda x: [x[0], uuid.uuid4()],
    "time": lambda x: x[0] + time.perf_counter(),
    "now": lambda x: [x[0], datetime.datetime.now()],
    "sample of pandas": lambda x: pd.Series(list(x)).sample(2).sum(),
    "number of steps": lambda x: sum(x[0] for _ in range(secrets.randbelow(10**4) + 1)),
}


@pytest.mark.parametrize("name", DRAWN)
def test_randomness_of_python_is_refused(name: str) -> None:
    with pytest.raises(privug.ProgramError, match="P902.*(privug.Normal|must not depend)") as error:
        for _ in range(2):
            privug.analyze(DRAWN[name], x=P, secret="x[0]", observe=None)
    assert error.value.diagnostics[0]["code"] == "P902"


def test_a_generator_that_is_passed_in_is_refused() -> None:
    class Settings:
        def __init__(self) -> None:
            self.inner = {"rng": [np.random.default_rng(1)]}

    with pytest.raises(privug.ProgramError, match="P902"):
        privug.analyze(lambda x, rng: x[0] + rng.normal(), x=P, rng=np.random.default_rng(0))
    with pytest.raises(privug.ProgramError, match="P902"):
        privug.analyze(lambda x, rng: x[0] + rng.random(), x=P, rng=random.Random(0))
    with pytest.raises(privug.ProgramError, match="P902"):
        privug.analyze(lambda x, given: x[0] + given.inner["rng"][0].normal(), x=P, given=Settings())


def test_the_systems_randomness_is_left_as_it_was() -> None:
    before = os.urandom, random._urandom, random.Random.seed  # type: ignore[attr-defined]
    privug.analyze(lambda x: x.sum(), x=P)
    with pytest.raises(ZeroDivisionError):
        privug.analyze(lambda x: x[0] / 0, x=P)
    assert before == (os.urandom, random._urandom, random.Random.seed)  # type: ignore[attr-defined]


def test_the_refusal_points_at_the_line_where_the_runs_part() -> None:
    def release(x: Any) -> Any:
        total = x.sum()
        noise = secrets.randbelow(10**9)
        return total + noise

    with pytest.raises(privug.ProgramError, match="P902") as error:
        privug.analyze(release, x=P)
    assert error.value.diagnostics[0]["start"]["line"] >= release.__code__.co_firstlineno


SEEDED: List[Callable[..., Any]] = [
    lambda x: x[0] + np.random.default_rng(0).normal(),
    lambda x: x[0] + np.random.RandomState(0).normal(),
    lambda x: x[0] + random.Random(0).gauss(0, 1),
    lambda x: (np.random.seed(0), x[0] + np.random.normal())[1],
    lambda x: (random.seed(0), x[0] + random.random())[1],
]


@pytest.mark.parametrize("function", SEEDED)
def test_a_generator_with_a_seed_of_its_own_is_a_constant_with_a_note(function: Callable[..., Any]) -> None:
    state = random.getstate(), np.random.get_state()
    found = [privug.analyze(function, x=P, secret="x[0]", observe=51) for _ in range(2)]
    assert found[0].to_dict() == found[1].to_dict()
    assert found[0].leakage.fully_disclosed
    assert any("seed" in note for note in found[0].notes)
    random.setstate(state[0])
    np.random.set_state(state[1])


def test_randomness_that_is_told_about_is_welcome() -> None:
    found = privug.analyze(lambda x: x[0] + privug.Normal(0, std=10), x=P, secret="x[0]")
    assert found.leakage.mutual_information_bits == pytest.approx(0.5)
    assert not any("seed" in note for note in found.notes)


def test_runs_do_not_see_what_others_did_to_their_arguments() -> None:
    def change(x: Any, weights: Any, table: Any, more: Any = []) -> Any:
        weights.append(1.0)
        more.append(1.0)
        table["n"] = table["n"] + 1
        return x[0] * sum(weights) * sum(more) * float(table["n"].sum())

    weights, table = [1.0], pd.DataFrame({"n": [1, 2]})
    found = privug.analyze(change, x=P, weights=weights, table=table)
    assert found.prior.mean == pytest.approx([50 * 2 * 1 * 5])
    assert weights == [1.0] and table["n"].tolist() == [1, 2]


def test_what_depends_on_earlier_runs_is_refused() -> None:
    calls: List[int] = []

    def count(x: Any) -> Any:
        calls.append(1)
        return x[0] * len(calls)

    with pytest.raises(privug.ProgramError, match="P902"):
        privug.analyze(count, x=P)
    queue = [1.0]
    with pytest.raises(privug.ProgramError, match="P902.*second time"):
        privug.analyze(lambda x: x[0] * queue.pop(), x=P)


def test_a_random_variable_that_is_kept_is_noted() -> None:
    kept: List[Any] = []
    found = privug.analyze(lambda x: (kept.append(x[0]), x.sum())[1], x=P)
    assert any("outside its result" in note for note in found.notes)

    # A gate does not open for what it does not know; nor does it where a note tells of it.
    with pytest.raises(privug.ProgramError, match="P901.*outside its result"):
        privug.analyze(lambda x: (kept.append(x[0]), x[1])[1], x=P, secret="x[0]", require="mutual_information_bits <= 1")

    def into_argument(x: Any, log: Any) -> Any:
        log.append(x[0])
        return x.sum()

    def into_default(x: Any, log: Any = []) -> Any:
        log.append(x[0])
        return x.sum()

    for found in (privug.analyze(into_argument, x=P, log=[]), privug.analyze(into_default, x=P)):
        assert any("outside its result" in note for note in found.notes)
    assert not privug.analyze(lambda x, y: x.sum() + y[0], x=P, y=[privug.Normal(0, 1)]).notes[1:]

    def with_knots(x: Any) -> Any:
        knot: List[Any] = [x[0]]
        knot.append(knot)
        return x.sum()

    assert not any("outside" in note for note in privug.analyze(with_knots, x=P).notes)


def test_a_log_that_grows_does_no_harm() -> None:
    log: List[str] = []

    def release(x: Any) -> Any:
        log.append("called")
        return x.sum()

    assert len(privug.analyze(release, x=P).secrets) == 1
    assert len(log) == 2 + len(Point)
