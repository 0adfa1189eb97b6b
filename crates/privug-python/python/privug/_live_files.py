"""What a script does besides computing: files that it opens by itself, and other programs, networks and libraries that it calls.

The file of a given table holds the secret, and is read through pandas only. What leaves the program cannot be seen at all.
"""

from __future__ import annotations

import os
import pathlib
import sys
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Tuple

_CURRENT: Optional[Callable[[str, str], None]] = None
_IS_WATCHED = False

OTHERWISE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".html", ".png", ".pdf", ".svg")
"""Files that have the name of a table and hold something else."""


LEAVING = frozenset(
    "subprocess.Popen os.system os.exec os.fork os.forkpty os.posix_spawn os.spawn os.startfile pty.spawn socket.connect socket.sendto "
    "socket.sendmsg socket.bind ctypes.dlopen ctypes.dlsym ctypes.string_at ftplib.connect smtplib.connect urllib.Request "
    "os.kill os.killpg syslog.syslog syslog.openlog mmap.__new__ signal.pthread_kill".split()
)
"""Audit events of what reads or publishes something where nobody looks."""

CHANGING = frozenset("os.mkdir os.rename os.remove os.rmdir os.link os.symlink os.truncate os.chmod os.utime shutil.move shutil.copyfile".split())
"""Audit events of what leaves a trace among the files by names alone."""

READERS = {
    "pyarrow": ("memory_map", "OSFile", "input_stream"),
    "pyarrow.csv": ("read_csv", "open_csv"),
    "pyarrow.dataset": ("dataset",),
    "pyarrow.feather": ("read_table", "read_feather"),
    "pyarrow.json": ("read_json",),
    "pyarrow.parquet": ("read_table", "read_pandas", "ParquetFile", "ParquetDataset"),
    "polars": ("read_csv", "scan_csv", "read_parquet", "scan_parquet", "read_ipc", "scan_ipc", "read_excel", "read_json", "read_ndjson"),
    "duckdb": ("sql", "query", "execute", "read_csv", "read_parquet", "from_csv_auto", "from_parquet", "connect"),
}
"""Functions of compiled packages that open files where no audit hook sees it."""


def _hook(event: str, arguments: Tuple[Any, ...]) -> None:
    ask = _CURRENT
    if ask is None:
        return
    if event in LEAVING:
        ask("", event)
        return
    if event in CHANGING:
        ask(" ".join(os.fsdecode(each) for each in arguments if isinstance(each, (str, bytes, os.PathLike))), event)
        return
    if event not in ("open", "sqlite3.connect"):
        return
    path = arguments[0]
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    if event == "open":
        _, mode, flags = arguments
        is_text = isinstance(mode, str) and any(letter in mode for letter in "wax+")
        if is_text or (not isinstance(mode, str) and isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
            ask(os.fsdecode(path), "write")
            return
    ask(os.fsdecode(path), "sqlite3.connect" if event != "open" else "open")


@contextmanager
def watched(ask: Callable[[str, str], None]) -> Iterator[None]:
    """Asks about each file that is opened for reading, and about what leaves the program; an error stops it."""
    global _CURRENT, _IS_WATCHED
    if not _IS_WATCHED:
        sys.addaudithook(_hook)
        _IS_WATCHED = True
    before, _CURRENT = _CURRENT, ask
    try:
        yield
    finally:
        _CURRENT = before


def leaving(run: Any, event: str) -> Optional[BaseException]:
    """The error if a run calls another program, a network or a library; not if it is for an import."""
    line = script_line(run)
    if line is None:
        return None
    message = f"`{event}`: what other programs, networks and compiled libraries read and publish is not seen"
    error: BaseException = run.refuse("P901", message, "leave it out of what is audited", line)
    return error


def script_line(run: Any) -> Optional[int]:
    """The line of the script that asks for something; None if nobody does, or if it is for an import."""
    caller: Any = sys._getframe(1)
    while caller is not None:
        if "importlib" in caller.f_code.co_filename:
            return None
        if caller.f_code.co_filename == run.path:
            return int(caller.f_lineno)
        caller = caller.f_back
    # A thread that the program has started runs nothing of its file while it is in a library.
    started = getattr(run, "thread", None)
    return 1 if started is not None and started != threading.get_ident() and threading.get_ident() not in run.others else None


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
