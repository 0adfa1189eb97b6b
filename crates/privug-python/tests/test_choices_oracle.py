"""Programs with choices against CPython, run once for each combination of choices with fractions.

A hundred and twenty random programs by default; `PRIVUG_ORACLE_PROGRAMS=5000` and `PRIVUG_ORACLE_SEED` ask for more and for others.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest
from choices_oracle import disagreement
from conftest import run_command
from random_choices import program

COUNT = int(os.environ.get("PRIVUG_ORACLE_PROGRAMS", "120"))
FIRST = int(os.environ.get("PRIVUG_ORACLE_SEED", "0"))
PER_TEST = 20


def analysed(source: str, exact: bool) -> Tuple[int, Dict[str, Any]]:
    """What the command line says about a program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(source)
        return run_command("analyze", f"{path}:f", *(["--exact"] if exact else []))


@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT, PER_TEST))
def test_random_programs_are_answered_as_by_enumeration(start: int) -> None:
    wrong = []
    for seed in range(start, min(start + PER_TEST, FIRST + COUNT)):
        source = program(seed)
        found = disagreement(source, analysed)
        if found:
            wrong.append(f"seed {seed}: {found}\n{source}")
    assert not wrong, "\n\n".join(wrong)
