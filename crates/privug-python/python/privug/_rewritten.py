"""What a function makes of secrets that can only be shown: texts, and `float(x)`.

Python puts f-strings together by itself: nothing of ours is asked, and what comes out is a plain text that the function could
look at. `float(x)` has to be a plain number as well. So while a function runs on secrets, it is compiled anew from its text,
with a call of ours in the place of f-strings, `%`, `.format`, `.join`, `str`, `format` and `float`. Where no secret is among
the values, it does what Python does; where one is, it gives a `SecretText`, or the secret as it is.
"""

from __future__ import annotations

import ast
import builtins
import functools
import operator
import string
import types
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple

from ._live_looks import SHAPING, look, shaped
from ._live_text import SecretText, show
from ._parser import code_of, parse
from ._secret import SecretValue

MADE = "__privug_made__"
"""The name of our function in functions that are compiled anew."""

_CONVERSIONS: Dict[int, Callable[[Any], Any]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}


class _Rewriter(ast.NodeTransformer):
    """Puts calls of ours in the place of everything that makes texts or floats."""

    def _made(self, node: ast.AST, kind: str, inputs: List[Any], options: Optional[List[Any]] = None) -> Any:
        name = ast.Name(id=MADE, ctx=ast.Load())
        call = ast.Call(func=name, args=[ast.Constant(value=kind), *inputs], keywords=options or [])
        for each in (call, name, call.args[0]):
            ast.copy_location(each, node)
        return call

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        """`f"{x:.1f}"`"""
        parts: List[Any] = []
        for each in node.values:
            if not isinstance(each, ast.FormattedValue):
                parts.append(each)
                continue
            spec = self.visit(each.format_spec) if each.format_spec is not None else ast.Constant(value="")
            part = ast.Tuple(elts=[self.visit(each.value), ast.Constant(value=each.conversion), spec], ctx=ast.Load())
            parts.append(part)
        call = self._made(node, "f", parts)
        return ast.fix_missing_locations(call)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """`"%.1f" % x`"""
        self.generic_visit(node)
        return self._made(node, "%", [node.left, node.right]) if isinstance(node.op, ast.Mod) else node

    def visit_Call(self, node: ast.Call) -> Any:
        """`"{:.1f}".format(x)`, `", ".join(texts)`, `str(x)`, `format(x, ".1f")`, `float(x)`, `map(float, xs)`"""
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("format", "format_map", "join", "substitute", "safe_substitute"):
            return self._made(node, node.func.attr, [node.func.value, *node.args], node.keywords)
        if isinstance(node.func, ast.Name) and node.func.id in ("str", "format", "float"):
            return self._made(node, "call", [node.func, *node.args], node.keywords)
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        given = [*node.args, *(each.value for each in node.keywords)]
        if called in SHAPING and not all(isinstance(each, ast.Constant) for each in given):
            return self._made(node, "shaped", [node.func, *node.args], node.keywords)
        first = node.args[0] if node.args else None
        if isinstance(node.func, ast.Name) and node.func.id == "map" and isinstance(first, ast.Name) and first.id in ("str", "float"):
            node.args[0] = self._each(first)
        return node

    def _each(self, function: ast.Name) -> Any:
        """`map(float, xs)`: what is called for each of them."""
        name = "_each"
        inputs = ast.arguments(posonlyargs=[], args=[ast.arg(arg=name)], kwonlyargs=[], kw_defaults=[], defaults=[])
        body = self._made(function, "call", [function, ast.Name(id=name, ctx=ast.Load())])
        return ast.fix_missing_locations(ast.copy_location(ast.Lambda(args=inputs, body=body), function))


def _made(kind: str, *inputs: Any, **options: Any) -> Any:
    """What the rewritten places of a function call."""
    return _MAKING[kind](*inputs, **options)


def _f_string(*parts: Any) -> Any:
    shown = []
    for part in parts:
        if isinstance(part, str):
            shown.append(part)
            continue
        value, conversion, specification = part
        is_secret = isinstance(value, (SecretValue, SecretText))
        value = _CONVERSIONS[conversion](value) if conversion in _CONVERSIONS and not is_secret else value
        shown.append(show(value, specification))
    return _joined("", shown)


