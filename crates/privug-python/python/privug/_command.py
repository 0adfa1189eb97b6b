"""The `privug` command: the compiled program, which calls `live_release` for `audit --live`."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._privug import run_command
from ._refused import program_refusal


def main() -> None:
    """Runs the command with the arguments of the process."""
    sys.exit(run_command(["privug", *sys.argv[1:]]))


def live_release(
    path: str, text: str, function: Optional[str], tables: List[Tuple[str, str]], secrets: List[str]
) -> Tuple[Any, ...]:
    """What a script publishes when Python runs it: the whole of it if it reads its tables itself, or one of its functions."""
    from ._live_audit import Run, Tables, published_by
    from ._live_published import READERS
    from ._live_script import ScriptRun

    prepared = Tables({name: _read(file) for name, file in tables}, secrets, tables)
    if function is None and any(f"{reader}(" in text for reader in READERS):
        return published_by(ScriptRun(path, text, prepared), prepared)
    return published_by(Run(_function(path, function), prepared), prepared)


def _read(path: str) -> Any:
    import pandas

    ending = os.path.splitext(path)[1].lower()
    if ending == ".parquet":
        return pandas.read_parquet(path)
    if ending in (".arrow", ".feather", ".ipc"):
        return pandas.read_feather(path)
    return pandas.read_csv(path)


def _function(path: str, wanted: Optional[str]) -> Callable[..., Any]:
    """A function of a file: the one that is named, `main`, or the only one that no other calls."""
    specification = importlib.util.spec_from_file_location("release", path)
    if specification is None or specification.loader is None:
        raise program_refusal("P001", path, "the script cannot be loaded", "give the path of a Python file")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    own = {name: each for name, each in vars(module).items() if getattr(each, "__code__", None) is not None and each.__code__.co_filename == path}
    if wanted is not None:
        if wanted not in own:
            raise program_refusal("P011", path, f"there is no function `{wanted}`", f"its functions are {', '.join(own) or 'none'}")
        return own[wanted]
    called = {name for each in own.values() for name in each.__code__.co_names}
    entries: Dict[str, Any] = {name: each for name, each in own.items() if name not in called}
    if "main" in own:
        return own["main"]
    if len(entries) != 1:
        names = ", ".join(entries) or "none"
        message = f"it is not clear which function to run: those not called by others are {names}"
        raise program_refusal("P010", path, message, "name one, as in script.py:release, or let the script read its table")
    return next(iter(entries.values()))
