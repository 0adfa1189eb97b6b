"""Thousands of snippets, each run by CPython with numpy and by us: refusing is allowed, another value is not.

Those of `snippets/*.txt` are written by hand, one a line. The others are made here by putting all kinds of values into all
kinds of operators, functions and methods.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import pytest

from conftest import ROOT

SNIPPETS = Path(__file__).with_name("snippets")

LAST_DIGITS = 1e-14
"""numpy's own vector loops (`np.exp`, `**`, `@`) and Python's `gamma` round the last digits in their own way; arrays that run
backwards are added up in an order of their own."""

INEXACT = re.compile(
    r"@|\[::-1\]|\bdot\b|matmul|np\..*\*\*|np\.(exp|log|sin|cos|tan|expm1|log1p|log2|log10)|"
    r"math\.(gamma|lgamma|erf|erfc|log|cbrt|exp2|hypot)"
)

NEWER_SUM = sys.version_info >= (3, 12)
"""From Python 3.12 on `sum` of floats is compensated; ours adds them one by one."""


def runner() -> Path:
    """The example that runs snippets: `PRIVUG_SNIPPETS`, or what cargo has built."""
    given = os.environ.get("PRIVUG_SNIPPETS")
    folders = [ROOT / "target" / profile / "examples" / "snippets" for profile in ("release", "debug")]
    for candidate in [Path(given)] if given else folders:
        if candidate.exists():
            return candidate
    pytest.fail("build it with `cargo build -p privug-engine --example snippets`, or set PRIVUG_SNIPPETS")


def ours(programs: List[str]) -> List[Dict[str, str]]:
    """What we make of programs: values, or errors."""
    done = subprocess.run([str(runner())], input=json.dumps(programs), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


HEAD = "import math\nimport statistics\nimport numpy as np\n\n\n"


def program(snippet: str, head: str = "") -> str:
    """A function that returns the snippet's last line; definitions stand in front of it."""
    definitions, _, body = snippet.rpartition("\n\n\n")
    lines = (head + body).splitlines()
    if not lines[-1].startswith((" ", "return")):
        lines[-1] = f"return {lines[-1]}"
    return HEAD + definitions + "\n\n\ndef main():\n" + "".join(f"    {line}\n" for line in lines)


class Refused(Exception):
    """What CPython does not do either."""


def theirs(text: str) -> Any:
    """What CPython makes of a program; warnings are errors, as infinities and overflows are refused by us."""
    names: Dict[str, Any] = {}
    try:
        with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
            warnings.simplefilter("error")
            exec(compile(text, "<snippet>", "exec"), names)
            return names["main"]()
    except Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from None


