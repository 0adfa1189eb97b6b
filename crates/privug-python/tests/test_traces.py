"""What a function that is run once for each choice leaves behind must not tell the choices."""

from __future__ import annotations

import collections
import io
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy as np
import pandas as pd
import pytest

import privug
from privug import Bernoulli


@dataclass
class Box:
    value: int = 0
    parts: List[int] = field(default_factory=list)


class Slotted:
    __slots__ = ("value",)


class Shared:
    kept = 0


BOX = Box()
SLOTTED = Slotted()
ARRAY = np.zeros(3)
OBJECTS = np.array([None, None], dtype=object)
FRAME = pd.DataFrame({"seen": [0, 0]})
QUEUE: Any = collections.deque()
COUNTS: Any = collections.Counter()
BUFFER = io.StringIO()
NESTED: Dict[str, Any] = {"deep": [[[[[[0]]]]]]}
CELL = bytearray(1)


def put_attribute(vote: int) -> None:
    BOX.value = vote


def put_part(vote: int) -> None:
    BOX.parts.append(vote)


def put_slot(vote: int) -> None:
    SLOTTED.value = vote


def put_class(vote: int) -> None:
    Shared.kept = vote


def put_array(vote: int) -> None:
    ARRAY[1] = vote


def put_object(vote: int) -> None:
    OBJECTS[0] = vote


def put_frame(vote: int) -> None:
    FRAME.loc[0, "seen"] = vote


def put_queue(vote: int) -> None:
    QUEUE.append(vote)


def put_counter(vote: int) -> None:
    COUNTS["yes"] += vote


def put_buffer(vote: int) -> None:
    BUFFER.write(str(vote))


def put_deep(vote: int) -> None:
    NESTED["deep"][0][0][0][0][0][0] = vote


def put_bytes(vote: int) -> None:
    CELL[0] = vote


def put_function(vote: int) -> None:
    put_function.kept = vote  # type: ignore[attr-defined]


def put_global(vote: int) -> None:
    global BOX
    BOX = Box(value=vote)


PUTS = [value for name, value in list(globals().items()) if name.startswith("put_")]


@pytest.mark.parametrize("put", PUTS, ids=lambda put: put.__name__)
def test_what_is_kept_is_seen(put: Callable[[int], None]) -> None:
    def program() -> Any:
        vote = Bernoulli(0.5)
        put(int(bool(vote)))
        return 1.0

    with pytest.raises(privug.ProgramError, match="P309"):
        privug.analyze(program, secret="vote")


def test_arguments_are_seen() -> None:
    kept = np.zeros(2)

    def program(kept: Any) -> Any:
        vote = Bernoulli(0.5)
        kept[0] = 1.0 if vote else 0.0
        return 1.0

    with pytest.raises(privug.ProgramError, match="P309"):
        privug.analyze(program, kept=kept, secret="vote")


def test_a_method_keeps_nothing_in_its_object() -> None:
    class Survey:
        def __init__(self) -> None:
            self.answers: List[int] = []

        def program(self) -> Any:
            vote = Bernoulli(0.5)
            self.answers.append(1 if vote else 0)
            return 1.0

    with pytest.raises(privug.ProgramError, match="P309"):
        privug.analyze(Survey().program, secret="vote")


@pytest.mark.parametrize("buffering", [1, -1])
def test_a_file_that_was_opened_before_is_seen(tmp_path: Path, buffering: int) -> None:
    with open(tmp_path / "kept", "w", buffering) as file:

        def program() -> Any:
            if Bernoulli(0.5):
                file.write("yes")
            return 1.0

        with pytest.raises(privug.ProgramError, match="P309"):
            privug.analyze(program)


def test_a_file_that_the_function_opens_is_refused(tmp_path: Path) -> None:
    def program() -> Any:
        if Bernoulli(0.5):
            (tmp_path / "kept").write_text("yes")
        return 1.0

    with pytest.raises(privug.ProgramError, match="P309"):
        privug.analyze(program)


def test_a_thread_is_refused() -> None:
    def program() -> Any:
        if Bernoulli(0.5):
            thread = threading.Thread(target=len, args=("",))
            thread.start()
            thread.join()
        return 1.0

    with pytest.raises(privug.ProgramError, match="P309"):
        privug.analyze(program)


def test_what_is_too_large_to_be_compared_is_refused() -> None:
    large = [[0] for _ in range(300_000)]

    def program() -> Any:
        return large[0][0] if Bernoulli(0.5) else 1

    with pytest.raises(privug.ProgramError, match="P309.*`large` is too large"):
        privug.analyze(program)


def test_what_is_only_read_is_no_trace() -> None:
    table = pd.DataFrame({"age": [1.0, 2.0], "name": ["a", "b"]})
    box = Box(3)

    def program() -> Any:
        vote = Bernoulli(0.25)
        total = float(table["age"].sum()) + box.value + float(ARRAY.sum())
        return total if vote else 0.0

    found = privug.analyze(program, secret="vote")
    assert found.leakage.max_posterior == pytest.approx(1.0)
