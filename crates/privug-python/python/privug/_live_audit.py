"""Audits of functions: pandas itself runs them, on secret columns and again on the real values.

The first run gives what every figure is to the attacker. The second gives what is published, and has to be the first at
the real values: a function that tells the two apart is refused.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import itertools
import re
import sys
import traceback
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

import numpy as np

from ._definition import Definition
from ._frames import _name, as_pandas
from ._live_arrays import still_alive
from ._live_copies import Copies
from ._live_kept import Left, Modules, difference, left_by
from ._live_paired import Paired
from ._live_reading import Spelled
from ._live_published import Publishing
from ._live_release import Cells, cells
from ._live_sinks import without_shown
from ._parser import parse
from ._privug import AuditRequest, Forms, NotGaussianError, RawAudit
from ._live_text import SecretText
from ._recording import Text, result_name
from ._refused import program_refusal
from ._rewritten import rewritten
from ._secret import LINEAR
from ._session import SESSION, on_secrets

ADAPTED = ("statsmodels", "sklearn", "scipy", "matplotlib", "seaborn")
"""Packages of which some functions are replaced while a program runs on secrets."""

DECIDING = ("nlargest", "nsmallest", "sort_values", "rank", "cut", "qcut", "value_counts", "unique", "nunique", "mode", "idxmax", "idxmin")

NOT_LINEAR = frozenset(
    "corr corrwith corrcoef sem skew kurt kurtosis zscore rankdata gmean hmean trim_mean iqr entropy median_abs_deviation pearsonr "
    "spearmanr kendalltau ttest_ind ttest_1samp ttest_rel f_oneway mannwhitneyu wilcoxon kruskal ks_2samp chisquare bootstrap".split()
)
"""Statistics that are known not to be linear, whatever a library says when it meets a secret."""

HOOKED = ("draw", "plot", "write", "show", "dump", "save", "read", "open_file", "call", "wrapper", "array_function", "array_ufunc", "stack", "make", "total")
"""What our own functions are called that stand in the place of others."""

KEPT = "the function stores the secret, or something computed from it, outside its result, from where it could be published"


_SECRET = re.compile(r"\bSecret(Value|Text|Array|Column)\b")
"""What a library calls what it was given, where it is ours."""


class Tables:
    """The tables of an audit, with and without secrets."""

    def __init__(self, tables: Dict[str, Any], secrets: List[str], files: Sequence[Tuple[str, str]] = ()) -> None:
        """`files` are the names of tables and the files that they were read from."""
        self.files = list(files)
        self.spelled = Spelled()
        self.frames = {name: as_pandas(name, table) for name, table in tables.items()}
        first = secrets[0].strip()
        named = first.partition(".")[0].strip() if "." in first else ""
        self.people = named if named in self.frames else next(iter(self.frames))
        self.columns = [self._column(each.strip()) for each in secrets]
        self._widen()
        people = self.frames[self.people]
        self.gaps = [people[column].isna().to_numpy(dtype=bool) for column in self.columns]
        truths = [self._numbers(people[column])[~gaps] for column, gaps in zip(self.columns, self.gaps)]
        self.truths = np.ascontiguousarray(np.concatenate(truths))

    def _widen(self) -> None:
        """Secrets of few digits are numbers like others: sums of them would be rounded on the way, and not be those of forms."""
        people = self.frames[self.people]
        narrow = {column: float for column in self.columns if str(people[column].dtype) in ("float32", "float16", "Float32")}
        if narrow:
            self.frames[self.people] = people.astype(narrow)

    def _column(self, text: str) -> Any:
        wanted = text.partition(".")[2].strip() if text.startswith(self.people + ".") else text
        keys = [key for key in self.frames[self.people].columns if _name(key) == wanted]
        if len(keys) != 1:
            names = ", ".join(map(_name, self.frames[self.people].columns))
            message = f"the table `{self.people}` has {'no' if not keys else 'more than one'} column `{wanted}`"
            raise program_refusal("P801", "secret", message, f"the columns are {names}")
        return keys[0]

    @staticmethod
    def _numbers(column: Any) -> np.ndarray:
        # Dates, durations and complex numbers would be converted without a word.
        kind = getattr(column.dtype, "kind", "O")
        try:
            if kind not in "mMc":
                return column.to_numpy(dtype=float, na_value=np.nan)
        except (TypeError, ValueError):
            pass
        known = column.dropna()
        such = f", but values such as `{known.iloc[0]}`" if len(known) else ""
        message = f"the column `{column.name}` does not hold numbers{such}"
        hint = "in a live run a secret must be a column of numbers; audit categories from source: the path of a script without `live`, and a discrete prior"
        raise program_refusal("P804", "secret", message, hint)

    def real(self, rows: Optional[np.ndarray] = None) -> Dict[str, Any]:
        """Copies with the real values, of some rows of the people."""
        made = {name: frame.copy() for name, frame in self.frames.items()}
        if rows is not None:
            made[self.people] = made[self.people][rows].copy()
        return made

    def repeated(self, times: int) -> Dict[str, Any]:
        """Copies with the real values, in which every row of the people is there several times, numbered as in a file."""
        import pandas

        made = self.real()
        people = made[self.people]
        made[self.people] = pandas.concat([people] * times, ignore_index=type(people.index).__name__ == "RangeIndex")
        return made

    def other(self, sign: int) -> Tuple[Dict[str, Any], np.ndarray]:
        """Copies with other values in the place of the secrets, of the same type, and these values in the order of the truths.

        They are several times as large, all of them (`sign` 1) or all with the other sign (−1): whether somebody is above or
        below something becomes otherwise in one of the two.
        """
        made = self.real()
        generator = np.random.default_rng(20_240_301)
        truths = []
        for column, gaps in zip(self.columns, self.gaps):
            series = made[self.people][column]
            numbers = self._numbers(series)
            kind = getattr(series.dtype, "kind", "f")
            largest = float(np.abs(numbers[~gaps]).max(initial=1.0)) or 1.0
            factors = generator.integers(2, 10, len(numbers)).astype(float)
            changed = sign * (factors * numbers + largest)
            if kind == "b":
                changed = np.where(generator.random(len(numbers)) < 0.5, 1.0, 0.0) if sign > 0 else 1.0 - np.nan_to_num(numbers)
            elif kind in "iu":
                bounds = np.iinfo(getattr(series.dtype, "numpy_dtype", series.dtype))
                changed = np.clip(changed, max(bounds.min, -(2.0**53)), min(bounds.max, 2.0**53))
            values = series.copy()
            if kind == "O":
                # Decimals and the like, each of its own type.
                values[~gaps] = [type(old)(new) for old, new in zip(series[~gaps], changed[~gaps])]
            else:
                values[~gaps] = changed[~gaps].astype(bool if kind == "b" else np.int64 if kind in "iu" else float)
            made[self.people][column] = values.astype(series.dtype)
            truths.append(self._numbers(made[self.people][column])[~gaps])
        return made, np.ascontiguousarray(np.concatenate(truths))

    def secret(self, rows: Optional[np.ndarray] = None) -> Dict[str, Any]:
        """Copies with secret columns, of the people at some places, of whom some may be there several times."""
        from ._secret_pandas import SecretColumn

        made = self.real()
        first = 0
        for column, gaps in zip(self.columns, self.gaps):
            numbers = np.full(len(gaps), -1, dtype=np.int64)
            numbers[~gaps] = first + np.arange(len(gaps) - int(gaps.sum()))
            first += len(gaps) - int(gaps.sum())
            made[self.people][column] = SecretColumn(Forms.of_secrets(numbers), _name(column))
        if rows is not None:
            people = made[self.people]
            is_numbered = type(people.index).__name__ == "RangeIndex"
            made[self.people] = people.iloc[rows].reset_index(drop=True) if is_numbered and len(rows) > len(people) else people.iloc[rows].copy()
        return made


def load_imports(tree: Any) -> None:
    """Loads the packages that are adapted and that a program imports, before it runs: what is loaded later is not hooked."""
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]:
                if name.partition(".")[0] in ADAPTED:
                    _load(name)
    if "sklearn" in sys.modules:
        _know_processors()


@functools.lru_cache(None)
def _know_processors() -> None:
    """Lets scikit-learn count the processors, for which it starts a program and opens libraries once: not the analyst's doing."""
    try:
        importlib.import_module("joblib").cpu_count(only_physical_cores=True)
        controller = importlib.import_module("sklearn.utils.parallel")._get_threadpool_controller()
        controller.info()
        with controller.limit(limits=1):
            pass
    except (ImportError, AttributeError):
        # Another version, which will be refused where it does so.
        pass


