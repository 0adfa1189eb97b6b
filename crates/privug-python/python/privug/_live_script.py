"""Audits of scripts as they are: what they read gives secret columns, and what they write, print or plot is published."""

from __future__ import annotations

import builtins
import importlib
import os
import sys
import traceback
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Set

from ._definition import Definition
from ._live_audit import Run, Tables, audit_run, load_imports, texts_in
from ._live_copies import Copies
from ._live_files import is_library
from ._live_published import Publishing
from ._live_release import Cells
from ._parser import code_of, parse
from ._privug import AuditRequest, RawAudit
from ._recording import Text
from ._refused import program_refusal
from ._rewritten import compiled, rewritten


def audit_script(path: str, text: str, tables: Dict[str, Any], secrets: List[str], request: AuditRequest) -> RawAudit:
    """Runs a script on its tables, and audits what it publishes."""
    prepared = Tables(tables, secrets)
    return audit_run(ScriptRun(path, text, prepared), prepared, request, None)


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
        try:
            tree = parse(text, path)
        except SyntaxError as error:
            raise program_refusal("P004", path, f"the text is not valid Python: {error.msg}", "correct it", error.lineno or 1) from None
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
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or module.__name__ == "__main__" or is_library(file):
        return False
    return os.path.abspath(file).startswith(folder + os.sep)