def _joined(between: str, parts: List[Any]) -> Any:
    if not any(isinstance(part, SecretText) for part in parts):
        return between.join(parts)
    whole: Any = ""
    for place, part in enumerate(parts):
        whole = part if place == 0 else whole + between + part
    return whole


def percent(left: Any, right: Any) -> Any:
    """`left % right`, where secrets may be among what is shown."""
    values = right if isinstance(right, tuple) else (right,)
    if type(left) is not str or not any(isinstance(each, (SecretValue, SecretText)) for each in values):
        return operator.mod(left, right)
    parts: List[Any] = []
    given = iter(values)
    text = left
    while text:
        before, sign, text = text.partition("%")
        parts.append(before)
        if not sign:
            break
        length = next((place for place, letter in enumerate(text) if letter not in "-+ #0123456789."), len(text))
        specification, kind, text = text[:length], text[length : length + 1], text[length + 1 :]
        if kind == "%":
            parts.append("%")
            continue
        value = next(given)
        if isinstance(value, (SecretValue, SecretText)):
            # `%d` of a secret would cut its decimals off.
            parts.append(show(value, specification.replace("-", "<") + kind if kind in "feEgG" else "" if kind in "sr" else "d"))
        else:
            look(f"format %{specification}{kind}")
            parts.append(f"%{specification}{kind}" % (value,))
    return _joined("", parts)


def _format(text: Any, *inputs: Any, **options: Any) -> Any:
    given = (*inputs, *options.values())
    if type(text) is not str or not any(isinstance(each, (SecretValue, SecretText)) for each in given):
        return text.format(*inputs, **options)
    return _formatted(text, inputs, options)


def _format_map(text: Any, *inputs: Any) -> Any:
    return _formatted(text, (), inputs[0]) if type(text) is str and len(inputs) == 1 else text.format_map(*inputs)


def _substituted(name: str) -> Callable[..., Any]:
    """`string.Template("of men $m").substitute(m=mean)`, which puts texts together inside of a library."""

    def substitute(template: Any, *inputs: Any, **options: Any) -> Any:
        given = {**(inputs[0] if inputs else {}), **options} if isinstance(template, string.Template) else {}
        if not any(isinstance(each, (SecretValue, SecretText)) for each in given.values()):
            return getattr(template, name)(*inputs, **options)
        parts: List[Any] = []
        end = 0
        for found in template.pattern.finditer(template.template):
            parts.append(template.template[end : found.start()])
            end = found.end()
            key = found.group("named") or found.group("braced")
            if key is None or (key not in given and name == "safe_substitute"):
                # The sign itself, and names that are left as they are.
                parts.append(template.delimiter if found.group("escaped") is not None else found.group())
            else:
                parts.append(show(given[key], ""))
        return _joined("", [*parts, template.template[end:]])

    return substitute


def _formatted(text: str, inputs: Any, options: Any) -> Any:
    formatter = string.Formatter()
    parts: List[Any] = []
    place = 0
    for literal, field, specification, conversion in formatter.parse(text):
        parts.append(literal)
        if field is None:
            continue
        if not field or field[0] in ".[":
            field, place = f"{place}{field}", place + 1
        value, _ = formatter.get_field(field, inputs, options)
        is_secret = isinstance(value, (SecretValue, SecretText))
        value = formatter.convert_field(value, conversion) if conversion and not is_secret else value  # type: ignore[arg-type]
        nested = specification or ""
        parts.append(show(value, nested.format(*inputs, **options) if isinstance(options, dict) else nested.format_map(options)))
    return _joined("", parts)


def _join(between: Any, *inputs: Any, **options: Any) -> Any:
    if type(between) is not str or len(inputs) != 1 or options:
        return between.join(*inputs, **options)
    parts = list(inputs[0])
    return _joined(between, parts)