def _load(name: str) -> None:
    try:
        if name.startswith("matplotlib"):
            importlib.import_module("matplotlib").use("Agg")
        importlib.import_module(name)
    except ImportError:
        # The program will say so itself.
        pass


MAX_WRITTEN = 1_000
"""A text that is put together of longer ones is none that stands in a program."""


def texts_in(tree: Any) -> Set[str]:
    """The texts that stand in a program; `"=" * 40` is one."""
    nodes = ast.walk(tree) if tree is not None else ()
    return {found.strip() for found in map(_written_value, nodes) if isinstance(found, str)}


def _written_value(node: Any) -> Any:
    """The text or whole number that an expression of literals is; None for others."""
    if isinstance(node, ast.Constant) and type(node.value) in (str, int):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add)):
        one, other = _written_value(node.left), _written_value(node.right)
        if isinstance(node.op, ast.Add):
            return one + other if isinstance(one, str) and isinstance(other, str) else None
        one, other = (other, one) if isinstance(one, int) else (one, other)
        if isinstance(one, str) and isinstance(other, int) and len(one) * other <= MAX_WRITTEN:
            return one * other
    return None


def parse_or_none(text: str, path: str) -> Any:
    """The tree of a text; None where it cannot be read."""
    try:
        return parse(text, path)
    except (SyntaxError, ValueError):
        return None


