"""Errors with a code, the reason and what to do."""

from __future__ import annotations

import difflib
from typing import Any, Dict, List, Optional

from ._privug import ProgramError


def type_refusal(code: str, message: str, hint: str) -> TypeError:
    """The error for a value of the wrong kind."""
    return _with_code(TypeError(f"{code}: {message}; {hint}"), code, hint)


def value_refusal(code: str, message: str, hint: str) -> ValueError:
    """The error for a value that makes no sense."""
    return _with_code(ValueError(f"{code}: {message}; {hint}"), code, hint)


def parameters_hint(name: str, known: List[str]) -> str:
    """What could have been meant by a parameter that a function does not have."""
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f"did you mean {near[0]!r}?"
    if not known:
        return "it has none"
    return f"its {'only parameter is' if len(known) == 1 else 'parameters are'} {', '.join(known)}"


def _with_code(error: Any, code: str, hint: str) -> Any:
    error.code = code
    error.hint = hint
    return error


def program_refusal(
    code: str, path: str, message: str, hint: str, line: int = 1, text: Optional[str] = None
) -> ProgramError:
    """The error for a program that cannot be analysed, as the compiled part would raise it."""
    place = {"line": line, "column": 1}
    shown = f"\n  --> {path}:{line}" + (f"\n   | {text.strip()}" if text else "")
    refused = ProgramError(f"error[{code}]: {message}; {hint}{shown}")
    found: Dict[str, Any] = {
        "code": code,
        "severity": "error",
        "message": message,
        "hint": hint,
        "path": path,
        "start": place,
        "end": place,
    }
    refused.diagnostics = [found]
    return refused
