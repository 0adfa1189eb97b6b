"""The tutorial runs, and its notebook is that of its script."""

import subprocess
import sys

import pytest
from conftest import ROOT


def test_the_tutorial_runs_from_top_to_bottom() -> None:
    pytest.importorskip("nbclient")
    script = ROOT / "crates" / "privug-python" / "make_tutorial.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
