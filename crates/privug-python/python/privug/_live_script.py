"""Audits of scripts as they are: what they read gives secret columns, and what they write, print or plot is published."""

from __future__ import annotations

import ast
import builtins
import dis
import importlib
import linecache
import os
import sys
import traceback
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any, Callable, Dict, Iterator, List, Optional, Set

from ._definition import Definition
from ._live_audit import Run, Tables, audit_run, load_imports, texts_in
from ._live_copies import Copies
from ._live_files import is_library
from ._live_published import READERS, Publishing
from ._live_release import Cells
from ._parser import code_of, parse
from ._privug import AuditRequest, RawAudit
from ._recording import Text
from ._refused import program_refusal
from ._rewritten import compiled, rewritten


def audit_script(
    path: str, text: str, function: Optional[str], tables: Dict[str, Any], secrets: List[str], request: AuditRequest
) -> RawAudit:
    """Runs a script, or a function of it, on its tables, and audits what it publishes."""
    prepared = Tables(tables, secrets)
    run = run_of(path, text, function, prepared)
    return audit_run(run, prepared, request, None if isinstance(run, ScriptRun) else run.definition.name)


def run_of(path: str, text: str, function: Optional[str], tables: Tables) -> Run:
    """The whole of a script if it reads its tables itself, or one of its functions."""
    if function is None and any(f"{reader}(" in text for reader in READERS):
        return ScriptRun(path, text, tables)
    if function is None and not any(isinstance(each, ast.FunctionDef) for each in _tree(path, text).body):
        return ScriptRun(path, text, tables)
    run = Run(_function(path, text, function), tables)
    run.check_copies()
    return run


def _tree(path: str, text: str) -> ast.Module:
    try:
        return parse(text, path)
    except SyntaxError as error:
        raise program_refusal("P004", path, f"the text is not valid Python: {error.msg}", "correct it", error.lineno or 1) from None


def _function(path: str, text: str, wanted: Optional[str]) -> Callable[..., Any]:
    """A function of a file: the one that is named, `main`, or the only one that no other calls."""
    if not os.path.exists(path):
        # A refusal shows the line.
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    module = ModuleType("release")
    module.__file__ = path
    with own_modules(path):
        exec(code_of(_tree(path, text), path), vars(module))
    own: Dict[str, Any] = {name: each for name, each in vars(module).items() if isinstance(each, FunctionType) and each.__code__.co_filename == path}
    if wanted is not None:
        if wanted not in own:
            raise program_refusal("P011", path, f"there is no function `{wanted}`", f"its functions are {', '.join(own) or 'none'}")
        return own[wanted]
    called = {name for each in own.values() for name in _globals_in(each.__code__)}
    entries = [name for name in own if name not in called]
    if "main" in own:
        return own["main"]
    if len(entries) != 1:
        message = f"it is not clear which function to run: those not called by others are {', '.join(entries) or 'none'}"
        raise program_refusal("P010", path, message, "name one, as in script.py:release, or let the script read its table")
    return own[entries[0]]


def _globals_in(code: CodeType) -> Set[str]:
    """The names of its file that a function mentions, itself or in functions inside it."""
    found = {str(each.argval) for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}
    return found.union(*(_globals_in(each) for each in code.co_consts if isinstance(each, CodeType)))


class _Script(Definition):
    """A file in the place of a function."""

    def __init__(self, path: str, text: str) -> None:
        self.path = self.shown_path = path
        self.text = text
        self.name = os.path.basename(path)
        self.code = None
        self.globals = {}
        self.node = None
        self.returns = []


class ScriptRun(Run):
    """Runs a script, as `Run` runs a function."""

    def __init__(self, path: str, text: str, tables: Tables) -> None:
        self.definition = _Script(path, text)
        self.path = path
        self.tables = tables
        self.loosely = False
        self.start = self.end = 0
        self.text = Text(0, path, text)
        tree = _tree(path, text)
        self.code = code_of(tree, path)
        self.written = texts_in(tree)
        self.copies = Copies(tables)
        load_imports(tree)
        self.check_imports(tree)
        self.running = self.code
        self.thread: Optional[int] = None
        """The thread that runs it."""
        self.others: Set[Any] = set()
        """The threads that were there before."""

    @contextmanager
    def rewritten(self) -> Iterator[None]:
        """Lets the script make texts of secrets."""
        self.running = compiled(self.definition.text, self.path)
        with rewritten(None, self.path, "", {}):
            try:
                yield
            finally:
                self.running = self.code

    def check_left(self) -> None:
        """The variables of a script are its own, and gone with it."""

    def _note_left(self) -> None:
        """So nothing has to be noted down."""

    def check_kept(self, found: Cells, since: int) -> None:
        """They may hold secrets."""

    def publish(self, frames: Dict[str, Any]) -> Cells:
        """What the script publishes if its tables are these."""
        found = Publishing(self, frames)
        with found.hooks(), own_modules(self.path):
            try:
                exec(self.running, {"__name__": "__main__", "__file__": self.path, "__builtins__": builtins})
            except SystemExit as ended:
                self._check_end(ended)
            except Exception as error:
                if found.refused is not None and found.refused is not error:
                    # A library says in its own words what was refused.
                    raise found.refused from error
                raise
        if found.refused is not None:
            raise found.refused
        if self.tables.people not in found.given:
            read = ", ".join(f"`{each}`" for each in found.read) or "nothing"
            message = f"the script never reads the table `{self.tables.people}`: it reads {read}"
            raise self.refuse("P804", message, "give the table by the name of the file that the script reads", 1)
        return found.unique()

    def _check_end(self, ended: SystemExit) -> None:
        """`sys.exit()` and `sys.exit(0)` end a script well; another status, or a message, says that it failed."""
        status = ended.code
        passed = traceback.walk_tb(ended.__traceback__)
        line = next((line for frame, line in passed if frame.f_code.co_filename == self.path), 1)
        if status is None or (isinstance(status, int) and status == 0):
            return
        if not isinstance(status, (int, str)):
            raise self.refuse("P309", "the script exits with a status that is not public", "end with `sys.exit(0)`", line)
        message = f"the script exits with status {status!r}, which means failure"
        raise self.refuse("P808", message, "audit a run that succeeds", line)


@contextmanager
def own_modules(path: str) -> Iterator[None]:
    """Lets a script import the modules beside it, as Python does, and forgets them: each run reads its own tables."""
    folder = os.path.dirname(os.path.abspath(path))
    kept = list(sys.path)
    loaded = {name: each for name, each in list(sys.modules.items()) if _is_beside(each, folder)}
    for name in loaded:
        del sys.modules[name]
    before = set(sys.modules)
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = kept
        for name in set(sys.modules) - before:
            if not is_library(getattr(sys.modules[name], "__file__", None) or "<"):
                del sys.modules[name]
        sys.modules.update(loaded)


def _is_beside(module: Any, folder: str) -> bool:
    """Whether a module that is loaded already is one of those beside a script."""
    # A module may be asked for a name in its own way, which takes long where there are a thousand of them.
    file = vars(module).get("__file__") if type(module) is ModuleType else getattr(module, "__file__", None)
    if not isinstance(file, str) or module.__name__ == "__main__" or is_library(file):
        return False
    return os.path.abspath(file).startswith(folder + os.sep)
