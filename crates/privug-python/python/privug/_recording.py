"""The recording that is under way, one per context, so that threads can analyse at the same time."""

from __future__ import annotations

import ast
import bisect
import functools
import linecache
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType, FrameType
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._parser import calls_of
from ._privug import Recorder

Place = Tuple[int, int, int]
"""Which text, its first byte, one past its last."""

MAX_NAME = 60
"""Longer expressions are not used as names."""

HERE: Place = (0, 0, 0)


class Text:
    """A file that the program's steps are found in."""

    def __init__(self, number: int, path: str, text: str) -> None:
        self.number = number
        self.path = path
        self.text = text
        lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line.encode()))

    def byte(self, line: int, column: int) -> int:
        """The byte at a line (from 1) and a column in bytes."""
        if not 1 <= line < len(self.starts):
            return 0
        return min(self.starts[line - 1] + column, self.starts[-1])

    def place(self, node: Any, shift: int = 0) -> Place:
        """Where a node of the syntax tree is; its lines are counted from `shift`."""
        start = self.byte(node.lineno + shift, node.col_offset)
        end = self.byte((node.end_lineno or node.lineno) + shift, node.end_col_offset or 0)
        return (self.number, start, max(start, end))

    def calls(self) -> Dict[int, List[ast.Call]]:
        """All calls, by the line on which they start."""
        return calls_of(self.text)


class Recording:
    """A live analysis that is under way."""

    def __init__(self, path: str, text: str, first_free: int) -> None:
        self.recorder = Recorder()
        self.first_free = first_free
        self.program = Text(0, path, text)
        self.texts: Dict[str, Text] = {path: self.program}
        self.running = True
        self.entropy: Optional[bool] = False
        """Whether the function asked for randomness of the system; None if a seed may have replaced it."""
        self.refusal: Optional[Tuple[BaseException, str, int]] = None
        """The first thing that was refused while the function ran, and the file and line."""
        self._names: Dict[Tuple[CodeType, int, str], Tuple[str, Place]] = {}
        self.worlds: Any = None
        """What this run is told about choices, a `Worlds`."""

    def create(self, prior: Any) -> Any:
        """Makes random variables of a prior."""
        return prior.create(self)

    def see(self, name: str, variable: Any, value: Any, spread: Any, is_std_dev: bool) -> None:
        """Notes down that something was seen."""
        self.recorder.see(name, variable, value, spread, is_std_dev)

    def see_event(self, name: str, happened: bool) -> None:
        """Notes down whether what was seen happens in this run."""
        self.recorder.see_event(name, happened)

    def gaussian_mechanism(
        self, name: str, variable: Any, sensitivity: Any, epsilon: Any, delta: Any, calibration: str
    ) -> Any:
        """Adds noise."""
        return self.recorder.gaussian_mechanism(name, variable, sensitivity, epsilon, delta, calibration)

    def line_of(self, place: Place) -> Tuple[str, int, str]:
        """The file, the line and its text where a place is."""
        for text in self.texts.values():
            if text.number == place[0]:
                line = max(1, bisect.bisect_right(text.starts, place[1]))
                return text.path, line, linecache.getline(text.path, line)
        return self.program.path, 1, ""

    def text_of(self, path: str) -> Text:
        """The text of a file."""
        known = self.texts.get(path)
        if known is None:
            text = "".join(linecache.getlines(path))
            known = Text(self.first_free + len(self.texts) - 1, path, text)
            self.texts[path] = known
        return known

    def added_texts(self) -> List[Tuple[str, str]]:
        """The texts other than the program's, in the order of their numbers."""
        return [(text.path, text.text) for text in self.texts.values() if text is not self.program]

    def locate(self, frame: FrameType) -> None:
        """Lets the steps that follow be found at the line where a frame is."""
        text = self.text_of(frame.f_code.co_filename)
        start = text.byte(frame.f_lineno, 0)
        end = text.byte(frame.f_lineno + 1, 0)
        self.recorder.place(text.number, start, max(start, end - 1))

    def subject(self, frame: FrameType, function: str) -> str:
        """What the first argument of the call under way is called: its source text."""
        key = (frame.f_code, frame.f_lasti, function)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = self._find_subject(frame, function)
        name, place = found
        self.recorder.place(*place)
        return name

    def _find_subject(self, frame: FrameType, function: str) -> Tuple[str, Place]:
        text = self.text_of(frame.f_code.co_filename)
        calls = text.calls().get(frame.f_lineno, [])
        exact = _position(frame)
        if exact is not None:
            line, end_line, column, end_column = exact
            calls = [
                call
                for call in text.calls().get(line, [])
                if (call.end_lineno, call.col_offset, call.end_col_offset) == (end_line, column, end_column)
            ]
        else:
            calls = [call for call in calls if _called(call) == function] or calls
        if not calls:
            start = text.byte(frame.f_lineno, 0)
            return "observation", (text.number, start, start)
        call = calls[0]
        first = call.args[0] if call.args else (call.keywords[0].value if call.keywords else None)
        return _name(first, text.text, "observation"), text.place(call)


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _position(frame: FrameType) -> Optional[Tuple[int, int, int, int]]:
    """Where the call under way is, where Python tells (3.11 and later)."""
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None:
        return None
    for index, position in enumerate(positions()):
        if index * 2 == frame.f_lasti:
            return None if None in position else position
    return None