def written(value: Any) -> str:
    """A value as our example writes it."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.ndarray):
        kind = "str" if value.dtype.kind == "U" else str(value.dtype)
        return f"array {kind} [{', '.join(map(str, value.shape))}] [{', '.join(map(repr, value.ravel().tolist()))}]"
    if isinstance(value, np.str_):
        return repr(str(value))
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))})"
    if isinstance(value, dict):
        return f"dict {{{', '.join(written(part) for entry in value.items() for part in entry)}}}"
    return repr(value)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def agree(left: str, right: str, tolerance: float) -> bool:
    """Whether two texts are the same, up to the last digits of floats in them."""
    if left == right:
        return True
    if not tolerance or NUMBER.sub("#", left) != NUMBER.sub("#", right):
        return False
    pairs = zip(NUMBER.findall(left), NUMBER.findall(right))
    return all(a == b or math.isclose(float(a), float(b), rel_tol=tolerance, abs_tol=1e-15) for a, b in pairs)


def tolerance_of(snippet: str) -> float:
    if INEXACT.search(snippet) or (NEWER_SUM and "sum(" in snippet):
        return LAST_DIGITS
    return 0.0


def compare(snippets: List[str]) -> Tuple[List[str], int, int]:
    """Where we differ, how many snippets gave a value on both sides, and how many only we refuse."""
    programs = [program(snippet) for snippet in snippets]
    different, agreed, refused = [], 0, 0
    for snippet, text, result in zip(snippets, programs, ours(programs)):
        try:
            expected: Optional[str] = written(theirs(text))
        except Refused as error:
            expected = None
            reason = str(error)
            # Newer versions of Python have more f-strings.
            if reason.startswith("SyntaxError"):
                continue
        if "panic" in result:
            different.append(f"{snippet}\n    panics")
        elif "error" in result:
            refused += expected is not None
        elif expected is None:
            different.append(f"{snippet}\n    ours: {result['value']}\n    CPython refuses: {reason}")
        elif agree(result["value"], expected, tolerance_of(snippet)):
            agreed += 1
        else:
            different.append(f"{snippet}\n    ours: {result['value']}\n    CPython: {expected}")
    return different, agreed, refused


def check(snippets: List[str], least: int) -> None:
    different, agreed, refused = compare(snippets)
    print(f"{len(snippets)} snippets, {agreed} agree, {refused} only we refuse, {len(different)} differ")
    assert not different, f"{len(different)} of {len(snippets)} differ:\n" + "\n".join(different[:40])
    assert agreed >= least, f"only {agreed} of {len(snippets)} snippets give a value on both sides"


def from_files() -> List[str]:
    """One snippet a line: `;;` begins a new line of it, `>>` one that is indented; `\\n----\\n` ends definitions."""
    snippets = []
    for path in sorted(SNIPPETS.glob("*.txt")):
        # Those of tables are run by the tests of tables.
        if path.name.startswith(("live_", "pandas_", "source_")):
            continue
        for line in path.read_text().splitlines():
            if not line.strip() or line.startswith("# "):
                continue
            if "\\n----\\n" in line:
                definitions, _, line = line.partition("\\n----\\n")
                snippets.append(definitions.replace("\\n", "\n") + "\n\n\n" + line.replace("\\n", "\n"))
                continue
            parts = [part for piece in line.split(" ;; ") for part in indented(piece)]
            snippets.append("\n".join(parts))
    return snippets


def indented(piece: str) -> List[str]:
    """The lines of a block: each `>>` in front of one is a level deeper."""
    lines, level = [], 0
    for part in piece.split(" >> "):
        deeper = 0
        while part.startswith(">> "):
            part, deeper = part[3:], deeper + 1
        level = 1 + deeper if lines else 0
        lines.append("    " * level + part)
    return lines


def test_snippets_of_the_files() -> None:
    check(from_files(), 500)


SCALARS = ["0", "1", "-3", "7", "2**70", "True", "False", "0.5", "-2.5", "1e300", "1e-7", "-0.0", "3.0"]
ITEMS = ["np.array([2, -3])[1]", "np.array([0.5, 2.0])[1]", "np.array([True, False])[0]"]
TEXTS = ["''", "'abc'", "'é\\n'"]
CONTAINERS = [
    "[]", "[1, 2, 3]", "[1.5, 2]", "[[1, 2], [3, 4]]", "(1, 2)", "()", "('a', 1)", "{'a': 1, 2: [3]}", "{}", "range(4)",
    "range(5, 0, -2)", "None",
]  # fmt: skip
ARRAYS = [
    "np.array([1, 2, 3])", "np.array([0.5, -1.5, 2.0])", "np.array([True, False, True])",
    "np.array([[1, 2, 3], [4, 5, 6]])", "np.array([[0.5, 1.0], [2.0, -4.0]])", "np.array([[1], [2]])", "np.array([10, 20])",
    "np.arange(6).reshape(2, 3).T", "np.array([])", "np.zeros((2, 0))", "np.arange(12.0).reshape(2, 3, 2)",
]  # fmt: skip
VALUES = SCALARS + ITEMS + TEXTS + CONTAINERS + ARRAYS
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "@", "&", "|", "^"]


def test_every_operator_on_all_kinds_of_values() -> None:
    pairs = itertools.product(OPERATORS, VALUES, VALUES)
    check([f"({a}) {operator} ({b})" for operator, a, b in pairs if not (operator == "**" and "70" in b)], 2_000)


def test_unary_operators_and_functions_of_one_value() -> None:
    functions = [
        "-{}", "+{}", "not {}", "len({})", "sum({})", "min({})", "max({})", "abs({})", "round({})", "sorted({})", "list({})",
        "tuple({})", "float({})", "int({})", "bool({})", "str({})", "any({})", "all({})", "list(enumerate({}))",
        "list(zip({}, [7, 8]))", "list(reversed({}))", "dict({})", "f\"{{{}}}\"", "str([{}])", "str({{1: {}}})", "({},)",
        "[x for x in {}]", "math.fsum({})", "math.prod({})", "statistics.mean({})", "statistics.fmean({})", "np.array({})",
        "np.asarray({})", "np.sum({})", "np.mean({})", "np.average({})", "np.cumsum({})", "np.prod({})", "np.min({})",
        "np.max({})", "np.any({})", "np.all({})", "np.abs({})", "np.sqrt({})", "np.zeros({})", "np.ones({})", "np.arange({})",
        "np.where({}, 1, 2)", "np.where(True, {}, 2.5)", "np.concatenate([{0}, {0}])", "np.dot({0}, {0})", "{}[0]", "{}[-1]",
        "{}[1:]", "{}[::-1]", "{}[5]", "{}.copy()", "[*range(2)] + list({})", "range({})", "pow({}, 2)", "{{{}: 1}}",
        "1 if {} else 2", "{} and 5", "{} or 5", "round({}, 1)", "round({}, -1)", "int(str({}))", "float(str({}))",
        "sorted({}, reverse=True)", "sum({}, 10)", "~np.array({})", "np.linspace(0, {}, 4)",
    ]  # fmt: skip
    check([function.format(value) for function in functions for value in VALUES], 900)


def test_methods_and_attributes_of_arrays() -> None:
    methods = [
        "sum()", "sum(axis=0)", "sum(axis=1)", "sum(axis=-1)", "sum(axis=(0, 1))", "sum(axis=0, keepdims=True)", "mean()",
        "mean(axis=0)", "mean(axis=1)", "min()", "min(axis=0)", "max()", "max(axis=1)", "prod()", "prod(axis=0)", "cumsum()",
        "cumsum(axis=0)", "cumsum(axis=1)", "any()", "any(axis=0)", "all()", "all(axis=1)", "tolist()", "copy()", "size", "shape",
        "ndim", "T", "T.tolist()", "reshape(-1)", "reshape(3, -1)", "reshape((1, -1))", "ravel()", "flatten()", "transpose()",
        "astype(float)", "astype(int)", "astype(bool)", "dot([1, 2])", "dot([1, 2, 3])", "sum(0)", "mean(1)", "T.sum(axis=0)",
        "T.mean()", "T.cumsum()", "T.reshape(-1)", "tolist()[0]",
    ]  # fmt: skip
    check([f"{array}.{method}" for method in methods for array in ARRAYS], 300)


INDICES = [
    "0", "-1", "1", "5", ":", "1:", ":-1", "::-1", "::2", "2:0:-1", "0, 0", "1, -1", ":, 0", "0, :", ":, 1:", "::-1, ::-1",
    "None", ":, None", "[0, 1]", "[1, 0, 1]", "[True, False]", "[True, False, True]", "np.array([1, 0])", ":, [0, 1]",
    "[0, 1], [1, 0]", "[0, 1], 0", "0, [0, 1]", "np.array([[0, 1], [1, 0]])", "[]", ":, :, 0", "0, :, 1", "[0, 1], :, [0, 1]",
    "1.0", "np.array([True, False])", "(0,)",
]  # fmt: skip


def test_indices_of_arrays() -> None:
    reads = [f"{array}[{index}]" for array in ARRAYS for index in INDICES]
    masks = [f"a = {array}\na[a > 1]" for array in ARRAYS]
    writes = [
        f"a = {array}\na[{index}] = {value}\na"
        for array in ARRAYS
        for index in INDICES
        for value in ["7", "2.75", "[8, 9]", "True", "a[0]"]
    ]
    views = [f"a = {array}\nb = a[{index}]\nb[:] = 5\nb *= 3\n(a, b)" for array in ARRAYS for index in INDICES]
    added = [f"a = {array}\na[{index}] += 2\na" for array in ARRAYS for index in INDICES]
    check(reads + masks + writes + views + added, 700)


def test_in_place_operators_change_what_others_see() -> None:
    values = ["[1, 2]", "(1, 2)", "3", "2.5", "'ab'", "range(2)", "{'k': 1}", "True"] + ARRAYS[:7]
    operators = ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "@="]
    pairs = itertools.product(operators, values, values)
    check([f"a = {a}\nb = a\nb {operator} {c}\n(a, b)" for operator, a, c in pairs], 250)


def test_mathematics() -> None:
    functions = (
        "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc "
        "gamma lgamma degrees radians floor ceil trunc fabs isqrt factorial"
    ).split()
    numbers = ["0", "1", "2", "5", "-1", "0.5", "-0.5", "1.5", "2.0", "10.25", "-7.75", "100", "1e-3", "True", "2**60", "-0.0"]
    single = [f"math.{name}({number})" for name in functions for number in numbers]
    single.remove("math.factorial(2**60)")
    two = [
        f"math.{name}({a}, {b})"
        for name in ["atan2", "pow", "hypot", "fmod", "copysign", "gcd", "comb", "log"]
        for a in numbers
        for b in numbers
    ]
    arrays = [
        f"np.{name}({value})"
        for name in ["sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "abs"]
        for value in ["4", "0.25", "np.array([1, 2])", "np.array([0.5, 2.0])", "[1.0, 4.0]", "np.array([[1, 4], [9, 16]])"]
    ]
    constants = ["math.pi", "math.e", "math.tau", "np.pi", "np.e"]
    check(single + two + arrays + constants, 700)


def generated(seed: int) -> Iterator[str]:
    """Short programs that compute with arrays and lists at random."""
    choose = random.Random(seed)

    def array(shape: Tuple[int, ...]) -> str:
        kind = choose.choice(["int", "float", "bool"])
        count = math.prod(shape)
        one = {
            "int": lambda: str(choose.randint(-5, 9)),
            "float": lambda: repr(choose.choice([choose.randint(-20, 20) / 4, choose.random(), choose.uniform(-1e3, 1e3)])),
            "bool": lambda: str(choose.random() < 0.5),
        }[kind]
        return f"np.array([{', '.join(one() for _ in range(count))}]).reshape({', '.join(map(str, shape))})"

    shapes = [(3,), (2, 3), (3, 1), (1,), (2, 2, 3), (1, 3), (11,), (4, 10), (200,)]
    while True:
        a, b = choose.choice(shapes), choose.choice(shapes)
        lines = [f"a = {array(a)}", f"b = {array(b)}", "c = a"]
        for _ in range(choose.randint(1, 5)):
            lines.append(
                choose.choice(
                    [
                        "c = a + b", "c = a * b - 1", "c = a[::-1]", "c = b[1:]", "c += 1", "c = c.T", "c = a - c",
                        "c = c.copy()", "c[0] = 3", "c = np.where(a > 0, a, b)", "c = a[a > 1]", "c *= 2", "c = -a * 0.5",
                        "c = np.concatenate([a, a])", "c = c.sum(axis=0) + a", "c = c.reshape(-1)", "c = abs(a) % 3",
                        "b[-1] = a[0]", "c = a.mean(axis=-1)", "c = (a > 0) & (a < 3)", "c = ~(a == b)", "c = c / 2 + a // 2",
                        "a -= b", "c = np.cumsum(a)", "c = a[..., None]" if False else "c = a[:, None]", "c = a == b",
                        "c = a ** 2", "c = list(a)", "c = a.tolist()", "c = sum(a)", "c = [row * 2 for row in a]",
                        "c = np.average(a, weights=np.abs(a) + 1)", "c = [x for x in a if x.sum() > 0]",
                    ]
                )
            )  # fmt: skip
        lines.append(choose.choice(["(a, b, c)", "c", "(c, a)", "np.sum(c)", "np.mean(c)", "(np.sum(a), np.sum(b, axis=0))"]))
        yield "\n".join(lines)


def test_generated_programs() -> None:
    check(list(itertools.islice(generated(2026), 3_000)), 800)


AFFINE = [
    "x.sum()", "x.mean()", "np.sum(x)", "np.mean(12 * x)", "np.mean(x) * 3 + 1", "x + x", "2 * x - 1", "x[::-1]", "x[1:] - x[:-1]",
    "sum(x) / len(x)", "x.sum() / x.size", "np.cumsum(x)", "np.array([1, 2, 3, 4]) @ x", "np.dot(x, [4, 3, 2, 1])",
    "np.average(x, weights=[1, 2, 3, 4])", "x.reshape(2, 2).sum(axis=0)", "x.reshape(2, 2).mean(axis=1)", "x.reshape(2, 2).T",
    "np.array([[1, 10], [100, 1000]]) * x[:2]", "np.array([[1, 10], [100, 1000]]) @ x[:2]", "x[:, None] + np.array([1, 2])",
    "np.where(np.array([1, 0, 2, 0]) != 0, x, 0)", "np.sum(np.where(np.array([0, 0, 2, 0]) != 0, x, 0))", "x[np.array([3, 0])]",
    "x[np.array([True, False, True, False])]", "np.concatenate([x, x[:1], [5]])", "y = x\ny += 1\n(x, y)", "y = x[1:3]\ny *= 2\nx",
    "y = x.copy()\ny[0] = 7\n(x, y)", "y = np.zeros(4)\ny[1] = x[0]\ny[2:] = x[2:] / 4\ny", "[v * 2 for v in x]", "list(x)",
    "x.tolist()", "x[0] + x[3] - x[1] / 4", "-x", "+x", "(x - x.mean())[0]", "x.reshape(2, 2) - x.reshape(2, 2).mean(axis=0)",
    "x.reshape(2, 2)[:, 1].sum()", "np.full(2, x[0]) + x[1]", "x.cumsum()[-1]", "{'a': x.sum(), 'b': [x[0], 1]}",
    "total = 0\nfor v in x:\n    total += v\ntotal", "total = 0\nfor row in x.reshape(2, 2):\n    total = total + row\ntotal",
    "m = x.reshape(2, 2)\nm[0] = m[1] * 2\n(x, m)", "x / np.array([1, 2, 4, 8])", "(x * np.array([1, 0, 0, 1])).sum()",
    "sum(a * b for a, b in zip(x, [1, 2, 3, 4]))", "sum(i * v for i, v in enumerate(x))", "list(reversed(x))", "x.ravel().shape",
    "math.fsum(x)", "statistics.mean(x)", "np.asarray(x) + np.array(x)", "np.array([x[0], 2, x[1]])", "np.array([x, x]).sum(axis=0)",
    "x @ np.array([[1, 0], [0, 1], [2, 2], [3, 0]])", "np.array([x, 2 * x]) @ np.array([1, 1, 0, 0])", "x ** 1",
    "np.sum([x[0], x[1]])", "sum([x, x])", "sum([x, x], np.ones(4))", "x.sum(axis=0)", "np.cumsum(x.reshape(2, 2), axis=1)",
    "x.astype(float) * 2", "x.flatten()", "x[[0, 0, 1]]", "x[1:][::2]", "x[x.size - 1]", "a, b, c, d = x\na - d", "max([1, 2]) * x[0]",
    "x.reshape(4, 1) * np.array([[1, 2]])", "np.array([1, 2]) * x.reshape(4, 1) + x[:2]", "x * True", "x / 4", "x.T", "np.average(x)",
]  # fmt: skip


def test_affine_snippets() -> None:
    """Snippets that are affine in x: CPython's weights are found by running them on 0 and on unit vectors."""
    programs = [program(snippet, "x = Normal(0, 1, size=4)\n") for snippet in AFFINE]
    different = []
    for snippet, result in zip(AFFINE, ours(programs)):
        if "value" not in result:
            different.append(f"{snippet}\n    {result}")
            continue
        runs = []
        for place in [None, 0, 1, 2, 3]:
            point = [0.0] * 4
            if place is not None:
                point[place] = 1.0
            runs.append(flat(theirs(program(snippet, f"x = np.array({point})\n"))))
        expected = [
            (runs[0][at][0], [run[at][0] - runs[0][at][0] for run in runs[1:]]) for at in range(len(runs[0]))
        ]
        found = read_affine(result["value"])
        same = len(found) == len(expected) and all(
            math.isclose(a, b, abs_tol=1e-12)
            for (offset, weights), (their_offset, their_weights) in zip(found, expected)
            for a, b in zip([offset, *weights], [their_offset, *their_weights])
        )
        if not same:
            different.append(f"{snippet}\n    ours: {result['value']}\n    CPython: {expected}")
    assert not different, f"{len(different)} of {len(AFFINE)} differ:\n" + "\n".join(different)