def _call(function: Any, *inputs: Any, **options: Any) -> Any:
    first = inputs[0] if inputs else None
    if isinstance(first, (SecretValue, SecretText)) and not options:
        if function is float and len(inputs) == 1 and isinstance(first, SecretValue):
            return first
        if function in (str, format):
            return show(first, inputs[1] if len(inputs) > 1 else "")
    return function(*inputs, **options)


_MAKING: Dict[str, Callable[..., Any]] = {
    "f": _f_string, "%": percent, "format": _format, "format_map": _format_map, "join": _join, "call": _call, "shaped": shaped,
    "substitute": _substituted("substitute"), "safe_substitute": _substituted("safe_substitute"),
}  # fmt: skip


def compiled(text: str, path: str) -> Any:
    """A script, compiled anew."""
    return code_of(_Rewriter().visit(parse(text, path)), path)


@contextmanager
def rewritten(function: Any, path: str, text: str, names: Mapping[str, Any]) -> Iterator[Callable[[Any], Any]]:
    """Lets a function, and those of the same file that it can reach, run as they are compiled anew.

    Gives a function that tells which code runs in the place of another.
    """
    codes = _codes(text, path)
    swapped: List[Tuple[Any, Any]] = []
    for each in _functions(function, path, names):
        new = codes.get(_key(each.__code__))
        if new is not None and new.co_freevars == each.__code__.co_freevars:
            swapped.append((each, each.__code__))
            each.__code__ = new
    had = builtins.__dict__.get(MADE)
    builtins.__dict__[MADE] = _made
    try:
        yield lambda code: codes.get(_key(code), code) if code is not None else None
    finally:
        for each, code in swapped:
            each.__code__ = code
        if had is None:
            builtins.__dict__.pop(MADE, None)


def _key(code: Any) -> Any:
    """Tells a function's code from that of all others of its file; another text than the one that was loaded gives another."""
    return code.co_name, code.co_firstlineno, code.co_code, code.co_names, code.co_varnames


def _codes(text: str, path: str) -> Dict[Any, Any]:
    """Every piece of code in a file, and the same compiled anew; none of one that cannot be read."""
    try:
        return _codes_of(text, path)
    except (SyntaxError, ValueError, RecursionError):
        return {}


@functools.lru_cache(16)
def _codes_of(text: str, path: str) -> Dict[Any, Any]:
    """The same, found once for the many runs of a function."""
    plain, new = code_of(text, path), compiled(text, path)
    found: Dict[Any, Any] = {}
    pending = [(plain, new)]
    while pending:
        one, other = pending.pop()
        pairs = list(zip(_inner(one), _inner(other)))
        if any(a.co_name != b.co_name or a.co_firstlineno != b.co_firstlineno for a, b in pairs) or len(_inner(one)) != len(_inner(other)):
            continue
        for a, b in pairs:
            # Two that cannot be told apart are left as they are.
            found[_key(a)] = None if _key(a) in found else b
        pending += pairs
    return {key: code for key, code in found.items() if code is not None}


def _inner(code: Any) -> List[Any]:
    return [each for each in code.co_consts if isinstance(each, types.CodeType)]


def _functions(function: Any, path: str, names: Mapping[str, Any]) -> List[Any]:
    """The functions of a file that another can reach: itself, those of its module and its classes, and those it encloses."""
    found: List[Any] = []
    seen: Set[int] = set()
    pending: List[Any] = [function, *names.values()]
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, types.FunctionType):
            if each.__code__.co_filename == path:
                found.append(each)
                pending += [cell.cell_contents for cell in each.__closure__ or () if _is_filled(cell)]
            pending.append(getattr(each, "__wrapped__", None))
        elif isinstance(each, (types.MethodType, staticmethod, classmethod)):
            pending.append(each.__func__)
        elif isinstance(each, property):
            pending += [each.fget, each.fset]
        elif isinstance(each, type) and each.__module__ == names.get("__name__"):
            pending += list(vars(each).values())
        elif hasattr(each, "func") and type(each).__module__ == "functools":
            pending.append(each.func)
        elif type(each).__module__ == names.get("__name__"):
            pending.append(type(each))
    return found


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