@functools.lru_cache(maxsize=1024)
def _segment(text: str, node: ast.AST) -> Optional[str]:
    """A part of a text. It is found by splitting all of the text into lines, and asked for again in each of thousands of runs."""
    return ast.get_source_segment(text, node)


def _name(node: Optional[ast.AST], text: str, otherwise: str) -> str:
    segment = _segment(text, node) if node is not None else None
    if segment is None:
        return otherwise
    name = " ".join(segment.split())
    return name if len(name) <= MAX_NAME else otherwise


def result_name(node: Optional[ast.AST], text: str) -> Any:
    """What the parts of a result are called: texts, or lists of them."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [result_name(element, text) for element in node.elts]
    if node is None or isinstance(node, (ast.Dict, ast.DictComp)):
        return "return"
    return _name(node, text, "return")


CURRENT: ContextVar[Optional[Recording]] = ContextVar("privug_recording", default=None)
"""The recording under way in this context."""

_UNDER_WAY: List[Recording] = []


@contextmanager
def running(recording: Recording) -> Iterator[None]:
    """Makes a recording the one under way."""
    token = CURRENT.set(recording)
    _UNDER_WAY.append(recording)
    try:
        yield
    finally:
        _UNDER_WAY.remove(recording)
        CURRENT.reset(token)


def concerned() -> List[Recording]:
    """The recordings that something that happens here is about.

    A thread that a function starts has a context of its own, and may belong to any that is under way: it is taken to
    belong to all of them, since what is noted must not get lost.
    """
    recording = CURRENT.get()
    return [each for each in (list(_UNDER_WAY) if recording is None else [recording]) if each.running]


def note_refusal(error: BaseException) -> None:
    """Keeps the first error about a random variable, in case somebody swallows it."""
    for recording in concerned():
        if recording.refusal is not None:
            continue
        frame: Optional[FrameType] = sys._getframe(1)
        path, line = recording.program.path, 1
        while frame is not None:
            if frame.f_code.co_filename == recording.program.path:
                line = frame.f_lineno
                break
            frame = frame.f_back
        recording.refusal = (error, path, line)


def current(function: str) -> Recording:
    """The recording under way; an error if there is none."""
    recording = CURRENT.get()
    if recording is None:
        raise RuntimeError(f"privug.{function} can only be used in a function that privug.analyze runs")
    return recording


def caller(depth: int = 2) -> FrameType:
    """The frame that called the function that called this one."""
    return sys._getframe(depth)
