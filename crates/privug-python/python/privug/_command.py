"""The `privug` command: the compiled program, which calls `live_release` for `audit --live`."""

from __future__ import annotations

import os
import sys
from typing import Any, List, Optional, Tuple

from ._privug import run_command


def main() -> None:
    """Runs the command with the arguments of the process."""
    sys.exit(run_command(["privug", *sys.argv[1:]]))


def live_release(
    path: str, text: str, function: Optional[str], tables: List[Tuple[str, str]], secrets: List[str]
) -> Tuple[Any, ...]:
    """What a script publishes when Python runs it: the whole of it if it reads its tables itself, or one of its functions."""
    from ._live_audit import Tables, published_by
    from ._live_script import run_of

    prepared = Tables({name: _read(file) for name, file in tables}, secrets, tables)
    if "dtype" in text:
        prepared.spelled.load(prepared.frames, tables)
    return published_by(run_of(path, text, function, prepared), prepared)


def _read(path: str) -> Any:
    import pandas

    ending = os.path.splitext(path)[1].lower()
    if ending == ".parquet":
        return pandas.read_parquet(path)
    if ending in (".arrow", ".feather", ".ipc"):
        return pandas.read_feather(path)
    return pandas.read_csv(path)
