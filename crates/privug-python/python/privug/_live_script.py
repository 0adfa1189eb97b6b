"""Audits of scripts as they are: what they read gives secret columns, and what they write, print or plot is published."""

from __future__ import annotations

import ast
import builtins
import io
import os
import pathlib
import sys
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

import numpy as np

from ._definition import Definition
from ._live_audit import Run, Tables, audit_run
from ._live_release import Cell, cells
from ._privug import AuditRequest, RawAudit
from ._recording import Text
from ._refused import program_refusal

READERS = (
    "read_csv", "read_table", "read_fwf", "read_excel", "read_parquet", "read_feather", "read_json", "read_pickle",
    "read_stata", "read_sas", "read_spss", "read_orc", "read_hdf",
)  # fmt: skip
WRITERS = (
    "to_csv", "to_excel", "to_markdown", "to_string", "to_html", "to_latex", "to_json", "to_parquet", "to_feather", "to_pickle",
    "to_stata", "to_clipboard", "to_xml", "to_sql", "to_hdf", "to_orc",
)  # fmt: skip
DRAWN = ("plot", "bar", "barh", "scatter", "step", "fill_between", "stackplot", "pie", "errorbar", "stem", "text", "annotate", "table", "hlines", "vlines", "axhline", "axvline")
"""What matplotlib's axes draw."""


APPLIED = {"usecols", "index_col", "parse_dates", "dtype", "columns"}
"""Options of readers that a given table follows."""

OF_THE_FILE = {
    "sep", "delimiter", "encoding", "engine", "low_memory", "memory_map", "compression", "decimal", "thousands", "quotechar",
    "sheet_name", "storage_options", "filesystem",
}  # fmt: skip
"""Options of readers that say how the file is written, not what is taken from it."""


class Shown(str):
    """A text that was published when it was made."""


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
        self.node = None
        self.returns = []


class ScriptRun(Run):
    """Runs a script, as `Run` runs a function."""

    def __init__(self, path: str, text: str, tables: Tables) -> None:
        self.definition = _Script(path, text)
        self.path = path
        self.tables = tables
        self.start = self.end = 0
        self.text = Text(0, path, text)
        try:
            tree = ast.parse(text, path)
        except SyntaxError as error:
            raise program_refusal("P004", path, f"the text is not valid Python: {error.msg}", "correct it", error.lineno or 1) from None
        self.code = compile(tree, path, "exec")
        constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
        self.written: Set[str] = {constant.strip() for constant in constants}
        for node in ast.walk(tree):
            # Before the hooks are there: what is loaded later is not hooked.
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
                for name in names:
                    if name.partition(".")[0] in ("statsmodels", "sklearn", "matplotlib", "seaborn"):
                        _load(name)

    def publish(self, frames: Dict[str, Any]) -> List[Cell]:
        """What the script publishes if its tables are these."""
        found = _Publishing(self, frames)
        with found.hooks():
            exec(self.code, {"__name__": "__main__", "__file__": self.path, "__builtins__": builtins})
        if self.tables.people not in found.given:
            read = ", ".join(f"`{each}`" for each in found.read) or "nothing"
            message = f"the script never reads the table `{self.tables.people}`: it reads {read}"
            raise self.refuse("P804", message, "give the table by the name of the file that the script reads", 1)
        return found.unique()


def _load(name: str) -> None:
    import importlib

    try:
        if name.startswith("matplotlib"):
            importlib.import_module("matplotlib").use("Agg")
        importlib.import_module(name)
    except ImportError:
        # The script will say so itself.
        pass


