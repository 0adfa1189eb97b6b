"""Running an ordinary Python function on random variables."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import math
import sys
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _random
from ._privug import RawAnalysis, Request
from ._recording import CURRENT, HERE, Place, Recording, result_name

LANGUAGE: Dict[str, Any] = {
    "Normal": _random.Normal,
    "MultivariateNormal": _random.MultivariateNormal,
    "np": np,
    "numpy": np,
    "math": math,
}
"""What expressions given beside a function may mention without importing it."""


class _Definition:
    """Where a function is written."""

    def __init__(self, function: Callable[..., Any]) -> None:
        inner = function
        while isinstance(inner, functools.partial):
            inner = inner.func
        inner = inspect.unwrap(inner)
        if not hasattr(inner, "__code__") and not inspect.ismethod(inner) and not inspect.isclass(inner):
            inner = getattr(type(inner), "__call__", inner)
        plain = getattr(inner, "__func__", inner)
        self.code: Optional[CodeType] = getattr(plain, "__code__", None)
        self.globals: Mapping[str, Any] = getattr(plain, "__globals__", {})
        self.name = str(getattr(function, "__name__", getattr(plain, "__name__", type(function).__name__)))
        self.path = self.code.co_filename if self.code is not None else "<python>"
        # The names of a notebook's cells change with every run.
        self.shown_path = "<notebook>" if "ipykernel" in self.path else self.path
        self.text = "".join(linecache.getlines(self.path)) if self.code is not None else ""
        self.node = self._find()
        self.returns = _returns(self.node) if self.node is not None else []

    def _find(self) -> Optional[ast.AST]:
        code = self.code
        if code is None or not self.text:
            return None
        try:
            tree = ast.parse(self.text)
        except (SyntaxError, ValueError):
            return None
        found = []
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                decorators = getattr(node, "decorator_list", [])
                first = min([node.lineno] + [decorator.lineno for decorator in decorators])
                if first == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name:
                    found.append(node)
        return found[0] if len(found) == 1 else None


def _returns(function: ast.AST) -> List[Any]:
    """The `return` statements of a function, without those of functions inside of it."""
    if isinstance(function, ast.Lambda):
        return [function]
    found: List[Any] = []
    pending: List[ast.AST] = list(getattr(function, "body", []))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return):
            found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
    return found


class _Capture:
    """Notes down a function's variables and the line of its `return` as it ends."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.variables: Dict[str, Any] = {}
        self.line: Optional[int] = None

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        # The outermost call of a recursion ends last.
        if event == "return" and frame.f_code is self.code:
            self.variables = dict(frame.f_locals)
            self.line = frame.f_lineno


def _names(text: str) -> List[str]:
    tree = ast.parse(text.strip(), mode="eval")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _compute(text: str, role: str, *scopes: Mapping[str, Any]) -> Any:
    namespace: Dict[str, Any] = {}
    for scope in scopes:
        namespace.update(scope)
    try:
        return eval(compile(text.strip(), f"<{role}>", "eval"), namespace)
    except NameError as error:
        raise NameError(f"P201: {error} (in the {role} {text.strip()!r})") from None


def _arguments(
    function: Callable[..., Any],
    name: str,
    settings: Mapping[str, Any],
    priors: Mapping[str, Any],
    parameters: Mapping[str, Any],
    recording: Recording,
    scope: Mapping[str, Any],
) -> inspect.BoundArguments:
    signature = inspect.signature(function)
    given: Dict[str, Any] = dict(settings)
    for key, value in list(priors.items()) + list(parameters.items()):
        if key in given:
            raise TypeError(f"P017: {key!r} is bound twice")
        if key in priors and isinstance(value, str):
            value = _compute(value, "prior", LANGUAGE, scope, given)
        given[key] = _random.adopt(value, recording)
    known = signature.parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for key in given:
        if key not in known and not takes_any:
            its = ", ".join(known) or "none"
            raise TypeError(f"P013: {name} has no parameter {key!r}; its parameters are {its}")
    bound = signature.bind_partial()
    for key, parameter in known.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            extra = {other: value for other, value in given.items() if other not in known}
            if extra:
                bound.arguments[key] = extra
        elif key in given:
            bound.arguments[key] = given[key]
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL:
            raise TypeError(
                f"P012: the parameter {key!r} of {name} has no value; give it one, such as "
                f"analyze({name}, {key}=privug.Normal(0, 1))"
            )
    bound.apply_defaults()
    return bound


