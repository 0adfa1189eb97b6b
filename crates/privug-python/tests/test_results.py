"""What an analysis gives back."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import PROGRAMS, run_command
from scipy import stats

import privug

CASE = PROGRAMS / "public_statistics" / "case1.py"
TWO = "def f():\n    x = Normal(1, 4)\n    y = Normal(2, 9)\n    condition(x + y, 5)\n    return x, y\n"
RELEASE = (
    "def release(x, epsilon):\n"
    "    return gaussian_mechanism(x, sensitivity=1, epsilon=epsilon, delta=0.01)\n"
)


def release(x: Any, epsilon: float) -> Any:
    return privug.gaussian_mechanism(x, sensitivity=1, epsilon=epsilon, delta=0.01)


@pytest.fixture(scope="module")
def one() -> privug.Analysis:
    return privug.analyze(str(CASE), truth=500_000, query="P(490_000 < male_21_30[0] < 510_000)")


@pytest.fixture(scope="module")
def two() -> privug.Analysis:
    return privug.analyze(source=TWO)


def test_distributions_agree_with_scipy(one: privug.Analysis) -> None:
    known = one.posterior
    reference = stats.norm(483_000, np.sqrt(90))
    x = np.array([482_990.0, 483_000.0, 483_025.0])
    assert known.mean == pytest.approx([483_000])
    assert (known.std, known.var) == (pytest.approx([np.sqrt(90)]), pytest.approx([90]))
    assert known.cov == pytest.approx(np.array([[90.0]]))
    assert known.pdf(x) == pytest.approx(reference.pdf(x))
    assert known.cdf(x) == pytest.approx(reference.cdf(x))
    assert known.quantile([0.1, 0.9]) == pytest.approx(reference.ppf([0.1, 0.9]))
    assert isinstance(known.cdf(483_000), float)
    assert known.interval(0.9) == pytest.approx(reference.interval(0.9))
    assert known.prob("482_990 < x < 483_010") == pytest.approx(reference.cdf(483_010) - reference.cdf(482_990))
    assert known.prob("male_21_30[0] > 483_000") == pytest.approx(0.5)
    assert known.prob("abs(x - 483_000) < 10 or x < 0") == pytest.approx(known.prob("482_990 < x < 483_010"))
    frozen = known.to_scipy()
    assert (frozen.mean(), frozen.std()) == (pytest.approx(483_000), pytest.approx(np.sqrt(90)))


def test_several_secrets_have_a_joint_distribution(two: privug.Analysis) -> None:
    known = two.posterior
    assert known.names == ["x", "y"]
    assert known.cov == pytest.approx(np.array([[36, -36], [-36, 36]]) / 13)
    assert known["y"].var == known.var[1:]
    assert known.pdf([1.0, 2.0]).shape == (2, 2)
    assert known.interval().shape == (2, 2)
    assert two.prior.prob("x > y") == pytest.approx(stats.norm(-1, np.sqrt(13)).sf(0))
    drawn = known.sample(1000, seed=1)
    assert drawn.shape == (1000, 2)
    assert drawn.sum(axis=1) == pytest.approx(np.full(1000, 5.0), abs=1e-6)
    assert known.to_scipy().mean == pytest.approx(known.mean)
    with pytest.raises(KeyError):
        known["z"]


def test_samples_repeat_with_their_seed(one: privug.Analysis) -> None:
    drawn = one.posterior.sample(10_000, seed=7)
    assert (drawn == one.posterior.sample(10_000, seed=7)).all()
    assert drawn.mean() == pytest.approx(483_000, abs=1)
    assert drawn.std() == pytest.approx(np.sqrt(90), rel=0.05)


def test_leakage_has_every_measure_by_its_name(one: privug.Analysis, two: privug.Analysis) -> None:
    assert one.leakage.mutual_information_bits == pytest.approx(0.076001546722524992)
    for name in privug.measure_names():
        if name in one.leakage:
            assert one.leakage[name] == getattr(one.leakage, name)
    assert one.leakage.fully_disclosed is False
    assert two.leakage.mutual_information_bits.shape == (2,)
    assert two.leakage["x"].posterior_mean == two.leakage[0].posterior_mean
    with pytest.raises(AttributeError, match="there is no measure"):
        one.leakage.nonsense
    disclosed = privug.analyze(PROGRAMS / "differencing.py")
    assert disclosed.leakage.mutual_information_bits == float("inf")


def test_before_a_release_results_are_as_if_published() -> None:
    prior = privug.Normal(50, std=10, size=3)
    required = ["posterior_std >= 9", "fully_disclosed <= 0"]
    found = privug.analyze(lambda x: x[0], x=prior, secret="x[0]", require=required)
    assert not found.meets_requirements
    assert [each["holds"] for each in found.requirements] == [False, False]
    assert found.leakage.as_if_published is True and found.leakage.fully_disclosed is True
    assert found.leakage.posterior_std == 0.0 and found.leakage.kl_posterior_prior_bits is None
    assert found.posterior.var == pytest.approx([100])
    assert "unknown ± 0, as if published" in found._repr_html_() and "as if published" in found.to_text()
    with pytest.raises(privug.ProgramError, match="P711"):
        privug.analyze(lambda x: x[0], x=prior, secret="x[0]", require="posterior_mean <= 60")


def test_the_document_is_that_of_the_command_line() -> None:
    arguments = ["--truth", "500_000", "--query", "P(490_000 < male_21_30[0] < 510_000)"]
    _, expected = run_command("analyze", str(CASE), *arguments)
    found = privug.analyze(str(CASE), truth=500_000, query="P(490_000 < male_21_30[0] < 510_000)")
    assert found.to_dict() == expected
    assert found.observations == expected["observations"] and found.notes == expected["notes"]


def test_reports_are_shown_in_terminals_and_notebooks(one: privug.Analysis) -> None:
    assert repr(one).startswith("What was assumed")
    assert "<table>" in one._repr_html_() and "<svg" in one._repr_html_()
    page = one.to_html()
    assert page.lower().startswith("<!doctype html>") and "In short" in page and "483,000" in page
    assert one.to_svg().lstrip().startswith("<svg") or "<svg" in one.to_svg()


def test_plots_are_axes_or_pictures(one: privug.Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    matplotlib.use("Agg")
    axes = one.plot()
    assert axes.get_xlabel() == "male_21_30[0]" and len(axes.lines) == 3
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    picture = one.plot()
    assert "<svg" in picture._repr_svg_()


def test_before_and_after_have_the_same_colours_in_all_pictures(one: privug.Analysis) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    from matplotlib.colors import to_hex

    _, axes = pyplot.subplots()
    drawn = {line.get_label(): to_hex(line.get_color()) for line in one.plot(ax=axes).get_lines()}
    pyplot.close("all")
    assert drawn["prior"] != drawn["posterior"]
    for picture in (one.to_svg(), one.to_html()):
        assert drawn["prior"] in picture and drawn["posterior"] in picture


@pytest.mark.parametrize("values", [[str(place) for place in range(6)], [f"a long name {place}" for place in range(12)], list(map(str, range(150)))])
def test_the_names_along_an_axis_do_not_run_into_each_other(values: Any) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    from privug._plot import _name_ticks

    figure, axes = pyplot.subplots()
    axes.bar(np.arange(len(values)), 1.0)
    _name_ticks(axes, np.arange(len(values)), values)
    figure.canvas.draw()
    boxes = sorted((label.get_window_extent() for label in axes.get_xticklabels()), key=lambda box: box.x0)
    pyplot.close("all")
    assert len(boxes) >= 6 and all(one.x1 <= other.x0 for one, other in zip(boxes, boxes[1:]))


def test_refusals_carry_diagnostics() -> None:
    with pytest.raises(privug.ProgramError) as error:
        privug.analyze(source="def f():\n    x = Normal(0, 1)\n    y = x * x\n    return undefined\n")
    assert [found["code"] for found in error.value.diagnostics] == ["P201"]
    assert "error[P201]" in str(error.value)
    with pytest.raises(privug.ProgramError) as error:
        privug.analyze(source="def f():\n    x = Normal(0, 1)\n    return x * x\n")
    assert error.value.diagnostics[0]["code"] == "P301"
    assert error.value.diagnostics[0]["start"] == {"line": 3, "column": 12}
    assert privug.check(source="def f():\n    while True:\n        pass\n")[0]["code"] == "P101"
    assert privug.check(CASE) == []
    with pytest.raises(FileNotFoundError):
        privug.analyze("there_is_no_such_file.py")


def test_functions_of_files_are_named_behind_a_colon(tmp_path: Any) -> None:
    path = tmp_path / "several.py"
    path.write_text("def first():\n    return Normal(1, 1)\n\n\ndef second():\n    return Normal(2, 1)\n")
    assert privug.analyze(f"{path}:second").prior.mean.tolist() == [2.0]
    assert privug.analyze(path, function="first").prior.mean.tolist() == [1.0]
    path.write_bytes(b"def f():\n    return '\xff'\n")
    with pytest.raises(privug.ProgramError, match="UTF-8"):
        privug.analyze(path)


def test_sweeps_are_frames_and_the_same_live() -> None:
    given = dict(secret="x", steps=5, log=True, measure=["mutual_information_bits", "Std(x)"])
    source = privug.sweep(source=RELEASE, over={"epsilon": (0.1, 10)}, prior={"x": "Normal(0, 1)"}, **given)
    live = privug.sweep(release, over={"epsilon": (0.1, 10)}, prior={"x": privug.Normal(0, 1)}, **given)
    assert isinstance(source, pd.DataFrame)
    assert list(source.columns) == ["epsilon", "mutual_information_bits", "Std(x)"]
    pd.testing.assert_frame_equal(source, live, rtol=1e-12)
    values = privug.sweep(source=RELEASE, over={"epsilon": [0.1, 10]}, prior={"x": "Normal(0, 1)"}, secret="x")
    assert values["mutual_information_bits"].tolist() == source["mutual_information_bits"].iloc[[0, -1]].tolist()


def test_sweeps_are_dictionaries_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = privug.sweep(release, over={"epsilon": (0.1, 1)}, x=privug.Normal(0, 1), secret="x", steps=3)
    assert isinstance(found, dict) and found["epsilon"].tolist() == [0.1, 0.55, 1.0]


def test_calibrations_are_the_same_live() -> None:
    given = dict(require="mutual_information_bits <= 0.1", secret="x")
    source = privug.calibrate(source=RELEASE, parameter="epsilon", over=(0.01, 10), x="Normal(0, 1)", **given)
    live = privug.calibrate(release, "epsilon", (0.01, 10), x=privug.Normal(0, 1), **given)
    assert source.outcome == live.outcome == "found"
    assert source.value == pytest.approx(live.value, rel=1e-12)
    assert live.analysis.meets_requirements and source.to_dict()["schema"] == "privug.calibration/1"
    assert "epsilon=" in repr(live)


def test_analyses_are_compared_side_by_side(one: privug.Analysis) -> None:
    noisy = privug.analyze(PROGRAMS / "public_statistics" / "dp_case1.py")
    table = privug.compare(plain=one, noisy=noisy)
    assert list(table["analysis"]) == ["plain", "noisy"]
    assert table["mutual_information_bits"].is_monotonic_decreasing


def test_arviz_gets_draws_of_the_prior_and_the_posterior(two: privug.Analysis) -> None:
    pytest.importorskip("arviz")
    data = two.to_arviz(draws=500)
    posterior, prior = data["posterior"], data["prior"]
    assert posterior["x"].shape == prior["x"].shape == (4, 500)
    # The chains are independent of each other.
    chains = np.asarray(posterior["x"])
    assert np.abs(np.corrcoef(chains) - np.eye(4)).max() < 0.25 and len({chain[0] for chain in chains}) == 4
    assert float((posterior["x"] + posterior["y"]).std()) < 1e-6
    assert float(prior["x"].std()) == pytest.approx(2, rel=0.2)


def test_results_are_stored_and_copied_with_all_they_tell(two: privug.Analysis) -> None:
    def release(incomes: Any, epsilon: float) -> Any:
        return privug.gaussian_mechanism(sum(incomes) / len(incomes), sensitivity=20, epsilon=epsilon, delta=0.01)

    incomes = privug.Normal(470, std=50, size=10)
    found = privug.calibrate(
        release, "epsilon", (0.1, 10), incomes=incomes, secret="incomes[0]", require="mutual_information_bits <= 0.02"
    )
    discrete = privug.analyze(source="def f(x, y):\n    return x or y\n", x=privug.Bernoulli(0.25), y=privug.Bernoulli(0.5), secret="x", observe=True)
    for result in (two, discrete, found, found.analysis, two.posterior, two.prior, two.leakage, privug.Normal(0, std=1)):
        for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
            assert type(other) is type(result) and repr(other) == repr(result)
    for result in (two, discrete):
        stored = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(result))))
        assert stored.to_dict() == result.to_dict() and stored.to_svg() == result.to_svg()
        assert stored.secrets == result.secrets and repr(stored.posterior) == repr(result.posterior)
        assert "privug-command" not in stored.to_html() and len(stored.to_html()) == len(result.to_html())


def test_tables_go_to_pandas(two: privug.Analysis) -> None:
    assert two.posterior.to_pandas().loc["x", "mean"] == two.posterior.mean[0]
    assert "mutual_information_bits" in two.leakage.to_pandas().columns


def test_the_version_is_that_of_the_crates() -> None:
    import re
    from importlib.metadata import version

    from conftest import ROOT

    workspace = re.search(r'\[workspace.package\]\nversion = "(.*)"', (ROOT / "Cargo.toml").read_text())
    assert workspace is not None
    assert privug.__version__ == version("privug") == workspace[1]