class Run:
    """Runs a function, and finds its parts in its file."""

    def __init__(self, function: Callable[..., Any], tables: Tables) -> None:
        self.definition = Definition(function)
        self.function = function
        self.path = self.definition.path
        self.tables = tables
        self.loosely = False
        """Whether equations were solved: the run on secret columns tells."""
        self.copies = Copies(tables)
        load_imports(self.definition.node)
        self.check_imports(self.definition.node)
        text = self.text = Text(0, self.path, self.definition.text)
        self.written = texts_in(parse_or_none(self.definition.text, self.path))
        self.thread: Optional[int] = None
        """The thread that runs it."""
        self.others: Set[Any] = set()
        """The threads that were there before."""
        self.modules = Modules()
        self.left: List[Left] = []
        """What each run on all rows left behind."""
        self.is_compared = False
        """Whether that was compared already, so that it need not be noted down any more."""
        returns = self.definition.returns
        node = returns[0] if len(returns) == 1 else self.definition.node
        _, self.start, self.end = text.place(node) if node is not None else (0, 0, 0)
        value = getattr(returns[0], "value", getattr(returns[0], "body", None)) if len(returns) == 1 else None
        name = result_name(value, self.definition.text)
        self.name = name if isinstance(name, str) and name != "return" else "result"

    def check_left(self) -> None:
        """All runs on all rows must have left the same behind."""
        name = difference(self.left)
        name = self.modules.added() if name is None else name
        self.left, self.is_compared = [], True
        if name is not None:
            shown = f" (`{name}`)" if name else ""
            message = f"the function stores something outside its result that differs from run to run{shown}, and may reveal the secret"
            raise self.refuse("P901", message, "return it, or keep it in local variables")

    def check_kept(self, found: Cells, since: int) -> None:
        """Nothing secret may be alive that was made since then and is not published."""
        published = itertools.chain.from_iterable(
            cell.value.values if isinstance(cell.value, SecretText) else (cell.value,) for cell in found
        )
        if still_alive(since, {each._forms.birth for each in published if hasattr(each, "_forms")}):
            raise self.refuse("P901", KEPT, "return it, or keep it in local variables")

    def check_imports(self, tree: Any) -> None:
        """A program must not reach into what audits it."""
        for node in ast.walk(tree) if tree is not None else ():
            names: List[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            if any(name.startswith("privug._") for name in names):
                message = "the program imports private parts of privug, and could tamper with the audit"
                raise self.refuse("P901", message, "import only `privug`", node.lineno)  # type: ignore[attr-defined]

    def check_copies(self) -> None:
        """No variable that the function names may hold the secret beside its table."""
        found = self.copies.reached_by(self.function)
        if found is not None:
            name, label = found
            where = f"the variable `{name}`" if name not in ("defaults", "attributes", "self") else f"one of the function's {name}"
            message = f"{where} holds the values of the secret `{label}`, by which the function could select rows undetected"
            raise self.refuse("P205", message, f"use the table that is passed to the function (`{self.tables.people}`)")

    def publish(self, frames: Dict[str, Any]) -> Cells:
        """What the function publishes about some tables: what it returns, and what it prints, writes and draws on the way."""
        if len(self.left) == 1:
            # Libraries put something into their modules when they are used for the first time.
            self.modules = Modules()
        found = Publishing(self, frames)
        with found.hooks():
            try:
                returned = cells(without_shown(self._called(frames)), self.name)
            except SystemExit as ended:
                raise self.refuse("P808", f"the function ends the program ({ended.code!r})", "return what is published") from ended
            except Exception as error:
                if found.refused is not None and found.refused is not error:
                    # A library says in its own words what was refused.
                    raise found.refused from error
                raise
        # What is held by what holds it would outlive the run, and look as if the function had kept it.
        found.frames = {}
        if found.refused is not None:
            raise found.refused
        if SESSION.get() is None:
            self._note_left()
        returned.looks |= found.cells.looks
        if not found.cells and not found.cells.said:
            return returned
        found.cells.said.extend(each._replace(after=len(found.cells) + each.after) for each in returned.said)
        found.cells.extend(returned)
        found.cells.labels.update(returned.labels)
        found.cells.looks |= returned.looks
        return found.unique()

    def _note_left(self) -> None:
        """Notes down what a run left behind, once nothing of ours stands in the place of the module's own names."""
        if not self.is_compared:
            self.left.append(left_by(self.function, self.definition.globals))

    def _called(self, frames: Dict[str, Any]) -> Any:
        parameters = inspect.signature(self.function).parameters
        people = frames[self.tables.people]
        needed = [name for name, each in parameters.items() if each.default is each.empty]
        if needed and not any(name in frames for name in parameters) and all(name in people.columns for name in needed):
            # A function of columns, as numpy's users write them.
            return self.function(**{name: people[name].to_numpy(copy=True) for name in parameters if name in people.columns})
        if len(frames) == 1 and next(iter(frames)) not in parameters:
            return self.function(next(iter(frames.values())))
        return self.function(**frames)

    def refuse(self, code: str, message: str, hint: str, line: int = 0) -> BaseException:
        """An error at a line of the function's file, or where the function is."""
        lines = self.definition.text.splitlines()
        line = line or getattr(self.definition.node, "lineno", 1)
        shown = lines[line - 1] if 0 < line <= len(lines) else None
        return program_refusal(code, self.definition.shown_path, message, hint, line, shown)

    def refusal(self, error: Any, line: int = 0) -> BaseException:
        """A refused operation, with the line where it was asked for."""
        line = getattr(error, "line", 0) or line
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == self.path:
                line = number
        message = str(error)
        code, hint = getattr(error, "code", "P306"), getattr(error, "hint", "")
        message = message[len(code) + 2 :] if message.startswith(code) else message
        message = message[: -len(hint) - 2] if hint and message.endswith(hint) else message
        if not any(f"`{_name(column)}`" in message for column in self.tables.columns) and "the secret is" not in message:
            message = f"{message} (the secret is `{', '.join(map(_name, self.tables.columns))}`)"
        return self.refuse(code, message, hint, line)

    def failure(self, error: BaseException) -> BaseException:
        """An error of the run on secret columns: the function's own, or of a library that cannot compute with them."""
        called, line = "", 0
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == self.path:
                called, line = "", number
            elif not called or called.startswith("_"):
                called = frame.f_code.co_name
                called = type(frame.f_locals.get("self")).__name__ if called == "__init__" else called
        if not line:
            return error
        try:
            self.publish(self.tables.real())
        except Exception as again:
            if hasattr(again, "diagnostics"):
                # What is refused with numbers as well is the reason, and not what a library says of a secret.
                return again
            if getattr(again, "code", None):
                return self.refusal(again)
            if type(again) is type(error) or not _SECRET.search(str(error)):
                return error
            # With numbers it goes on, and fails at something else: a file that is not written, for instance.
        labels = ", ".join(map(_name, self.tables.columns))
        if called in HOOKED or not called or called.endswith("wrapper"):
            called = self._written_call(error, line)
        if called in DECIDING:
            message = f"`{called}` selects or orders rows by the secret (`{labels}`)"
            return self.refuse("P802", message, "select and order rows by public columns", line)
        if called in NOT_LINEAR:
            return self.refuse("P306", f"`{called}` is not linear in the secret (the secret is `{labels}`)", LINEAR, line)
        message = f"`{called}` is not known to be linear in the secret (`{labels}`), and does not work without its values"
        return self.refuse("P306", f"{message} ({type(error).__name__}: {error})", LINEAR, line)

    def _written_call(self, error: BaseException, line: int) -> str:
        """What the analyst asked for on a line: an attribute that secrets do not have, or the last call."""
        if isinstance(error, AttributeError) and getattr(error, "name", None):
            return str(error.name)
        if isinstance(error, AttributeError) and "attribute '" in str(error):
            return str(error).rpartition("attribute '")[2].rstrip("'")
        calls = Text(0, self.path, self.definition.text).calls().get(line, [])
        steps = error.__traceback__
        while steps is not None:
            if steps.tb_frame.f_code.co_filename == self.path and hasattr(steps.tb_frame.f_code, "co_positions"):
                # Where Python tells (3.11 and later), the very call that failed.
                places = list(steps.tb_frame.f_code.co_positions())[steps.tb_lasti // 2]
                exact = [call for call in calls if (call.lineno, call.end_lineno, call.col_offset, call.end_col_offset) == places]
                calls = exact or calls
            steps = steps.tb_next
        names = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls]
        return names[-1] if names and names[-1] else "this line"

    def rewritten(self) -> Any:
        """Lets the function make texts of secrets."""
        definition = self.definition
        return rewritten(self.function, definition.path, definition.text, definition.globals)

    def on_secrets(self, frames: Optional[Dict[str, Any]] = None) -> Cells:
        """A run on secret columns: those of all people, or of some."""
        since = Forms.next_birth()
        with on_secrets(self.path, self.definition.globals) as session:
            try:
                with self.rewritten():
                    found = self.publish(self.tables.secret() if frames is None else frames)
            except NotGaussianError as error:
                raise self.refusal(error) from error
            except Exception as error:
                if session.refusal is not None:
                    raise self.refusal(*session.refusal[::2]) from error
                if hasattr(error, "diagnostics"):
                    raise
                if getattr(error, "code", None):
                    # What is published cannot be looked into.
                    raise self.refusal(error) from error
                raise self.failure(error) from error
        if session.refusal is not None:
            # A library caught the error and went on without the value.
            raise self.refusal(*session.refusal[::2])
        self.loosely = session.loosely
        session.in_texts.clear()
        self.check_kept(found, since)
        self._note_left()
        return found


def audit_function(function: Callable[..., Any], tables: Dict[str, Any], secrets: List[str], request: AuditRequest) -> RawAudit:
    """Runs a function on its tables, and audits what it publishes."""
    prepared = Tables(tables, secrets)
    run = Run(function, prepared)
    run.check_copies()
    try:
        return audit_run(run, prepared, request, run.definition.name)
    except AttributeError as error:
        others = [name for name, table in tables.items() if type(table).__module__.partition(".")[0] in ("polars", "pyarrow")]
        if not others or type(getattr(error, "obj", None)).__module__.partition(".")[0] != "pandas":
            raise
        message = f"functions are run with pandas, which `{others[0]}` is given to them as: {error}"
        raise run.refuse("P205", message, "write the function with the methods of pandas", _line_of(error, run.path)) from error


def _line_of(error: BaseException, path: str) -> int:
    """The last line of a file that an error went through."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
    return lines[-1] if lines else 0


def audit_run(run: Any, tables: Tables, request: AuditRequest, function: Optional[str]) -> RawAudit:
    """The same for anything that publishes."""
    return request.audit_live(run.definition.shown_path, run.definition.text, function, *published_by(run, tables))


def published_by(run: Any, tables: Tables) -> Tuple[Any, ...]:
    """What the compiled part needs to know of what is published: figures, counts, what nobody looked into, and notes."""
    found = Paired(run, tables, run.on_secrets(), run.publish(tables.real()))
    return found.forms(), found.figures, found.counts, found.unexamined, found.notes
