"""Audits of scripts as they are: what they read gives secret columns, and what they write, print or plot is published."""

from __future__ import annotations

import ast
import builtins
import os
import traceback
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from ._definition import Definition
from ._live_audit import Run, Tables, audit_run, load_imports
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
        constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
        self.written: Set[str] = {constant.strip() for constant in constants}
        load_imports(tree)
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

    def kept(self) -> List[Tuple[str, str]]:
        """Nothing: the variables of a script are its own, and gone with it."""
        return []

    def check_kept(self, found: Cells, since: int) -> None:
        """They may hold secrets."""

    def publish(self, frames: Dict[str, Any]) -> Cells:
        """What the script publishes if its tables are these."""
        found = Publishing(self, frames)
        with found.hooks():
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
            raise self.refuse("P309", "the script ends with a status that is not public", "end with `sys.exit(0)`", line)
        message = f"the script ends with the status {status!r}, as one that failed does"
        raise self.refuse("P808", message, "audit a run that succeeds", line)
