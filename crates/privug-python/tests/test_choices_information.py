"""Information about secrets behind outputs that have densities and no value yet, against sums over fine grids."""

from __future__ import annotations

from math import comb, exp, log2, pi, sqrt
from pathlib import Path
from typing import Any, Dict, List, Tuple

from conftest import run_command

DEPARTMENT = """
from privug import Bernoulli, Normal

def department():
    manager = [Bernoulli(0.1) for _ in range(4)]
    incomes = []
    for person in range(4):
        staff = Normal(50, 25)
        boss = Normal(90, 100)
        incomes.append(boss if manager[person] else staff)
    return sum(incomes) / 4
"""
OTHERS = [comb(3, k) * 0.1**k * 0.9 ** (3 - k) for k in range(4)]


def leakage(folder: Path, program: str, *arguments: str) -> Dict[str, Any]:
    path = folder / "program.py"
    path.write_text(program)
    status, document = run_command("analyze", str(path), *arguments)
    assert status == 0, document
    (found,) = document["leakage"]
    return found


def bounds(found: Dict[str, Any], measure: str) -> Tuple[float, float]:
    method = found["methods"][measure]
    return (method["low"], method["high"]) if method["method"] == "certified" else (found[measure], found[measure])


def normal(mean: float, variance: float, x: float) -> float:
    return exp(-((x - mean) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)


def test_a_published_mean_tells_about_a_choice_what_a_sum_over_a_grid_says(tmp_path: Path) -> None:
    parts = [(50 + 10 * k, (25 * (4 - k) + 100 * k) / 16) for k in range(5)]
    told, guessed, step = 0.0, 0.0, 0.01
    for place in range(20_000):
        y = place * step
        boss = sum(OTHERS[k] * normal(*parts[k + 1], y) for k in range(4))
        staff = sum(OTHERS[k] * normal(*parts[k], y) for k in range(4))
        both = 0.1 * boss + 0.9 * staff
        told += sum(w * f * log2(f / both) * step for w, f in ((0.1, boss), (0.9, staff)) if f > 1e-250)
        guessed += max(0.1 * boss, 0.9 * staff) * step
    found = leakage(tmp_path, DEPARTMENT, "--secret", "manager[0]")
    for measure, expected in (("mutual_information_bits", told), ("bayes_vulnerability_posterior", guessed)):
        low, high = bounds(found, measure)
        assert low - 1e-9 <= expected <= high + 1e-9 and high - low < 1e-6, (measure, low, expected, high)
    # Whoever sees a very high mean knows.
    assert found["max_posterior"] == 1.0 and found["fully_disclosed"] is False


def test_a_published_mean_tells_about_a_mixture_what_a_sum_over_a_grid_says(tmp_path: Path) -> None:
    worlds: List[Tuple[float, float, float, float, float]] = []
    for share, mean, variance in ((0.1, 90, 100), (0.9, 50, 25)):
        for k in range(4):
            worlds.append((share * OTHERS[k], mean, variance, 50 * (3 - k) + 90 * k, 25 * (3 - k) + 100 * k))
    across, up = 0.5, 0.25

    def density(x: float, y: float) -> float:
        parts = (w * normal(m, v, x) * normal((x + rest) / 4, more / 16, y) for w, m, v, rest, more in worlds)
        return sum(parts)

    joint = [[density(x * across, 30 + y * up) for y in range(360)] for x in range(320)]
    rows = [sum(row) * up for row in joint]
    columns = [sum(row[y] for row in joint) * across for y in range(360)]
    told = sum(
        f * log2(f / (rows[x] * columns[y])) * across * up
        for x, row in enumerate(joint)
        for y, f in enumerate(row)
        if f > 1e-200 and rows[x] * columns[y] > 0
    )
    low, high = bounds(leakage(tmp_path, DEPARTMENT, "--secret", "incomes[0]"), "mutual_information_bits")
    assert low - 1e-7 <= told <= high + 1e-7 and high - low < 1e-4, (low, told, high)


def test_what_a_coin_lets_through_has_its_closed_forms(tmp_path: Path) -> None:
    # Half of the time x is published through noise of its own size, and the coin is published too: half of half a bit.
    program = (
        "from privug import Bernoulli, Normal\n\ndef f():\n    x = Normal(0, 1)\n    c = Bernoulli(0.5)\n"
        "    y = x + Normal(0, 1) if c else Normal(0, 1)\n    return {}\n"
    )
    low, high = bounds(leakage(tmp_path, program.format("y, c"), "--secret", "x"), "mutual_information_bits")
    assert low <= 0.25 + 1e-9 and 0.25 - 1e-9 <= high and high - low < 1e-5
    # Without the coin it tells less.
    without = bounds(leakage(tmp_path, program.format("y"), "--secret", "x"), "mutual_information_bits")
    assert 0.0 < without[0] and without[1] < 0.25
    # Published as it is in some worlds, it is infinitely telling.
    assert leakage(tmp_path, program.format("x if c else y"), "--secret", "x")["mutual_information_bits"] == "inf"


def test_a_requirement_is_judged_by_the_upper_end(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "from privug import Bernoulli, Normal\n\ndef f():\n    answer = Bernoulli(0.3)\n"
        "    return Normal(5 if answer else 0, 4), Normal(1 if answer else 0, 4)\n"
    )
    # Two outputs together: at least what the better one tells, at most everything.
    for limit, expected in (("0.5", 3), ("0.7", 3), ("0.9", 0)):
        requirement = f"mutual_information_bits <= {limit}"
        status, _ = run_command("analyze", str(path), "--secret", "answer", "--require", requirement)
        assert status == expected, limit
