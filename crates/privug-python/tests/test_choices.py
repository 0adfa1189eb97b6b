"""Discrete secrets and mixtures: what an analysis gives back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import PROGRAMS, run_command

import privug

RESPONSE = str(PROGRAMS / "choices" / "randomized_response.py")
CATEGORIES = "def f():\n    vote = Categorical({'a': 0.2, 'b': 0.8})\n    n = DiscreteUniform(1, 4)\n    return [vote, n]\n"


def test_probabilities_are_dictionaries() -> None:
    found = privug.analyze(RESPONSE, secret="smokes", observe=True, exact=True)
    assert found.prior.pmf == {False: 0.7, True: 0.3}
    assert found.posterior.pmf == {False: 0.4375, True: 0.5625}
    assert found.posterior.exact == {False: Fraction(7, 16), True: Fraction(9, 16)}
    assert found.posterior.mean[0] == 0.5625
    assert found.posterior.prob("smokes") == 0.5625
    assert found.posterior.prob("not x") == 0.4375
    assert found.posterior.kind == "discrete"
    assert "smokes ~ {False: 0.4375" in repr(found.posterior)


def test_several_secrets_are_told_apart() -> None:
    found = privug.analyze(source=CATEGORIES)
    names = found.secrets
    assert found.posterior[names[0]].pmf == {"a": 0.2, "b": 0.8}
    assert set(found.posterior.pmf) == set(names)
    assert found.posterior[1].prob("n >= 3") == pytest.approx(0.5)
    assert found.posterior[1].mean[0] == pytest.approx(2.5)
    assert len(found.posterior.to_pandas()) == 6
    with pytest.raises(ValueError, match="P701"):
        found.posterior.prob("z > 3")
    draws = found.posterior[0].sample(1000, seed=1)
    assert 700 < draws.count("b") < 900


def test_measures_are_those_of_the_command_line() -> None:
    found = privug.analyze(RESPONSE, secret="smokes", gain="guess == secret")
    _, document = run_command("analyze", RESPONSE, "--secret", "smokes", "--gain", "guess == secret")
    assert found.to_dict()["leakage"] == document["leakage"]
    assert found.leakage.mutual_information_bits == pytest.approx(0.1596724699955358)
    assert found.leakage.max_posterior_output == [False]
    assert not privug.analyze(RESPONSE, secret="smokes", require="max_posterior <= 0.5").meets_requirements


def test_mixtures_have_components() -> None:
    program = "def f():\n    x = Normal(50, 100)\n    condition(x > 60)\n    return x\n"
    known = privug.analyze(source=program).posterior
    assert known.components == [{"weight": 1.0, "mean": 50.0, "variance": 100.0, "above": 60.0, "up_to": float("inf")}]
    with pytest.raises(ValueError, match="mixture"):
        known.pmf  # noqa: B018


def test_discrete_priors_are_given_to_parameters() -> None:
    program = "def f(votes):\n    return sum(votes)\n"
    found = privug.analyze(source=program, votes=privug.Bernoulli(0.5, size=3), secret="votes[0]", observe=3)
    assert found.posterior.pmf[True] == 1.0
    for prior in [
        privug.Bernoulli(0.25),
        privug.Categorical([0.5, 0.5]),
        privug.Categorical({"x": 1.0}),
        privug.DiscreteUniform(0, 3),
        privug.Binomial(3, 0.5),
    ]:
        assert isinstance(prior, privug.Prior)
    assert repr(privug.DiscreteUniform(0, 3, size=2)) == "DiscreteUniform(0, 3, size=2)"


def test_pictures_are_bars() -> None:
    found = privug.analyze(RESPONSE, secret="smokes", observe=True)
    assert "data-bar" in found.to_svg()
    assert "mutual information" in found._repr_html_()
    assert "mutual information" in found.to_html()
    axes = found.plot()
    assert len(axes.patches) == 4
