"""Where a function is written, and what it returns there."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from types import CodeType
from typing import Any, Callable, List, Mapping, Optional, Tuple

from ._parser import functions_of
from ._recording import HERE, Place, Recording, result_name


class Definition:
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
            functions = functions_of(self.text)
        except (SyntaxError, ValueError):
            return None
        found = []
        for node in functions:
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno] + [decorator.lineno for decorator in decorators])
            if first == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name:
                found.append(node)
        return found[0] if len(found) == 1 else None


    @property
    def variables(self) -> Tuple[str, ...]:
        """The names of its variables."""
        return () if self.code is None else self.code.co_varnames + self.code.co_cellvars

    def place(self, recording: Recording) -> Place:
        """Where it is."""
        return recording.program.place(self.node) if self.node is not None else HERE

    def result(self, recording: Recording, line: Optional[int]) -> Tuple[Any, Place]:
        """What the result is called, and where it was returned; the line is needed if there are several places."""
        returns = self.returns
        if len(returns) > 1 and line is not None:
            returns = [node for node in returns if node.lineno <= line <= (node.end_lineno or node.lineno)][:1]
        if not returns:
            return "return", self.place(recording)
        statement = returns[0]
        value = statement.body if isinstance(statement, ast.Lambda) else statement.value
        return result_name(value, self.text), recording.program.place(statement)


def _returns(function: ast.AST) -> List[Any]:
    """The `return` statements of a function, without those of functions inside it."""
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
