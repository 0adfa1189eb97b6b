"""What a script writes where nobody looks: by the operating system, by compiled code, into databases, in threads that go on."""

from __future__ import annotations

import io
import os
import sqlite3
import sys
import threading
from typing import Any, Callable, List, Optional, Set

from ._live_files import script_line, table_of
from ._live_release import Said

UNSEEN = "a file is written in a way that is not tracked, and its contents could be secret"
INSTEAD = "write with `open`, with pandas' `to_csv` and the like, or print"


def _tasks() -> Set[int]:
    try:
        return {int(each) for each in os.listdir("/proc/self/task")}
    except (OSError, ValueError):
        return set()


_EARLIER = _tasks()
"""The threads of the process when this file was loaded."""


def other_threads(threads: Set[Any]) -> Set[int]:
    """The threads that do not belong to the program under audit.

    Threads that Python knows nothing of may be those that compiled code writes with. Only where there are some that run Python
    code, and were not started by `threading` (those of a test runner), the earlier ones are left out.
    """
    found = {each.native_id or 0 for each in threads if each is not threading.current_thread()}
    if set(sys._current_frames()) - {each.ident for each in threads}:
        found |= _EARLIER - {threading.get_native_id()}
    return found


def written_bytes(others: Set[int], afterwards: bool) -> Optional[int]:
    """How many bytes this process has written so far, but for some threads; None where the system does not tell.

    The others go on writing while they are looked at. They are read before the whole beforehand and after it afterwards, so that what they
    write in between never counts as the program's.
    """
    try:
        if afterwards:
            whole = _written("/proc/self/io")
            return whole - _written_by(others)
        elsewhere = _written_by(others)
        return _written("/proc/self/io") - elsewhere
    except (OSError, StopIteration, ValueError):
        return None


def _written_by(others: Set[int]) -> int:
    threads = os.listdir("/proc/self/task")
    return sum(_written(f"/proc/self/task/{each}/io") for each in threads if int(each) in others or _is_foreign(each))


def _written(path: str) -> int:
    with io.FileIO(path) as counters:
        return int(next(each for each in counters.readlines() if each.startswith(b"wchar")).split()[1])


def _is_foreign(thread: str) -> bool:
    """Whether a thread belongs to what a notebook talks to its pages with."""
    with io.FileIO(f"/proc/self/task/{thread}/comm") as name:
        return name.read().startswith(b"ZMQ")


def check_write(publishing: Any, path: str) -> None:
    """Refuses a file that is opened for writing behind the back of `open`."""
    line = script_line(publishing.run)
    if line is not None and path != os.devnull:
        raise publishing.refuse_once(publishing.run.refuse("P901", f"`{path}`: {UNSEEN}", INSTEAD, line))


def note_change(publishing: Any, event: str, names: str) -> None:
    """Notes down a folder that is made, or a file that is renamed: the names must be the same in every run."""
    line = script_line(publishing.run)
    if line is None:
        return
    for name in names.split("\0"):
        table = table_of(name, publishing.frames, publishing.run.tables.files) if event in MOVING else None
        if table is not None and os.path.exists(name):
            message = f"`{name}` is the file of the table `{table}`, and `{event}` would copy it to where its secret values can be read"
            raise publishing.refuse_once(publishing.run.refuse("P205", message, "leave the table's file where it is", line))
    publishing.count(event, line)
    publishing.cells.said.append(Said(len(publishing.cells), line, f"{event} {names}", False))


MOVING = ("os.rename", "os.link", "os.symlink", "shutil.move", "shutil.copyfile")


def hooks(replace: Callable[[Any, str, Any], None], publishing: Any) -> None:
    """Refuses what writes without opening a file, and opens databases for reading only."""
    systems: List[Any] = [each for each in (os, sys.modules.get("posix"), sys.modules.get("nt")) if each is not None]
    for system in systems:
        for name in ("write", "pwrite", "writev", "pwritev", "sendfile", "splice", "copy_file_range", "_exit", "abort", "mkfifo", "mknod"):
            replace(system, name, lambda original: _refusing(original, publishing))
    for module in (sqlite3, sqlite3.dbapi2):
        replace(module, "connect", lambda original: _reading(original, publishing))


def _refusing(original: Any, publishing: Any) -> Any:
    def call(*inputs: Any, **options: Any) -> Any:
        line = script_line(publishing.run)
        if line is not None:
            what = "ends the program" if original.__name__ in ("_exit", "abort") else "writes"
            message = f"`os.{original.__name__}` {what} in a way that is not tracked"
            raise publishing.refuse_once(publishing.run.refuse("P901", message, INSTEAD, line))
        return original(*inputs, **options)

    return call


def _reading(original: Any, publishing: Any) -> Any:
    """Databases can be read; pandas' `to_sql` publishes, and what is written otherwise is refused."""

    def connect(database: Any, *inputs: Any, **options: Any) -> Any:
        if script_line(publishing.run) is None:
            return original(database, *inputs, **options)
        publishing.opens_database = True
        try:
            path = os.fspath(database)
            publishing.check_file(str(path), "sqlite3.connect")
            if options.get("uri") or not os.path.exists(path):
                connection = original(":memory:", *inputs, **{**options, "uri": False})
            else:
                uri = f"{os.path.abspath(path)}".replace("?", "%3f").replace("#", "%23")
                connection = original(f"file:{uri}?mode=ro", *inputs, **{**options, "uri": True})
        finally:
            publishing.opens_database = False
        connection.set_authorizer(lambda action, *_: _allowed(publishing, action, str(path) == ":memory:"))
        return connection

    return connect


READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_RECURSIVE}


def _allowed(publishing: Any, action: int, in_memory: bool) -> int:
    """Whether a statement stays in the memory, or only reads."""
    if action in READING or (in_memory and action != sqlite3.SQLITE_ATTACH):
        return sqlite3.SQLITE_OK
    message = "a database is written in a way that is not tracked, and its contents could be secret"
    publishing.refuse_once(publishing.run.refuse("P901", message, "write tables with pandas' `to_sql`", publishing.line()))
    return sqlite3.SQLITE_DENY


def end_threads(publishing: Any, before: Set[Any]) -> None:
    """Waits for the threads of a script as Python does at its end; one that would go on behind its back is refused."""
    for thread in set(threading.enumerate()) - before:
        if not thread.daemon and thread is not threading.current_thread():
            thread.join(60.0)
        if thread.is_alive():
            message = "a thread outlives the script, and what it does is not tracked"
            raise publishing.run.refuse("P901", message, "wait for it with `join`", 1)
