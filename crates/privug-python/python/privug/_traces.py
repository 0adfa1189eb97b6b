"""What a run of a function leaves behind besides its result, which must not tell the values that the run was told.

A choice gives an ordinary value to a function that is run, and nothing stops the function from printing it, writing it
somewhere or keeping it. So whatever differs between runs, and whatever leaves the program where it cannot be compared, is
refused.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Tuple

_WRITES = ("socket.connect", "socket.sendto", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.rename")
_SIMPLE = (bool, int, float, complex, str, bytes, type(None))
_CONTAINERS = (list, tuple, dict, set, frozenset)
_MOST = 100_000
"""Letters of a variable that are compared."""

_CURRENT: Optional["Traces"] = None
_IS_WATCHED = False


class Traces:
    """What one run printed, which files it opened for writing, and what it left in variables."""

    def __init__(self) -> None:
        self.printed: List[str] = []
        self.written: Optional[str] = None
        self.kept: List[Tuple[str, str]] = []

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
def traced(traces: Traces, function: Any, variables: Any) -> Iterator[None]:
    """Watches a run of a function; `variables` are those of its module."""
    global _CURRENT, _IS_WATCHED
    if not _IS_WATCHED:
        sys.addaudithook(_hook)
        _IS_WATCHED = True
    before, streams = _CURRENT, (sys.stdout, sys.stderr)
    _CURRENT = traces
    sys.stdout, sys.stderr = (_Copied(stream, traces.printed) for stream in streams)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        _CURRENT = before
        cells = [cell for cell in getattr(function, "__closure__", None) or () if cell]
        kept = [(str(name), value) for name, value in list(variables.items())]
        kept += [(f"closure {place}", cell.cell_contents) for place, cell in enumerate(cells)]
        kept += [("defaults", getattr(function, name, None)) for name in ("__defaults__", "__kwdefaults__", "__dict__")]
        traces.kept = [(name, _shown(value)) for name, value in kept]


def _shown(value: Any, depth: int = 0) -> str:
    """A variable as far as it can be compared: numbers and texts, and what holds them."""
    if isinstance(value, _SIMPLE):
        return repr(value)[:_MOST]
    if type(value) not in _CONTAINERS or depth > 4:
        return type(value).__name__
    parts = value.items() if isinstance(value, dict) else value
    shown = [_shown(part, depth + 1) for part, _ in zip(parts, range(10_000))]
    return f"{type(value).__name__} of {len(value)}: {sorted(shown) if isinstance(value, (set, frozenset)) else shown}"
