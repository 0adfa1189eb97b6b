"""What a script does besides computing: files that it opens by itself, and other programs, networks and libraries that it calls.

The file of a given table holds the secret, and is read through pandas only. What leaves the program cannot be seen at all.
"""

from __future__ import annotations

import functools
import os
import pathlib
import sys
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Tuple

_CURRENT: Optional[Callable[[str, str], None]] = None
_HERE = os.path.dirname(os.path.abspath(__file__))
_PATH = ""
"""The file of the program that is watched."""
_IS_WATCHED = False
_IS_LOOKING = False
"""Whether the hook itself looks at who asks, which are events of their own."""

OTHERWISE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".html", ".png", ".pdf", ".svg")
"""Files that have the name of a table and hold something else."""


LEAVING = frozenset(
    "subprocess.Popen os.system os.exec os.fork os.forkpty os.posix_spawn os.spawn os.startfile pty.spawn socket.connect socket.sendto "
    "socket.sendmsg socket.bind ctypes.dlopen ctypes.dlsym ctypes.string_at ftplib.connect smtplib.connect urllib.Request "
    "os.kill os.killpg syslog.syslog syslog.openlog mmap.__new__ signal.pthread_kill".split()
)
"""Audit events of what reads or publishes something where nobody looks."""

LOOKING = frozenset("sys._getframe sys._current_frames gc.get_objects gc.get_referrers gc.get_referents object.__getattr__".split())
"""Audit events of what looks into the program that runs it, where the secrets are."""

CHANGING = frozenset(
    "os.mkdir os.rename os.remove os.rmdir os.link os.symlink os.truncate os.chmod os.chown os.utime os.setxattr os.removexattr "
    "shutil.move shutil.copyfile shutil.copymode shutil.copystat shutil.chown".split()
)
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
    if event in LOOKING:
        if _looks(event, arguments):
            ask("", event)
        return
    if event in CHANGING:
        ask("\0".join(os.fsdecode(each) if isinstance(each, (str, bytes, os.PathLike)) else repr(each) for each in arguments), event)
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


def _looks(event: str, arguments: Tuple[Any, ...]) -> bool:
    """Whether the program itself asks for the frames or the objects of others; libraries do so for their own ends."""
    global _IS_LOOKING
    if _IS_LOOKING or (event == "object.__getattr__" and arguments[1] != "tb_frame"):
        return False
    _IS_LOOKING = True
    try:
        caller: Any = sys._getframe(2)
        while caller is not None and caller.f_globals.get("__name__") == "inspect":
            caller = caller.f_back
        return caller is not None and caller.f_code.co_filename == _PATH
    finally:
        _IS_LOOKING = False


@contextmanager
def watched(ask: Callable[[str, str], None], path: str = "") -> Iterator[None]:
    """Asks about each file that is opened for reading, and about what leaves the program; an error stops it."""
    global _CURRENT, _IS_WATCHED, _PATH
    if not _IS_WATCHED:
        sys.addaudithook(_hook)
        _IS_WATCHED = True
    before, (_CURRENT, _PATH) = (_CURRENT, _PATH), (ask, path)
    try:
        yield
    finally:
        _CURRENT, _PATH = before


def leaving(run: Any, event: str) -> Optional[BaseException]:
    """The error if a run calls another program, a network or a library; not if it is for an import."""
    line = script_line(run)
    if line is None:
        return None
    message = f"`{event}`: what other programs, networks and compiled libraries read and publish is not tracked"
    if event in LOOKING:
        message = f"`{event}`: the program inspects the interpreter, where the secret values are"
    error: BaseException = run.refuse("P901", message, "remove it from the audited program", line)
    return error


def script_line(run: Any) -> Optional[int]:
    """The line of the script that asks for something; None if nobody does, or if a library is loaded by it."""
    caller: Any = sys._getframe(1)
    is_own = False
    while caller is not None:
        file = caller.f_code.co_filename
        if file == run.path:
            return int(caller.f_lineno)
        if "importlib" in file and not is_own:
            return None
        # What a module of one's own does when it is loaded, the script does.
        is_own = is_own or not is_library(file)
        caller = caller.f_back
    # A thread that the program has started runs nothing of its file while it is in a library.
    started = getattr(run, "thread", None)
    return 1 if started is not None and started != threading.get_ident() and threading.get_ident() not in run.others else None


@functools.lru_cache(1 << 14)
def is_library(file: str) -> bool:
    """Whether a file comes with Python, is installed, or is ours."""
    return file.startswith((sys.base_prefix, "<", _HERE)) or "site-packages" in file


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