def flat(value: Any) -> List[Tuple[float]]:
    """All numbers in a result, in order."""
    if isinstance(value, dict):
        return [number for part in value.values() for number in flat(part)]
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        return [number for part in value for number in flat(part)]
    return [(float(value),)]


PART = re.compile(
    r"random (?P<offset>\S+) \{(?P<terms>[^}]*)\}|array \w+ \[[^\]]*\]|'[^']*'|(?:np\.float64\(|np\.int64\()?(?P<number>-?\d[\d.e+-]*)"
)


def read_affine(text: str) -> List[Tuple[float, List[float]]]:
    """The offsets and weights that our example has written."""
    found = []
    for match in PART.finditer(text):
        if match["offset"] is not None:
            weights = [0.0] * 4
            for term in filter(None, match["terms"].split(", ")):
                place, weight = term.split(": ")
                weights[int(place)] = float(weight)
            found.append((float(match["offset"]), weights))
        elif match["number"] is not None:
            found.append((float(match["number"]), [0.0] * 4))
    return found


def test_there_are_enough_of_them() -> None:
    assert len(from_files()) >= 600


NO_FUNCTIONS = {"Counter", "MultivariateNormal", "bins", "collections", "defaultdict", "enum", "groups", "public", "condition", "gaussian_mechanism", "learn", "mask", "matplotlib", "modulus", "observe", "scikit", "step", "stop"}
"""What the language page mentions among its functions: the library's own, and names of arguments."""

WRITTEN = "Some modules are short programs in the language itself"
"""The modules below this are tried as whole scripts, in `test_source_scripts.py`."""


def test_every_function_and_method_of_the_language_page_is_in_a_snippet() -> None:
    page = (ROOT / "docs" / "language.md").read_text()
    page = page[page.index("## Built-in functions") : page.index(WRITTEN)]
    page = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    listed = {name for code in re.findall(r"`([^`]+)`", page) for name in re.findall(r"[A-Za-z_]\w*", code)}
    snippets = Path(__file__).read_text() + "".join(path.read_text() for path in SNIPPETS.glob("*.txt"))
    snippets = snippets[: snippets.index("NO_FUNCTIONS =")] + snippets[snippets.index("# shapes and broadcasting") :]
    tried = set(re.findall(r"[A-Za-z_]\w*", snippets))
    assert len(listed) > 100 and listed - tried - NO_FUNCTIONS == set()
