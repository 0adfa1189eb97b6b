"""Releases that disclose somebody do not pass, and harmless ones do, in Python too.

The releases are the files of `crates/privug-cli/tests/disclosing` and `harmless`; how their heads are read is described
in `crates/privug-cli/tests/cli/corpus.rs`, which puts them to the command line.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import numpy as np
import pytest
from conftest import ROOT, options_of

import privug

FOLDER = ROOT / "crates" / "privug-cli" / "tests"
COMMANDS = ("analyze", "audit", "calibrate", "compare", "python")
OUTCOMES = {"disclosing": ("fails", "review", "refused"), "harmless": ("passes",)}
VERDICTS = {"pass": "passes", "review": "review", "fail": "fails"}

BROKEN = (ImportError, FileNotFoundError, SyntaxError)
"""What a release raises that does not work at all; it would be refused for the wrong reason."""


class Run(NamedTuple):
    path: Path
    command: str
    options: str
    way: str
    expected: str


def head(path: Path) -> List[Tuple[str, str]]:
    """The lines of a head, as keys and values."""
    lines: List[Tuple[str, str]] = []
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            break
        if line.startswith("#   "):
            key, value = lines[-1]
            lines[-1] = (key, f"{value} {line[4:].strip()}")
        else:
            key, _, value = line[1:].partition(":")
            lines.append((key.strip(), value.strip()))
    return lines


def runs() -> List[Any]:
    found = []
    for folder in OUTCOMES:
        for path in sorted((FOLDER / folder).rglob("*.py")):
            command, options, number = "", "", 0
            for key, value in head(path):
                if key in COMMANDS:
                    command, options, number = key, value, number + 1
                    continue
                if "--grouped" in options:
                    # The package groups what an engine holds; tables in memory are grouped by the command line alone.
                    continue
                for way in map(str.strip, key.split(",")):
                    if way in ("source", "live", "verdict"):
                        name = f"{folder}/{path.stem} {way}" + f" {number}" * (number > 1)
                        found.append(pytest.param(Run(path, command, options, way, value), id=name))
    return found


RUNS = runs()


def arguments(run: Run) -> Tuple[str, Dict[str, Any]]:
    """The function that is named, and the arguments of `privug.analyze`."""
    if run.command == "python":
        import pandas

        names = {"privug": privug, "np": np, "pd": pandas}
        function = ""
        text = run.options
        named = re.match(r":(\w+)\s+(.*)", text, re.DOTALL)
        if named:
            function, text = named.groups()
        return function, eval(f"dict({text})", names)
    words = shlex.split(run.options)
    functions = [word[1:] for word in words if word.startswith(":")]
    return "".join(functions), options_of([word for word in words if not word.startswith(":")])


def function_of(path: Path, name: str) -> Callable[..., Any]:
    specification = importlib.util.spec_from_file_location(f"release_{path.stem}", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    if name:
        return getattr(module, name)
    own = [
        value
        for value in vars(module).values()
        if callable(value) and not isinstance(value, type) and getattr(value, "__module__", "") == module.__name__
    ]
    return own[0] if len(own) == 1 else module.main


def audit_arguments(run: Run) -> Tuple[str, Dict[str, Any]]:
    """The function that is named, and the arguments of `privug.audit`, with the tables read by pandas."""
    import pandas

    function = ""
    options: Dict[str, Any] = {"tables": {}}
    words = iter(shlex.split(run.options))
    for word in words:
        if word.startswith(":"):
            function = word[1:]
        elif word in ("--exact", "--strict"):
            options[word[2:]] = True
        else:
            name, value = word[2:], next(words)
            if name == "table":
                table, _, file = value.partition("=")
                options["tables"][table] = pandas.read_csv(run.path.parent / file)
            elif name in ("person", "missing"):
                options[name] = "pandas" if value == "drop" else value
            elif name == "policy":
                options[name] = run.path.parent / value
            else:
                options.setdefault("rules" if name == "rule" else name, []).append(value)
    return function, options


def outcome(run: Run) -> Tuple[str, str]:
    """What the package says to a release, and in which words."""
    if run.command == "audit":
        function, options = audit_arguments(run)
        is_script = "read_csv(" in run.path.read_text()
        program: Any = str(run.path)
        if run.way == "live" and not is_script:
            program, function = function_of(run.path, function), ""
        try:
            audited = privug.audit(program, function=function or None, live=run.way == "live" and is_script, **options)
        except BROKEN:
            raise
        except privug.ProgramError as error:
            return "refused", str(error)
        return VERDICTS[audited.verdict], repr(audited)
    function, options = arguments(run)
    assert options.get("require"), "a gate has a requirement"
    program = function_of(run.path, function) if run.way == "live" else str(run.path)
    if run.way == "source" and function:
        options["function"] = function
    try:
        found = privug.analyze(program, **options)
    except BROKEN:
        raise
    except Exception as error:
        return "refused", f"{type(error).__name__}: {error}"
    return ("passes" if found.meets_requirements else "fails"), repr(found)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("run", RUNS)
def test_the_gate_holds(run: Run) -> None:
    expected, _, words = run.expected.partition(" ")
    assert expected in OUTCOMES[run.path.relative_to(FOLDER).parts[0]]
    got, said = outcome(run)
    assert got == expected, said
    for word in shlex.split(words):
        assert word in said


def test_there_are_releases_of_both_kinds_through_all_ways() -> None:
    for folder in OUTCOMES:
        for way in ("source", "live", "verdict"):
            chosen = [run.values[0] for run in RUNS]
            assert sum(run.way == way and run.path.is_relative_to(FOLDER / folder) for run in chosen) >= 20
