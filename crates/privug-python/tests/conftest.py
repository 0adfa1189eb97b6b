"""Where the programs and the command line are, and how results are compared."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import zlib
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "programs"


NEARLY_ALL_BITS = 100.0
"""Of an output that discloses a secret down to the rounding of doubles, the bits are those of the rounding."""


def command_line() -> Path:
    """The `privug` program: `PRIVUG_CLI`, or what cargo has built."""
    given = os.environ.get("PRIVUG_CLI")
    candidates = [Path(given)] if given else [ROOT / "target" / profile / "privug" for profile in ("release", "debug")]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    pytest.fail("the command line is not built: run `cargo build -p privug-cli`, or set PRIVUG_CLI")


def run_command(*arguments: str) -> Tuple[int, Dict[str, Any]]:
    """The exit code and the JSON that the command line prints."""
    done = subprocess.run([str(command_line()), *arguments, "--json"], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def header_runs(path: Path) -> List[List[str]]:
    """The arguments of the runs that a program's header asks for; one without arguments if it says nothing."""
    lines = path.read_text(errors="replace").splitlines()
    runs = [shlex.split(line[len("# run:") :]) for line in lines if line.startswith("# run:")]
    return runs or [[]]


def _literal(text: str) -> Any:
    """A number, text or list; `--set` takes texts without quotes too."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def options_of(arguments: List[str]) -> Dict[str, Any]:
    """The same arguments as options of `privug.analyze`."""
    options: Dict[str, Any] = {}
    pending = iter(arguments)
    for flag in pending:
        if flag == "--exact":
            options["exact"] = True
            continue
        value = next(pending)
        name = flag[2:]
        if name in ("prior", "set"):
            key, _, expression = value.partition("=")
            if name == "set":
                expression = _literal(expression)
            options.setdefault(name, {})[key] = expression
        elif name in ("secret", "observe", "truth", "query", "require"):
            options.setdefault(name, []).append(value)
        elif name == "level":
            options[name] = float(value)
        elif name.startswith("max-"):
            options[name.replace("-", "_")] = int(value)
        else:
            options[name] = value
    return options


def differences(left: Any, right: Any, path: str = "", relative: float = 1e-12) -> Iterator[str]:
    """Where two documents differ, numbers by more than `relative`."""
    if path.startswith(".exact") and isinstance(left, str) and isinstance(right, str):
        # Python has rounded a quotient such as 1/12 before it gets here.
        left, right = float(Fraction(left)), float(Fraction(right))
    if re.search(r"\.leakage\[\d+\]\.outputs$", path):
        # Which outputs that tell nothing are listed depends on the order in which terms cancel.
        left, right = tells_something(left), tells_something(right)
    if path.endswith(".mutual_information_added_bits") and isinstance(left, float) and min(left, right) > NEARLY_ALL_BITS:
        return
    if isinstance(left, bool) or isinstance(right, bool) or not isinstance(left, (int, float, dict, list)):
        if left != right:
            yield f"{path}: {left!r} and {right!r}"
    elif isinstance(left, dict):
        if not isinstance(right, dict) or list(left) != list(right):
            yield f"{path}: keys {list(left)} and {list(right)}"
            return
        for key in left:
            yield from differences(left[key], right[key], f"{path}.{key}", relative)
    elif isinstance(left, list):
        if not isinstance(right, list) or len(left) != len(right):
            yield f"{path}: {left!r} and {right!r}"
            return
        for place, (a, b) in enumerate(zip(left, right)):
            yield from differences(a, b, f"{path}[{place}]", relative)
    elif not isinstance(right, (int, float)) or abs(left - right) > relative * max(abs(left), abs(right)):
        yield f"{path}: {left!r} and {right!r}"


def tells_something(outputs: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """The outputs that tell anything about a secret."""
    return [output for output in outputs if output["mutual_information_alone_bits"] != 0.0]


IS_THOROUGH = int(os.environ.get("PRIVUG_TESTS_TIMES", "1")) > 1
"""Whether all variants are tried: `cargo xtask test --thorough` says so."""

OLDER_PANDAS_SHARE = 8
"""Of the batteries, the older pandas runs one in so many."""

SHARES = {
    "test_*[*-gaps]": 3,
    "test_gaps_in_the_secret_column_are_gaps_in_both_runs[*]": 3,
    "test_the_same_programs_are_answered_when_they_are_run[*]": 2,
}
"""Tests of what others try in another way; one in so many is run, always the same, unless a run is thorough."""


def pytest_collection_modifyitems(config: pytest.Config, items: List[pytest.Item]) -> None:
    """Chooses what is run with this pandas, and how much of it."""
    import pandas

    is_older = int(pandas.__version__.partition(".")[0]) < 3
    kept = [item for item in items if (_is_for_older_pandas(item) if is_older else IS_THOROUGH or _is_usual(item))]
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


def _is_one_in(item: pytest.Item, share: int) -> bool:
    """Always the same ones."""
    return zlib.crc32(item.name.encode()) % share == 0


def _is_usual(item: pytest.Item) -> bool:
    shares = [share for pattern, share in SHARES.items() if fnmatchcase(item.name.replace("[", "("), pattern.replace("[", "("))]
    return all(_is_one_in(item, share) for share in shares)


def _is_for_older_pandas(item: pytest.Item) -> bool:
    """All of its own idioms, and a part of the batteries unless a run is thorough."""
    if "gaps" in item.name or IS_THOROUGH:
        return "gaps" not in item.name
    texts = [str(each) for each in item.callspec.params.values()] if hasattr(item, "callspec") else []
    if any("def f(" in text and "pandas" not in text for text in texts):
        # Functions of numpy alone are the same there.
        return False
    return not ("battery" in item.nodeid or "live_scripts" in item.nodeid) or _is_one_in(item, OLDER_PANDAS_SHARE)
