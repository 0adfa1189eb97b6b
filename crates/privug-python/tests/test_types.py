"""What mypy and pyright say to a user's files."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Set

import pytest

TYPED = pathlib.Path(__file__).parent / "typed"


def mypy(path: pathlib.Path) -> Set[int]:
    """The lines in which mypy finds mistakes."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--no-error-summary", path.name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TYPED)
    assert done.returncode in (0, 1), done.stderr
    return {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}


def pyright(path: pathlib.Path) -> Set[int]:
    """The lines in which pyright finds mistakes."""
    pytest.importorskip("pyright")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", path.name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TYPED)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout[done.stdout.index("{") :])["generalDiagnostics"]
    return {each["range"]["start"]["line"] + 1 for each in found if each["severity"] == "error"}


@pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])
@pytest.mark.parametrize("name", ["right.py", "wrong.py"])
def test_type_checkers_find_the_mistakes_of_a_users_file_and_no_others(checker: object, name: str) -> None:
    path = TYPED / name
    mistakes = {place for place, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# mistake")}
    assert callable(checker) and checker(path) == mistakes