class _Publishing:
    """What a run of a script reads and publishes."""

    def __init__(self, run: ScriptRun, frames: Dict[str, Any]) -> None:
        self.run = run
        self.frames = frames
        self.cells: List[Cell] = []
        self.read: List[str] = []
        self.given: Set[str] = set()

    def unique(self) -> List[Cell]:
        seen: Dict[str, int] = {}
        for cell in self.cells:
            times = seen[cell.name] = seen.get(cell.name, 0) + 1
            if times > 1:
                cell.name = f"{cell.name} ({times})"
        return self.cells

    @contextmanager
    def hooks(self) -> Iterator[None]:
        import pandas

        undo: List[Tuple[Any, str, Any]] = []

        def replace(target: Any, name: str, new: Callable[[Any], Any]) -> None:
            if hasattr(target, name):
                undo.append((target, name, getattr(target, name)))
                setattr(target, name, new(getattr(target, name)))

        for name in READERS:
            replace(pandas, name, self._reader)
        for kind in (pandas.DataFrame, pandas.Series):
            for name in WRITERS:
                replace(kind, name, self._writer)
        replace(pandas.io.formats.style.Styler, "to_html", self._writer) if _has_style(pandas) else None
        replace(pandas.plotting._core.PlotAccessor, "__call__", self._plotter)
        replace(builtins, "print", self._printer)
        replace(builtins, "open", self._opener)
        replace(io, "open", self._opener)
        for name in ("savetxt", "save"):
            replace(np, name, self._saver)
        axes: Any = sys.modules.get("matplotlib.axes")
        for name in DRAWN if axes is not None else ():
            replace(axes.Axes, name, self._drawer)
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        for name in ("show", "savefig") if pyplot is not None else ():
            replace(pyplot, name, lambda original: lambda *inputs, **options: None)
        standard = sys.stdout
        sys.stdout = _Written(self, standard, "output")  # type: ignore[assignment]
        try:
            yield
        finally:
            sys.stdout = standard
            for target, name, original in reversed(undo):
                setattr(target, name, original)

    def line(self) -> int:
        """The script's line that is running."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.run.path:
                return int(frame.f_lineno)
            frame = frame.f_back
        return 1

    def publish(self, value: Any, name: str) -> None:
        """Notes down everything in a value."""
        line = self.line()
        start, end = self.run.text.byte(line, 0), self.run.text.byte(line + 1, 0)
        value = {name: value} if _is_table(value) else value
        for cell in cells(value, name):
            if isinstance(cell.value, str) and cell.value.strip() in self.run.written | {""}:
                # It stands in the script itself.
                continue
            cell.place = (start, max(start, end - 1))
            self.cells.append(cell)

    def _name(self, function: str, place: int) -> str:
        """What an argument is called: its text in the script."""
        line = self.line()
        for call in self.run.text.calls().get(line, []):
            called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if called == function and place < len(call.args):
                argument = call.args[place]
                text = " ".join((ast.get_source_segment(self.run.definition.text, argument) or "").split())
                if 0 < len(text) <= 40 and not isinstance(argument, (ast.JoinedStr, ast.Constant)):
                    return text
        return f"line {line}"

    def _reader(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def read(source: Any, *inputs: Any, **options: Any) -> Any:
            if not isinstance(source, (str, os.PathLike)):
                return original(source, *inputs, **options)
            path = pathlib.Path(os.fspath(source))
            self.read.append(str(path))
            name = next((name for name in self.frames if name in (path.stem, path.name)), None)
            if name is None:
                return original(source, *inputs, **options)
            self.given.add(name)
            frame = self.frames[name].copy()
            for option in sorted(set(options) - APPLIED - OF_THE_FILE):
                message = f"`{option}` of `{original.__name__}` is not applied to the table `{name}`, which is given"
                hint = "choose and change rows and columns in the script, after the table is read"
                raise self.run.refuse("P205", message, hint, self.line())
            usecols, index = options.get("usecols", options.get("columns")), options.get("index_col")
            if usecols is not None and not callable(usecols):
                frame = frame[[column for column in frame.columns if column in list(usecols)]]
            types = options.get("dtype")
            for column, type_ in types.items() if isinstance(types, dict) else ():
                if column in frame.columns and not hasattr(frame[column].array, "_forms"):
                    frame[column] = frame[column].astype(type_)
            dates = options.get("parse_dates")
            for column in dates if isinstance(dates, list) else ():
                import pandas

                frame[column] = pandas.to_datetime(frame[column])
            if index is not None and index is not False:
                frame = frame.set_index(frame.columns[index] if isinstance(index, int) else index)
            return frame

        return read

    def _writer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def write(table: Any, target: Any = None, *inputs: Any, **options: Any) -> Any:
            for key in ("path_or_buf", "excel_writer", "buf", "path"):
                target = options.get(key, target)
            name = pathlib.Path(target).stem if isinstance(target, (str, os.PathLike)) else f"line {self.line()}"
            self.publish(getattr(table, "data", table), name)
            return None if target is not None else Shown("")

        return write

    def _plotter(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def plot(accessor: Any, *inputs: Any, **options: Any) -> Any:
            self.publish(accessor._parent, f"plot, line {self.line()}")
            return _Drawing()

        return plot

    def _drawer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def draw(axes: Any, *inputs: Any, **options: Any) -> Any:
            self.publish([each for each in inputs if not callable(each)], f"plot, line {self.line()}")
            return _Drawing()

        return draw

    def _saver(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def save(target: Any, value: Any, *inputs: Any, **options: Any) -> None:
            self.publish(value, f"line {self.line()}")

        return save

    def _printer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def show(*values: Any, file: Any = None, **options: Any) -> None:
            if file is sys.stderr:
                return
            for place, value in enumerate(values):
                if not isinstance(value, Shown):
                    self.publish(value, self._name("print", place))

        return show

    def _opener(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def open_file(path: Any, mode: str = "r", *inputs: Any, **options: Any) -> Any:
            if not any(letter in mode for letter in "wax+"):
                return original(path, mode, *inputs, **options)
            return _Written(self, None, pathlib.Path(str(path)).stem)

        return open_file


def _has_style(pandas: Any) -> bool:
    try:
        return pandas.io.formats.style is not None
    except (AttributeError, ImportError):
        return False


def _is_table(value: Any) -> bool:
    return type(value).__module__.startswith("pandas") and hasattr(value, "_constructor")


class _Drawing:
    """What a plot returns: it can be labelled, and nothing can be read off it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *inputs, **options: _Drawing()

    def __iter__(self) -> Any:
        return iter((_Drawing(),))


class _Written:
    """A file or the terminal: texts that are written to it are published."""

    def __init__(self, publishing: _Publishing, inner: Any, name: str) -> None:
        self._publishing = publishing
        self._inner = inner
        self._label = name

    def write(self, text: Any) -> int:
        """Publishes a text."""
        if not isinstance(text, Shown):
            self._publishing.publish(text if isinstance(text, str) else repr(text), self._label)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Publishes texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> "_Written":
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
