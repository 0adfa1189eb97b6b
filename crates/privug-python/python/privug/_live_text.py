"""Secrets in texts that are published: `f"mean: {m:.1f}"`, `"%.1f" % m`, `"\n".join(lines)`.

Of a text with a secret in it, the pieces between the secrets are known, and the real text tells the numbers. It can be put
together with other texts and published; whoever looks at it (compares it, measures it, uses it as a key) is refused.
"""

from __future__ import annotations

import dis
import functools
import inspect
import re
import types
from typing import Any, List, Optional, Tuple

from ._live_looks import look
from ._privug import not_gaussian
from ._secret import SecretValue, needs_values

OPEN, CLOSE = "\ue000", "\ue001"
_NUMBER = r"\s*([-+]?[\d,_]*\.?\d+(?:[eE][-+]?\d+)?)\s*(%?)\s*"


class SecretText:
    """A text with secrets in it, of which nothing can be seen but that it is published."""

    _forms = None

    def __init__(self, pieces: List[str], values: List[Any], marks: Tuple[str, str] = (",", ".")) -> None:
        self.pieces = pieces
        self.values = values
        self.marks = marks
        """What stands between thousands, and before decimals."""

    def _refuse(self, *_: Any) -> Any:
        raise self._looked_at("a comparison, its length or its letters")

    def _looked_at(self, what: str) -> BaseException:
        label = self.values[0].label if self.values else ""
        hint = "publish the string unchanged, and branch on public values"
        return not_gaussian("P309", f"a string contains the secret, and {what} would reveal it (the secret is `{label}`)", hint)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __getitem__ = __mod__ = __mul__ = _refuse  # type: ignore
    __hash__ = __len__ = __bool__ = __iter__ = __str__ = __repr__ = __format__ = __float__ = __int__ = _refuse  # type: ignore

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(str, name):
            raise AttributeError(name)
        raise self._looked_at(f"`.{name}`")

    def __add__(self, other: Any) -> Any:
        return _put_together(self, other)

    def __radd__(self, other: Any) -> Any:
        return _put_together(other, self)

    def strip(self) -> "SecretText":
        """The same: blanks around it are not looked at."""
        return self

    lstrip = rstrip = strip

    def ljust(self, width: int) -> "SecretText":
        """The same."""
        return self

    rjust = center = ljust

    def replace(self, old: Any, new: Any, count: int = -1) -> "SecretText":
        """Other marks between digits, as `f"{x:,.1f}".replace(",", " ")` has them: the text shows the same numbers."""
        plain = all(type(each) is str for each in (old, new)) and count == -1
        if not plain or len(old) != 1 or len(new) > 1 or any(each.isdigit() or each in "+-eE%" for each in old + new):
            raise self._looked_at("`.replace`")
        marks = tuple(new if mark == old else mark for mark in self.marks)
        if marks[0] == marks[1]:
            raise self._looked_at("`.replace` with the mark of decimals")
        return SecretText([piece.replace(old, new) for piece in self.pieces], self.values, marks)  # type: ignore[arg-type]

    def numbers(self, text: str) -> Optional[List[Tuple[float, float]]]:
        """The numbers at the secrets' places in the real text, and to multiples of what each is rounded."""
        return Pieces(self.pieces, self.marks).numbers(text)


class Pieces:
    """What is between the secrets of a text."""

    def __init__(self, pieces: List[str], marks: Tuple[str, str] = (",", ".")) -> None:
        self.pieces = pieces
        self.marks = marks

    def number(self) -> str:
        """How a number looks, as a pattern with two groups: its digits, and whether it is a percentage."""
        thousands, decimals = self.marks
        if self.marks == (",", "."):
            return _NUMBER
        return _NUMBER.replace("\\.", re.escape(decimals) or "(?!)").replace("[\\d,_]", f"[\\d{re.escape(thousands)}]")

    def numbers(self, text: str) -> Optional[List[Tuple[float, float]]]:
        """The numbers at the secrets' places in the real text, and to multiples of what each is rounded."""
        thousands, decimals = self.marks
        pattern = self.number().join(re.escape(piece.strip()) for piece in self.pieces)
        found = re.fullmatch(pattern, text.strip())
        if found is None:
            return None
        numbers = []
        for place in range(len(self.pieces) - 1):
            digits, percent = found.group(2 * place + 1), found.group(2 * place + 2)
            for mark in (thousands, "_"):
                digits = digits.replace(mark, "") if mark else digits
            digits = digits.replace(decimals, ".")
            mantissa, _, exponent = digits.lower().partition("e")
            unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]) - (2 if percent else 0))
            numbers.append((float(digits) / (100 if percent else 1), unit))
        return numbers


_ALIGNED = re.compile(r"[<>^=]?\d*s?")


def show(value: Any, specification: str) -> Any:
    """A value as it is shown in a text; a secret gives a text of which it is the only piece that is not known."""
    if specification:
        look(f"format {specification}")
    if isinstance(value, SecretText):
        if not _ALIGNED.fullmatch(specification):
            value._refuse()
        return value
    if not isinstance(value, SecretValue):
        return format(value, specification)
    fixed = value.fixed()
    if fixed is not None:
        return format(fixed, specification)
    if specification[-1:].isalpha() and specification[-1] not in "eEfFgG":
        # Decimals would be cut off, and not rounded.
        raise needs_values(value.label, f"{{:{specification}}}")
    return SecretText(["", ""], [value])


def _put_together(one: Any, other: Any) -> Any:
    first, second = (SecretText([each], []) if isinstance(each, str) else each for each in (one, other))
    if not isinstance(first, SecretText) or not isinstance(second, SecretText):
        return NotImplemented
    between = first.pieces[-1] + second.pieces[0]
    marks = first.marks if first.values else second.marks
    if first.values and second.values and first.marks != second.marks:
        raise first._looked_at("how its digits are separated")
    return SecretText([*first.pieces[:-1], between, *second.pieces[1:]], first.values + second.values, marks)


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


def of_text(function: Any, text: Any, inputs: Any, options: Any) -> Any:
    """A function that only moves lines of a text: it is given marks in the place of secrets."""
    if not isinstance(text, SecretText):
        return function(text, *inputs, **options)
    marked = text.pieces[0] + "".join(f"{OPEN}{place}{CLOSE}{piece}" for place, piece in enumerate(text.pieces[1:]))
    found = split(function(marked, *inputs, **options), text.values)
    return SecretText(found.pieces, found.values, text.marks)


def split(text: str, values: List[Any]) -> SecretText:
    """A text with marks, taken apart."""
    parts = re.split(f"{OPEN}(\\d+){CLOSE}", text)
    return SecretText(parts[::2], [values[int(place)] for place in parts[1::2]])
