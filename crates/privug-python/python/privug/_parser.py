"""Python's parser for one thread at a time: between making trees in two threads CPython mixes up how deep they are.

It ends in `SystemError: AST constructor recursion depth mismatch` (issue 106905 of CPython). What only reads the tree of a file
shares one: a calibration runs a function a hundred times, and each run asks where it is written.
"""

from __future__ import annotations

import ast
import functools
import threading
from typing import Any, Dict, List

_ONE = threading.RLock()

_KEPT = 16
"""Of so many texts the trees are kept."""


def parse(text: str, path: str = "<unknown>", mode: str = "exec") -> Any:
    """`ast.parse`"""
    with _ONE:
        return ast.parse(text, path, mode)


@functools.lru_cache(_KEPT)
def tree_of(text: str) -> Any:
    """The tree of a text, which must not be changed."""
    return parse(text)


@functools.lru_cache(_KEPT)
def functions_of(text: str) -> List[Any]:
    """All functions in a text, in the order of its tree."""
    return [node for node in ast.walk(tree_of(text)) if isinstance(node, (ast.FunctionDef, ast.Lambda))]


@functools.lru_cache(_KEPT)
def calls_of(text: str) -> Dict[int, List[ast.Call]]:
    """All calls in a text, by the line on which they start; none where it cannot be read."""
    found: Dict[int, List[ast.Call]] = {}
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found.setdefault(node.lineno, []).append(node)
    return found


def code_of(tree: Any, path: str, mode: str = "exec") -> Any:
    """The code of a tree, or of a text, which takes nothing over from this file."""
    with _ONE:
        return compile(tree, path, mode, dont_inherit=True)