def analyze(
    function: Callable[..., Any],
    options: Dict[str, Any],
    settings: Mapping[str, Any],
    priors: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> RawAnalysis:
    """Runs a function on random variables and analyses what it did."""
    definition = _Definition(function)
    request = Request(definition.shown_path, definition.text, definition.name, **options)
    expressions, first_free = request.questions()
    recording = Recording(definition.path, definition.text, first_free)
    token = CURRENT.set(recording)
    try:
        start = definition.node
        if start is not None:
            recording.recorder.place(*recording.program.place(start))
        bound = _arguments(
            function, definition.name, settings, priors, parameters, recording, definition.globals
        )
        inputs: Dict[str, Any] = dict(bound.arguments)
        values: Dict[int, Any] = {}
        later = False
        for index, (role, text, _, _) in enumerate(expressions):
            if role in ("value", "std"):
                values[index] = _compute(text, "observation", LANGUAGE)
            # What is about the inputs alone is looked up before the function can change them.
            elif all(name in inputs or name not in _variables(definition) for name in _names(text)):
                values[index] = _compute(text, role, LANGUAGE, definition.globals, inputs)
            else:
                later = True
        result, capture = _call(function, bound, definition, later or len(definition.returns) > 1)
        for index, (role, text, _, _) in enumerate(expressions):
            if index not in values:
                values[index] = _compute(text, role, LANGUAGE, definition.globals, capture.variables)
        names, place = _result(definition, recording, capture)
        secrets: List[Tuple[Any, Any, Place]] = []
        seen: List[Tuple[str, Any, Place, Optional[Tuple[Any, Place]]]] = []
        quantities: List[Tuple[Any, Place]] = []
        for index, (role, text, path, where) in enumerate(expressions):
            if role == "secret":
                tree = ast.parse(text.strip(), mode="eval").body
                secrets.append((values[index], result_name(tree, text.strip()), where))
            elif role == "value":
                seen.append((path, values[index], where, None))
            elif role == "std":
                seen[-1] = (*seen[-1][:3], (values[index], where))
            elif role == "query":
                quantities.append((values[index], where))
        published = (result, names, place) if secrets else None
        if not secrets:
            secrets = [(result, names, place)]
    finally:
        CURRENT.reset(token)
    return request.analyze_recording(
        recording.recorder, secrets, published, seen, quantities, recording.added_texts()
    )


def _variables(definition: _Definition) -> Tuple[str, ...]:
    code = definition.code
    return () if code is None else code.co_varnames + code.co_cellvars


def _call(
    function: Callable[..., Any], bound: inspect.BoundArguments, definition: _Definition, watched: bool
) -> Tuple[Any, _Capture]:
    code = definition.code
    capture = _Capture(code if code is not None else _call.__code__)
    if not watched or code is None:
        return function(*bound.args, **bound.kwargs), capture
    before = sys.getprofile()
    sys.setprofile(capture)
    try:
        return function(*bound.args, **bound.kwargs), capture
    finally:
        sys.setprofile(before)


def _result(definition: _Definition, recording: Recording, capture: _Capture) -> Tuple[Any, Place]:
    """What the result is called, and where it was returned."""
    returns = definition.returns
    if len(returns) > 1 and capture.line is not None:
        line = capture.line
        returns = [node for node in returns if node.lineno <= line <= (node.end_lineno or node.lineno)][:1]
    if not returns:
        return "return", recording.program.place(definition.node) if definition.node is not None else HERE
    statement = returns[0]
    value = statement.body if isinstance(statement, ast.Lambda) else statement.value
    return result_name(value, definition.text), recording.program.place(statement)
