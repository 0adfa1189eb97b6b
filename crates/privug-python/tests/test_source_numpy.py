"""Functions of numpy from source: the means and covariances of what they return are those that numpy computes."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pandas as pd
import pytest

import live_corpus
from conftest import command_line

MEANS = np.array([50.5, 41.25, 63.0, 55.5, 47.75, 39.0, 61.5, 52.25, 44.0, 58.5, 49.25, 53.75])

PUBLIC: Dict[str, np.ndarray] = {
    "g": np.array(list("mfmfmfmfmfmf")),
    "gi": np.array([0, 1] * 6),
    "w": np.arange(1.0, 13.0),
    "t": np.arange(12.0),
}

# Each is linear in x.
IDIOMS = [
    "x.sum() / x.size",
    "x.mean() - x[0]",
    "x.reshape(4, 3).mean(axis=1)",
    "x.reshape(4, 3).T.sum(axis=0)",
    "x.reshape(3, -1).sum()",
    "x[x.shape[0] // 2:]",
    "x[::-1]",
    "x[::2] - x[1::2]",
    "x[[0, 3, 5]]",
    "x[g == 'm'].mean() - x[g == 'f'].mean()",
    "x[(g == 'm') & (t > 3)].sum()",
    "x * w",
    "(x * w).sum() / w.sum()",
    "x @ w",
    "w @ x",
    "np.dot(w, x)",
    "np.average(x, weights=w)",
    "np.average(x)",
    "np.sum(x[:3]) + np.mean(x[3:])",
    "np.cumsum(x)",
    "(np.cumsum(x)[3:] - np.cumsum(x)[:-3]) / 3",
    "np.diff(x)",
    "np.diff(x, n=2)",
    "np.diff(x.reshape(4, 3), axis=0)",
    "np.convolve(x, np.ones(3) / 3, mode='valid')",
    "np.convolve(x, [1, 2, 1], mode='same')",
    "np.convolve(x, [1, 2, 1])",
    "np.correlate(x, [1, 2, 3], 'valid')",
    "np.concatenate([x[6:], x[:6]])",
    "np.concatenate([x.reshape(4, 3), np.ones((4, 1))], axis=1).sum(axis=0)",
    "np.stack([x, 2 * x]).sum(axis=0)",
    "np.stack([x, w], axis=1)[:, 0]",
    "np.hstack([x[:2], x[4:]])",
    "np.vstack([x[:6], x[6:]]).mean(axis=0)",
    "np.column_stack([x, w])[:, 0]",
    "np.append(x, 3.0)",
    "np.split(x, 3)[1]",
    "np.array_split(x, 5)[2]",
    "np.split(x, [2, 7])[2]",
    "np.roll(x, 2)",
    "np.roll(x.reshape(4, 3), 1, axis=0)",
    "np.flip(x)",
    "np.flip(x.reshape(4, 3), axis=1)",
    "np.repeat(x[:3], 2)",
    "np.repeat(x[:3], [1, 0, 3])",
    "np.tile(x[:3], 2)",
    "np.take(x, [1, 2])",
    "np.delete(x, [0, 1])",
    "np.diag(x[:3]) @ np.ones(3)",
    "np.diag(x[:9].reshape(3, 3))",
    "np.where(g == 'm', x, 0).sum()",
    "np.where(t > 5, x, 2 * x)",
    "np.select([t < 3, t < 6], [x, 2 * x], default=0).sum()",
    "np.bincount(gi, weights=x)",
    "np.bincount(gi, weights=x) / np.bincount(gi)",
    "np.bincount(gi, weights=x, minlength=4)",
    "np.histogram(t, bins=[0, 3, 6, 11], weights=x)[0]",
    "np.add.reduceat(x, [0, 3, 6, 9])",
    "np.add.reduce(x)",
    "np.add(x, 1) - np.multiply(x, 2) + np.subtract(x, w) + np.divide(x, 4)",
    "np.negative(x)",
    "np.outer(x[:2], w[:3])",
    "np.inner(x, w)",
    "np.einsum('i,i->', x, w)",
    "np.einsum('ij,j->i', x.reshape(4, 3), w[:3])",
    "np.einsum('ij->j', x.reshape(4, 3))",
    "np.tensordot(x.reshape(4, 3), w[:3], axes=1)",
    "np.tensordot(x.reshape(4, 3), np.ones((4, 3)))",
    "np.interp([0.5, 2.25, 20.0, -1.0], t, x)",
    "np.gradient(x)",
    "np.trapezoid(x)",
    "np.trapezoid(x, t)",
    "np.polyfit(t, x, 1)",
    "np.polyfit(t, x, 2)",
    "np.polyval(x[:3], 2.0)",
    "np.linalg.solve(np.array([[2.0, 1.0], [1.0, 3.0]]), x[:2])",
    "np.linalg.inv(np.array([[2.0, 1.0], [1.0, 3.0]])) @ x[:2]",
    "np.linalg.pinv(np.column_stack([np.ones(12), t])) @ x",
    "np.linalg.lstsq(np.column_stack([np.ones(12), t]), x, rcond=None)[0]",
    "np.linalg.inv(np.vander(t, 2).T @ np.vander(t, 2)) @ np.vander(t, 2).T @ x",
    "np.squeeze(x.reshape(12, 1))",
    "np.expand_dims(x, 0).sum(axis=0)",
    "x[:, None].mean(axis=1)",
    "x[np.newaxis, :].sum(axis=0)",
    "np.broadcast_to(x[:3], (2, 3))",
    "(x.reshape(4, 3) - x.reshape(4, 3).mean(axis=0)).sum(axis=1)",
    "(x.reshape(4, 3) * w[:3]).sum(axis=1, keepdims=True)",
    "np.swapaxes(x.reshape(4, 3), 0, 1)[0]",
    "np.transpose(x.reshape(4, 3))[1]",
    "np.ravel(x.reshape(4, 3))[4]",
    "np.reshape(x, (2, 6)).sum(axis=1)",
    "np.nanmean(x)",
    "np.nansum(x)",
    "np.asarray(x, dtype=float).mean()",
    "np.array([v * 2 for v in x]).sum()",
    "x.astype(float).copy().sum()",
    "x.dot(w)",
    "sum(map(lambda v: 12 * v, x)) / len(x)",
    "[x[g == key].mean() for key in sorted(set(g))]",
    "[x[g == key].mean() for key in np.unique(g)]",
    "np.array([x[gi == k].sum() for k in range(2)])",
    "np.matmul(np.ones((2, 12)), x)",
    "np.atleast_2d(x) @ w",
    "x[np.argsort(-w)]",
    "x[np.flatnonzero(g == 'm')].sum()",
    "np.full_like(x, 2.0) * x + np.ones_like(x) * x + np.zeros_like(x)",
    "np.eye(12)[0] @ x",
    "x[np.isin(t, [1, 2, 3])].sum()",
    "x[np.digitize(t, [3, 6]) == 1].mean()",
    "pd.Series(x).rolling(3).mean().dropna()",
    "pd.Series(x).mean()",
    "pd.DataFrame({'income': x, 'sex': g}).groupby('sex')['income'].mean()",
    "pd.Series(x, index=list('abcdefghijkl'))['c']",
]

# They look at the values of x, or multiply them with each other.
NOT_LINEAR = [
    "np.sort(x)", "np.argsort(x)", "np.clip(x, 0, 60)", "np.maximum(x, 50)", "np.unique(x)", "x * x", "np.square(x)", "np.outer(x, x)",
    "np.digitize(x, [40, 50])", "np.histogram(x, bins=[0, 50, 100])", "np.linalg.inv(x[:4].reshape(2, 2))", "np.polyfit(x, t, 1)",
    "np.interp(x, t, w)", "np.convolve(x, x)", "np.einsum('i,i->', x, x)", "np.floor(x)", "np.searchsorted(w, x)", "np.argmax(x)",
    "np.bincount(gi, weights=x) / x.sum()", "np.linalg.lstsq(np.column_stack([np.ones(12), t]), x, rcond=None)[1]",
    "pd.Series(x).rolling(2).mean().std()", "pd.Series(x).sort_values()", "pd.Series(x).round(1)",
]  # fmt: skip


def function_of(idiom: str) -> str:
    return f"import numpy as np\nimport pandas as pd\n\n\ndef f(x, g, gi, w, t):\n    return {idiom}\n"


def analyzed(path: Path, parameters: List[str]) -> Tuple[int, Dict[str, Any]]:
    """What the command line says of the function's results as secrets, whose prior is the distribution of x."""
    arguments = [str(command_line()), "analyze", str(path), "--json"]
    for name in parameters:
        if name == "x":
            arguments += ["--prior", f"x=np.array([Normal(mean, 1) for mean in {MEANS.tolist()}])"]
        else:
            arguments += ["--set", f"{name}=np.array({PUBLIC[name].tolist()!r})"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def flat(value: Any) -> np.ndarray:
    if isinstance(value, dict):
        return np.concatenate([flat(each) for each in value.values()])
    if isinstance(value, (list, tuple)):
        return np.concatenate([flat(each) for each in value])
    return np.ravel(np.asarray(value, dtype=float))


def under_numpy(program: str, parameters: List[str]) -> Tuple[np.ndarray, np.ndarray]:
    """The results at the means, and their weights by differences: they are affine, so a large step is exact."""
    scope: Dict[str, Any] = {}
    exec(program, scope)  # noqa: S102 - the programs are those of this repository

    def at(x: np.ndarray) -> np.ndarray:
        given = {name: x.copy() if name == "x" else PUBLIC[name].copy() for name in parameters}
        return flat(scope["f"](**given))

    base = at(MEANS)
    step = 2.0**30
    weights = np.array([(at(MEANS + step * unit) - base) / step for unit in np.eye(len(MEANS))]).T
    return base, weights


def check(program: str, path: Path, parameters: List[str]) -> None:
    path.write_text(program)
    code, found = analyzed(path, parameters)
    assert code == 0, found["diagnostics"]
    mean, weights = under_numpy(program, parameters)
    is_random = np.abs(weights).sum(axis=1) > 1e-9
    np.testing.assert_allclose(found["prior"]["mean"], mean[is_random], rtol=1e-11)
    covariance = weights[is_random] @ weights[is_random].T
    np.testing.assert_allclose(found["prior"]["covariance"], covariance, rtol=1e-6, atol=1e-6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("idiom", IDIOMS)
def test_idioms_have_the_weights_of_numpy(idiom: str, tmp_path: Path) -> None:
    check(function_of(idiom), tmp_path / "f.py", ["x", "g", "gi", "w", "t"])


def test_what_is_not_linear_is_refused(tmp_path: Path) -> None:
    def refused(job: Tuple[int, str]) -> Tuple[str, int]:
        number, idiom = job
        path = tmp_path / f"{number}.py"
        path.write_text(function_of(idiom))
        return idiom, analyzed(path, ["x", "g", "gi", "w", "t"])[0]

    with ThreadPoolExecutor() as pool:
        codes = list(pool.map(refused, enumerate(NOT_LINEAR)))
    assert [idiom for idiom, code in codes if code != 1] == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not live_corpus.CORPUS.exists(), reason="there is no corpus beside the repository")
def test_most_linear_functions_of_analysts_are_analysed_from_source(tmp_path: Path) -> None:
    pytest.importorskip("privug")
    from test_live_corpus import FUNCTIONS, NOT_LINEAR as NOT_AFFINE, columns

    PUBLIC.update({name: column.to_numpy() for name, column in columns().items() if name not in PUBLIC and name != "x"})
    PUBLIC["r"] = PUBLIC["r"].astype(str)
    linear = [name for name in FUNCTIONS if name not in NOT_AFFINE]
    analysed = []
    for name in linear:
        program = (live_corpus.CORPUS / "functions" / f"{name}.py").read_text()
        head = program.split("def f(")[1].split("):")[0]
        parameters = [each.split("=")[0].strip() for each in head.split(",") if each.strip().split("=")[0].strip() in {*PUBLIC, "x"}]
        path = tmp_path / f"{name}.py"
        path.write_text(program)
        if analyzed(path, parameters)[0] == 0:
            check(program, path, parameters)
            analysed.append(name)
    assert 3 * len(analysed) >= 2 * len(linear), sorted(set(linear) - set(analysed))
