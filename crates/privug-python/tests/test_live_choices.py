"""Functions that are run, once for each combination of the discrete values that they ask for."""

from __future__ import annotations

import inspect
import math
import statistics
import sys
import textwrap
from typing import Any, Callable, Dict

import numpy as np
import pytest

import privug
from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, Geometric, Normal, Poisson, condition


def both(function: Callable[..., Any], **options: Any) -> Any:
    """Analysed live and as source: what is known must be the same to the last digits, and is given back."""
    source = "from privug import *\n" + textwrap.dedent(inspect.getsource(function))
    live = privug.analyze(function, **options)
    text = privug.analyze(source=source, function=function.__name__, **options)
    one, other = live.to_dict(), text.to_dict()
    assert one["secrets"] == other["secrets"]
    for a, b in zip(one["distributions"], other["distributions"]):
        assert a["kind"] == b["kind"] and a["secret"] == b["secret"]
        for when in ("prior", "posterior"):
            assert _close(a[when], b[when]), (a[when], b[when])
    for a, b in zip(one["leakage"], other["leakage"]):
        assert _close(a, b), (a, b)
    assert _close(one["queries"], other["queries"])
    return live


def _close(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        names = (set(a) | set(b)) - {"line", "span", "outputs", "text"}
        return all(_close(a.get(name), b.get(name)) for name in names)
    if isinstance(a, list):
        if a and isinstance(a[0], dict) and "weight" in a[0]:
            # The parts of a mixture have no order.
            a, b = (sorted(parts, key=lambda part: (part["mean"], part["variance"])) for parts in (a, b))
        return len(a) == len(b) and all(map(_close, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a == pytest.approx(b, rel=1e-12, abs=1e-13)
    return bool(a == b)


def randomized_response() -> Any:
    smokes = Bernoulli(0.3)
    told = Bernoulli(0.5)
    coin = Bernoulli(0.5)
    return smokes if told else coin


def early() -> Any:
    for attempt in range(3):
        if Bernoulli(0.25):
            return attempt
    return 9


def indexing() -> Any:
    place = DiscreteUniform(0, 2)
    prices = {0: 10, 1: 20, 2: 20}
    names = ["a", "b", "c"]
    condition(names[place] != "b")
    return prices[place]


def dependent() -> Any:
    ill = Binomial(2, 0.25)
    test = Bernoulli(0.9 if ill > 0 else 0.1)
    condition(test, True)
    return ill


def mixture() -> Any:
    manager = Bernoulli(0.25)
    salary = Normal(900, 100) if manager else Normal(500, 100)
    condition(salary + Normal(0, 25), 700)
    return salary


def certain_or_not() -> Any:
    lazy = Bernoulli(0.5)
    x = 3 if lazy else Normal(0, 1)
    return x


def words() -> Any:
    vote = Categorical({"yes": 0.4, "no": 0.6})
    loud = Bernoulli(0.5)
    return vote.upper() if loud else vote


def test_functions_are_answered_as_their_source() -> None:
    for function in (early, indexing, dependent, mixture, certain_or_not):
        both(function)
    found = both(randomized_response, secret="smokes", observe=True, query="P(smokes and told)")
    assert found.posterior.pmf == pytest.approx({False: 0.4375, True: 0.5625})
    assert both(randomized_response, secret="smokes", exact=True).leakage.mutual_information_bits == pytest.approx(
        0.15967246999553577
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes")
def test_errors_of_combinations_that_cannot_be_point_to_the_source() -> None:
    def function() -> Any:
        people = [x for x in (1, 2) if Bernoulli(0.5)]
        condition(len(people), 2)
        return people[1]

    with pytest.raises(IndexError) as raised:
        privug.analyze(function)
    assert any("source=" in note for note in raised.value.__notes__)


def test_texts_are_what_python_makes_of_them() -> None:
    found = privug.analyze(words, secret="vote", observe="'NO'")
    assert found.posterior.pmf == {"no": 1.0} or found.posterior.pmf["no"] == 1.0
    quiet = privug.analyze(words)
    assert quiet.posterior.pmf == pytest.approx({"NO": 0.3, "YES": 0.2, "no": 0.3, "yes": 0.2})


def survey(answers: Any) -> Any:
    return int(np.sum(answers))


def test_priors_of_parameters_are_choices() -> None:
    found = privug.analyze(survey, answers=Bernoulli(0.5, size=4), secret="answers[0]", observe=3)
    assert found.posterior.pmf[True] == pytest.approx(0.75)
    assert found.prior.pmf == pytest.approx({False: 0.5, True: 0.5})


def bands() -> Any:
    income = Normal(400, 100)
    if income < 300:
        return "low"
    return "middle" if income <= 500 else "high"


def counted() -> Any:
    incomes = [Normal(0, 1) for _ in range(3)]
    return sum(x > 1 for x in incomes)


def test_gaussian_variables_are_compared_with_numbers() -> None:
    found = privug.analyze(bands, secret="income", observe="'low'")
    assert found.posterior.kind == "mixture"
    low = privug.analyze(source="def f():\n    x = Normal(400, 100)\n    condition(x < 300)\n    return x\n")
    assert found.posterior.mean[0] == pytest.approx(low.posterior.mean[0], rel=1e-9)
    both(counted)


def test_two_random_values_are_seen_to_be_equal() -> None:
    def equal() -> Any:
        x, y = Normal(0, 1), Normal(2, 3)
        condition(x, y)
        return x

    known = privug.analyze(equal).posterior
    assert (known.mean[0], known.var[0]) == pytest.approx((0.5, 0.75))


def test_what_cannot_be_run_points_to_source_mode() -> None:
    def many() -> Any:
        return sum(Bernoulli(0.5) for _ in range(40))

    def endless() -> Any:
        return Geometric(0.01)

    def wide() -> Any:
        return DiscreteUniform(0, 10**7) > 5

    for function in (many, endless, wide):
        with pytest.raises(ValueError, match="P609.*privug.analyze\\('program.py'\\)"):
            privug.analyze(function)


def test_counts_without_an_end_are_run_as_far_as_they_matter() -> None:
    source = "def f():\n    n = Poisson(3)\n    k = n if n < 2 else 2\n    condition(k > 0)\n    return k\n"

    def f() -> Any:
        n = Poisson(3)
        k = n if n < 2 else 2
        condition(k > 0)
        return k

    live, read = privug.analyze(f), privug.analyze(source="from privug import *\n" + source)
    assert live.posterior.pmf == pytest.approx(read.posterior.pmf, rel=1e-13)
    # P(n = 1 | n > 0) = 3 e⁻³ / (1 − e⁻³)
    assert live.posterior.pmf[1] == pytest.approx(3 * math.exp(-3) / (1 - math.exp(-3)), rel=1e-12)

    def first_success() -> Any:
        tries = Geometric(0.25)
        condition(tries > 2)
        return "soon" if tries == 3 else "late"

    assert privug.analyze(first_success).posterior.pmf == pytest.approx({"soon": 0.25, "late": 0.75}, rel=1e-12)


def test_order_statistics_are_pythons_own() -> None:
    def f() -> Any:
        ages = [DiscreteUniform(1, 4) for _ in range(4)]
        condition(statistics.median(ages) == 2.5)
        return ages[0]

    source = (
        "from privug import *\nimport statistics\ndef f():\n    ages = [DiscreteUniform(1, 4) for _ in range(4)]\n"
        "    condition(statistics.median(ages) == 2.5)\n    return ages[0]\n"
    )
    assert privug.analyze(f).posterior.pmf == pytest.approx(privug.analyze(source=source).posterior.pmf, rel=1e-12)


def test_bad_probabilities_are_refused_where_they_are_written() -> None:
    def negative() -> Any:
        return Bernoulli(-0.5)

    def nan() -> Any:
        return Bernoulli(float("nan"))

    def short() -> Any:
        return Categorical([0.25, 0.25])

    for function in (negative, nan):
        with pytest.raises(ValueError, match="P417"):
            privug.analyze(function)
    with pytest.raises(privug.ProgramError, match="P417"):
        privug.analyze(short)


def test_a_function_that_remembers_is_refused() -> None:
    seen: Dict[str, int] = {}

    def remembers() -> Any:
        seen["runs"] = seen.get("runs", 0) + 1
        coin = Bernoulli(0.5)
        return coin if seen["runs"] % 2 else not coin

    # Two rounds of runs may agree by chance; the run on numbers does not then.
    with pytest.raises(privug.ProgramError, match="P309|P90[23]"):
        privug.analyze(remembers)


def test_other_parts_in_other_worlds_are_one_output() -> None:
    def ragged() -> Any:
        n = DiscreteUniform(1, 2)
        return [True] * n

    found = privug.analyze(ragged, secret="n")
    assert found.leakage.max_posterior == pytest.approx(1.0)


def test_contradictions_are_refused() -> None:
    def impossible() -> Any:
        coin = Bernoulli(0.5)
        condition(coin)
        condition(not coin)
        return coin

    with pytest.raises(privug.ProgramError, match="P501"):
        privug.analyze(impossible)
