"""Requests made of values, and errors that speak to Python."""

import fractions

import numpy as np
import pytest

import privug

AVERAGE = "def average(ages, scale=1):\n    return sum(ages) / len(ages) * scale\n"
PRIOR = {"ages": "[Normal(35, 4) for _ in range(10)]"}


def test_hints_name_the_keyword_and_not_the_flag():
    with pytest.raises(privug.ProgramError) as refused:
        privug.analyze(source=AVERAGE, prior=PRIOR, observe=44)
    assert "`secret=`" in str(refused.value) and "--" not in str(refused.value)
    hint = refused.value.diagnostics[0]["hint"]
    assert "`secret='ages[0]'`" in hint
    with pytest.raises(privug.ProgramError) as refused:
        privug.analyze(source=AVERAGE, prior=PRIOR, max_steps=1)
    assert "`max_steps=`" in str(refused.value)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("scale", [0.1, 1, True, 2**40 + 1, np.float64(1e23), np.int64(-3), fractions.Fraction(1, 3)])
def test_a_number_is_the_same_as_a_value_and_as_an_expression(scale, exact):
    as_value = privug.analyze(source=AVERAGE, prior=PRIOR, set={"scale": scale}, secret="ages[0]", exact=exact)
    written = "(1/3)" if isinstance(scale, fractions.Fraction) else repr(scale.item() if hasattr(scale, "item") else scale)
    text = AVERAGE.replace("scale=1", f"scale={written}")
    as_text = privug.analyze(source=text, prior=PRIOR, secret="ages[0]", exact=exact)
    ours, theirs = as_value.to_dict(), as_text.to_dict()
    assert ours["outputs"] == theirs["outputs"] and ours["secrets"] == theirs["secrets"]


def test_observed_values_and_truths_are_the_same_as_numbers_and_as_strings():
    options = dict(source=AVERAGE, prior=PRIOR, secret="ages[0]")
    as_values = privug.analyze(**options, observe=privug.noisy(44, std=0.1), truth=41.5, tolerance=0.5)
    as_texts = privug.analyze(**options, observe="44±0.1", truth="41.5", tolerance="0.5")
    ours, theirs = as_values.to_dict(), as_texts.to_dict()
    assert ours["secrets"] == theirs["secrets"] and ours["observations"] == theirs["observations"]


def test_a_requirement_may_be_a_measure_a_comparison_and_a_number():
    options = dict(source=AVERAGE, prior=PRIOR, secret="ages[0]")
    strict = privug.analyze(**options, require=("mutual_information_bits", "<=", 0.01))
    loose = privug.analyze(**options, require=["mutual_information_bits <= 10", ("posterior_std", ">=", 0.5)])
    assert not strict.meets_requirements and loose.meets_requirements
    texts = privug.analyze(**options, require="mutual_information_bits <= 0.01").to_dict()["requirements"]
    assert strict.to_dict()["requirements"] == texts
    with pytest.raises(privug.ProgramError, match="there is no measure"):
        privug.analyze(**options, require=("mutual_informatoin_bits", "<=", 1))
    with pytest.raises(ValueError, match="is no comparison"):
        privug.analyze(**options, require=("mutual_information_bits", "=<", 1))
