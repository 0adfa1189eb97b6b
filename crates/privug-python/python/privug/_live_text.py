"""Secrets in texts that are published as they are: `return f"mean: {m:.1f}"`, `print(f"mean: {m:.1f}")`.

A text has no place for a secret, so it gets a mark, and the real text tells the number. A text that the function could still
look at (compare, measure, use as a key) must not have one: only f-strings that are returned, printed or written where they
stand may.
"""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import re
import types
from typing import Any, Iterator, List, Optional, Set, Tuple

from ._secret import needs_values

OPEN, CLOSE = "\ue000", "\ue001"
_SHOWING = (
    "print", "write", "text", "annotate", "title", "suptitle", "xlabel", "ylabel", "figtext", "set_title", "set_xlabel", "set_ylabel",
)  # fmt: skip
"""Functions that publish the texts they are given."""

_NUMBER = r"\s*([-+]?[\d,_]*\.?\d+(?:[eE][-+]?\d+)?)\s*(%?)\s*"


class SecretText:
    """A text with secrets in it, of which nothing can be seen but that it is published."""

    _forms = None

    def __init__(self, pieces: List[str], values: List[Any]) -> None:
        self.pieces = pieces
        self.values = values

    def _refuse(self, *_: Any) -> Any:
        raise needs_values(self.values[0].label if self.values else "", "string")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __contains__ = __getitem__ = __mod__ = _refuse  # type: ignore
    __hash__ = __len__ = __bool__ = __iter__ = __str__ = __repr__ = __format__ = __float__ = __int__ = _refuse  # type: ignore

    def numbers(self, text: str) -> Optional[List[Tuple[float, float]]]:
        """The numbers at the secrets' places in the real text, and to multiples of what each is rounded."""
        pattern = _NUMBER.join(re.escape(piece.strip()) for piece in self.pieces)
        found = re.fullmatch(pattern, text.strip())
        if found is None:
            return None
        numbers = []
        for place in range(len(self.values)):
            digits, percent = found.group(2 * place + 1).replace(",", "").replace("_", ""), found.group(2 * place + 2)
            mantissa, _, exponent = digits.lower().partition("e")
            unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]) - (2 if percent else 0))
            numbers.append((float(digits) / (100 if percent else 1), unit))
        return numbers


_FORMATTING = frozenset(
    """RESUME CACHE PRECALL PUSH_NULL COPY_FREE_VARS LOAD_FAST LOAD_FAST_BORROW LOAD_CONST LOAD_METHOD LOAD_ATTR CALL CALL_FUNCTION CALL_METHOD
    FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE BUILD_STRING RETURN_VALUE EXTENDED_ARG NOP""".split()
)


def only_formats(function: Any) -> bool:
    """Whether a function makes a text of its argument and does nothing else: `"{:.1f}".format`, `lambda v: f"{v:.1f}"`."""
    if isinstance(function, functools.partial) and not function.args and not function.keywords:
        return only_formats(function.func)
    if isinstance(function, types.BuiltinMethodType):
        return type(function.__self__) is str and function.__name__ == "format"
    if type(function) is not types.FunctionType or function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        return False
    code = function.__code__
    if code.co_argcount != 1 or code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return False
    constants = all(isinstance(each, (str, type(None))) for each in code.co_consts)
    return constants and set(code.co_names) <= {"format"} and all(each.opname in _FORMATTING for each in dis.get_instructions(code))


def split(text: str, values: List[Any]) -> SecretText:
    """A text with marks, taken apart."""
    parts = re.split(f"{OPEN}(\\d+){CLOSE}", text)
    return SecretText(parts[::2], [values[int(place)] for place in parts[1::2]])


def shown_lines(text: str, returns: List[Any], is_script: bool) -> Set[int]:
    """The lines whose f-strings are all published where they stand."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    published: Set[Tuple[int, int]] = set()
    own = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    if is_script and not own & set(_SHOWING):
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = node.value.func
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                if name in _SHOWING:
                    published.update((each.lineno, each.col_offset) for each in node.value.args if isinstance(each, ast.JoinedStr))
    for node in returns:
        published.update((each.lineno, each.col_offset) for each in _displayed(getattr(node, "value", None)))
    good: Set[int] = set()
    bad: Set[int] = set()
    # `.1f` is an f-string to Python, too.
    formats = {id(node.format_spec) for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in formats:
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            inner = (each for each in ast.walk(node) if each is not node and id(each) not in formats)
            inside = any(isinstance(each, ast.JoinedStr) for each in inner)
            (good if (node.lineno, node.col_offset) in published and not inside else bad).update(lines)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "format":
            bad.add(node.lineno)
    return good - bad


def _displayed(node: Any) -> Iterator[Any]:
    """The f-strings that a returned expression consists of."""
    if isinstance(node, ast.JoinedStr):
        yield node
    elif isinstance(node, (ast.List, ast.Tuple)):
        for each in node.elts:
            yield from _displayed(each)
    elif isinstance(node, ast.Dict):
        for each in node.values:
            yield from _displayed(each)
