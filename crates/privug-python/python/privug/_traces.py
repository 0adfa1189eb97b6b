"""What a run of a function leaves behind besides its result, which must not tell the values that the run was told.

A choice gives an ordinary value to a function that is run, and nothing stops the function from printing it, writing it
somewhere or keeping it. So whatever differs between runs, and whatever leaves the program where it cannot be compared, is
refused.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Tuple

from ._fingerprint import Fingerprint

_WRITES = ("socket.connect", "socket.sendto", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.rename")
_CURRENT: Optional["Traces"] = None
_IS_WATCHED = False


class Traces:
    """What one run printed, which files it opened for writing, and what it left in variables."""

    def __init__(self) -> None:
        self.printed: List[str] = []
        self.written: Optional[str] = None
        self.kept: List[Tuple[str, str]] = []
        self.unknown: Optional[str] = None
        """A variable that is too large to be compared."""

    def same(self, other: "Traces") -> bool:
        return self.printed == other.printed and self.kept == other.kept


class _Copied(io.TextIOBase):
    """A stream that notes down what is written to it."""

    def __init__(self, stream: Any, texts: List[str]) -> None:
        self._stream, self._texts = stream, texts

    def write(self, text: str) -> int:
        self._texts.append(text)
        return int(self._stream.write(text) or len(text))

    def flush(self) -> None:
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _hook(event: str, arguments: Tuple[Any, ...]) -> None:
    traces = _CURRENT
    if traces is None or traces.written is not None:
        return
    if event == "open":
        _, mode, flags = arguments
        writes = any(letter in mode for letter in "wax+") if isinstance(mode, str) else False
        if writes or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)):
            traces.written = str(arguments[0])
    elif event in _WRITES:
        traces.written = event


@contextmanager
def traced(traces: Traces, function: Any, arguments: Any) -> Iterator[None]:
    """Watches a run of a function with these arguments."""
    global _CURRENT, _IS_WATCHED
    if not _IS_WATCHED:
        sys.addaudithook(_hook)
        _IS_WATCHED = True
    before, streams, threads = _CURRENT, (sys.stdout, sys.stderr), threading.Thread.start
    _CURRENT = traces
    sys.stdout, sys.stderr = (_Copied(stream, traces.printed) for stream in streams)

    def start(self: threading.Thread) -> None:
        traces.written = traces.written or "a thread"
        threads(self)

    threading.Thread.start = start  # type: ignore[method-assign]
    try:
        yield
    finally:
        threading.Thread.start = threads  # type: ignore[method-assign]
        sys.stdout, sys.stderr = streams
        _CURRENT = before
        print_of = Fingerprint()
        traces.kept = print_of.of_function(function, arguments)
        traces.unknown = print_of.gave_up
