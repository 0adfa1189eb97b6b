"""Which files a script opens by itself: the file of a given table holds the secret, and is read through pandas only."""

from __future__ import annotations

import os
import pathlib
import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Tuple

_CURRENT: Optional[Callable[[str, str], None]] = None
_IS_WATCHED = False

OTHERWISE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".html", ".png", ".pdf", ".svg")
"""Files that have the name of a table and hold something else."""


def _hook(event: str, arguments: Tuple[Any, ...]) -> None:
    ask = _CURRENT
    if ask is None or event not in ("open", "sqlite3.connect"):
        return
    path = arguments[0]
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    if event == "open":
        _, mode, flags = arguments
        if isinstance(mode, str) and any(letter in mode for letter in "wax"):
            return
        if not isinstance(mode, str) and isinstance(flags, int) and flags & (os.O_WRONLY | os.O_CREAT):
            return
    ask(os.fsdecode(path), "sqlite3.connect" if event != "open" else "open")


@contextmanager
def watched(ask: Callable[[str, str], None]) -> Iterator[None]:
    """Asks about each file that is opened for reading; an error keeps it closed."""
    global _CURRENT, _IS_WATCHED
    if not _IS_WATCHED:
        sys.addaudithook(_hook)
        _IS_WATCHED = True
    before, _CURRENT = _CURRENT, ask
    try:
        yield
    finally:
        _CURRENT = before


def table_of(path: str, names: Any, files: Any) -> Optional[str]:
    """The given table that a file has the name of, or is the file of."""
    there = pathlib.Path(path)
    if there.suffix.lower() in OTHERWISE:
        return None
    for name in names:
        if name in (there.stem, there.name):
            return str(name)
    for name, file in files:
        try:
            if os.path.exists(file) and os.path.samefile(path, file):
                return str(name)
        except OSError:
            continue
    return None
