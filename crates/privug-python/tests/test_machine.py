"""Threads, signals, types and speed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import privug
from privug import Normal


def program(n: int, seen: float) -> Any:
    people = Normal(float(n), 4, size=10)
    privug.condition(people.mean(), seen)
    return people[0]


def test_threads_analyse_at_the_same_time() -> None:
    def one(n: int) -> float:
        return float(privug.analyze(program, n=n, seen=n + 1).posterior.mean[0])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(one, range(200)))
    assert found == pytest.approx([n + 1 for n in range(200)])


def test_the_interpreter_goes_on_during_inference() -> None:
    source = "def f():\n    total = Normal(0, 1)\n    for i in range(400_000):\n        total = total + Normal(0, 1)\n    return total\n"
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    privug.analyze(source=source)
    done.set()
    ticker.join()
    assert ticks > 3


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_stops_an_analysis() -> None:
    script = textwrap.dedent(
        """
        import os, signal, threading, time, privug
        # Where the tests run in the background, a shell may have told them to ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        source = "def f():\\n    x = Normal(0, 1)\\n    for i in range(10**9):\\n        y = i + 1\\n    return x\\n"
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            privug.analyze(source=source, max_steps=10**12)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "interrupted", done.stderr


def test_a_million_people_are_soon_done(capsys: pytest.CaptureFixture[str]) -> None:
    def publish(people: Any) -> Any:
        women = np.arange(people.size) % 2 == 0
        return people.mean(), people[women].mean(), people[:1000].sum()

    start = time.perf_counter()
    found = privug.analyze(publish, people=Normal(35, std=2, size=1_000_000), secret="people[0]", observe=[35.1, 35.2, 35_000])
    with capsys.disabled():
        print(f"\na million people: {time.perf_counter() - start:.2f} s")
    assert found.posterior.mean[0] == pytest.approx(35.1, abs=1)


def test_the_types_are_those_of_the_module() -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "privug._privug", "--ignore-disjoint-bases"],
        capture_output=True, text=True, cwd=ROOT / "target",
    )  # fmt: skip
    if "unrecognized arguments" in done.stderr:
        done = subprocess.run(
            [sys.executable, "-m", "mypy.stubtest", "privug._privug"], capture_output=True, text=True, cwd=ROOT / "target"
        )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed() -> None:
    pytest.importorskip("mypy")
    package = os.path.dirname(privug.__file__)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", package], capture_output=True, text=True, cwd=ROOT / "target"
    )
    assert done.returncode == 0, done.stdout
