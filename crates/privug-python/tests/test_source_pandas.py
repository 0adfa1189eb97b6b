"""Hundreds of expressions on small tables with gaps, each under pandas and from source: refusing is allowed, another value is not.

The sum of the secrets is added to each result, so that every public number becomes a figure with a value.
"""

from __future__ import annotations

import json
import math
import subprocess
import textwrap
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import pandas as pd
import pytest

from conftest import command_line
from test_tables import figures

SNIPPETS = Path(__file__).parent / "snippets" / "pandas_source.txt"

FRAMES = {
    "df": pd.DataFrame(
        {
            "id": [5, 3, 1, 8, 2, 9, 4, 7], "g": list("baabcaab"), "k": ["x", None, "y", "x", None, "x", "y", "y"],
            "v": [2.0, np.nan, 1.0, 2.5, np.nan, 2.0, 3.0, 0.0], "n": [3, 1, 4, 1, 5, 9, 2, 0],
            "b": [True, False, True, True, False, False, True, False],
            "s": ["p q", " pq", "q", "p", " p q ", "pp", "q q", "p"],
            "d": ["2020-01-31", "2020-02-29", "2021-12-01", "2020-01-01", "2019-05-05", "2021-12-31", "2020-06-30", "2020-02-01"],
            "w": [0.5, 1, 2, 1, 1.5, 1, 0.25, 3], "income": [10.5, 20.25, 31.0, 42.5, 55.125, 63.0, 71.5, 88.0],
        }
    ),
    "lk": pd.DataFrame({"g": ["a", "b", "d"], "z": [1.5, 2.5, 9.0]}),
    "lk2": pd.DataFrame({"k": ["y", "x"], "z": [1, 2]}),
}  # fmt: skip

PROGRAM = """import numpy as np
import pandas as pd


def release(df, lk, lk2):
    shift = df.income.sum()
{body}
    if isinstance(out, {lists}):
        return [each * 1 + shift for each in out]
    if isinstance(out, dict):
        return {{key: each + shift for key, each in out.items()}}
    return out * 1 + shift
"""


def program(snippet: str, lists: str) -> str:
    lines: List[str] = []
    for part in snippet.split(" ;; "):
        first, *inner = part.split(" >> ")
        lines += [first, *(f"    {line}" for line in inner)]
    lines[-1] = f"out = {lines[-1]}"
    return PROGRAM.format(body=textwrap.indent("\n".join(lines), "    "), lists=lists)


def theirs(snippet: str, frames: Dict[str, pd.DataFrame]) -> Optional[Dict[str, float]]:
    scope: Dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # What pandas has as an index or an array is a list from source.
            exec(program(snippet, "(list, tuple, np.ndarray, pd.Index)"), scope)  # noqa: S102
            result = scope["release"](**{name: frame.copy() for name, frame in frames.items()})
        return {name: value for name, value in figures(result) if not math.isnan(value)}
    except Exception:  # noqa: BLE001 - whatever pandas refuses
        return None


def ours(job: Tuple[int, str, Path]) -> Dict[str, Any]:
    number, snippet, folder = job
    script = folder / f"snippet_{number}.py"
    script.write_text(program(snippet, "(list, tuple)"))
    arguments = [str(command_line()), "audit", str(script), "--json", "--secret", "df.income", "--prior", "Normal(50, std=20)"]
    for name in FRAMES:
        arguments += ["--table", f"{name}={folder / name}.csv"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode in (0, 1, 2, 3), (snippet, done.stderr)
    return json.loads(done.stdout)


def difference(found: Dict[str, float], expected: Optional[Dict[str, float]]) -> Optional[str]:
    """What is not the same; figures of one shape may be called otherwise, and are then compared in their order."""
    if expected is None:
        return f"pandas refuses, ours: {found}"
    if len(found) != len(expected):
        return f"ours: {found}\n    pandas: {expected}"
    by_name = set(found) == set(expected)
    pairs = [(found[name], expected[name]) for name in found] if by_name else list(zip(found.values(), expected.values()))
    if all(math.isclose(a, b, rel_tol=1e-11) for a, b in pairs) and (not by_name or list(found) == list(expected)):
        return None
    return f"ours: {found}\n    pandas: {expected}"


def test_what_is_computed_from_source_is_what_pandas_computes(tmp_path: Path) -> None:
    snippets = [line for line in SNIPPETS.read_text().splitlines() if line and not line.startswith("# ")]
    assert len(snippets) > 700 and len(set(snippets)) > 700
    for name, frame in FRAMES.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    frames = {name: pd.read_csv(tmp_path / f"{name}.csv") for name in FRAMES}
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(ours, [(number, snippet, tmp_path) for number, snippet in enumerate(snippets)]))
    different, agreed = [], 0
    for snippet, result in zip(snippets, results):
        if "diagnostics" in result:
            continue
        found = {figure["name"]: figure["value"] for figure in result["figures"] if figure["value"] is not None}
        expected = theirs(snippet, frames)
        told = difference(found, expected)
        if told is None:
            agreed += 1
        else:
            different.append(f"{snippet}\n    {told}")
    assert not different, f"{len(different)} of {len(snippets)} differ:\n" + "\n".join(different)
    assert agreed > 600, agreed
