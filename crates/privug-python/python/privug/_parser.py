"""Python's parser for one thread at a time: between making trees in two threads CPython mixes up how deep they are.

It ends in `SystemError: AST constructor recursion depth mismatch` (issue 106905 of CPython).
"""

from __future__ import annotations

import ast
import threading
from typing import Any

_ONE = threading.RLock()


def parse(text: str, path: str = "<unknown>", mode: str = "exec") -> Any:
    """`ast.parse`"""
    with _ONE:
        return ast.parse(text, path, mode)


def code_of(tree: Any, path: str, mode: str = "exec") -> Any:
    """The code of a tree, or of a text, which takes nothing over from this file."""
    with _ONE:
        return compile(tree, path, mode, dont_inherit=True)
