"""What a script reads and publishes while it runs: readers give the tables, writers and prints note down what they are given."""

from __future__ import annotations

import ast
import atexit
import builtins
import csv
import importlib
import importlib.util
import io
import json
import logging
import os
import pathlib
import pprint
import re
import sys
import textwrap
import threading
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

import numpy as np

from . import _live_writing
from ._live_beside import SELECTING, beside, check_handlers, check_shown, encoded, formatted, named, of_styler, shown_by, styler_hooks
from ._live_drawing import Drawing, close_figures, drawn, hooks as drawing_hooks, open_figures, plotted
from ._live_files import CHANGING, LEAVING, LOOKING, OTHERWISE, READERS as COMPILED_READERS, is_library, leaving, script_line, table_of, watched
from ._live_looks import LOOKS, TEXT, Pictures, look, look_at_blank, look_at_call, look_at_options
from ._live_reading import APPLIED, OF_THE_FILE, Pieces, as_read, changes_nothing
from ._live_release import Cells, Said, cells
from ._live_text import SecretText, of_text, show as shown_in_text
from ._live_sinks import Rows, Shown, Workbook, Written
from ._rewritten import percent
from ._secret import SecretValue

READERS = (
    "read_csv", "read_table", "read_fwf", "read_excel", "read_parquet", "read_feather", "read_json", "read_pickle",
    "read_stata", "read_sas", "read_spss", "read_orc", "read_hdf",
)  # fmt: skip
WRITERS = (
    "to_csv", "to_excel", "to_markdown", "to_string", "to_html", "to_latex", "to_json", "to_parquet", "to_feather", "to_pickle",
    "to_stata", "to_clipboard", "to_xml", "to_sql", "to_hdf", "to_orc",
)  # fmt: skip
FORMATTED = ("to_string", "to_html", "to_latex", "to_csv", "to_markdown")
"""Writers that show cells as functions or pandas' options say."""

WORKBOOKS = (("openpyxl", "Workbook"), ("xlsxwriter", "Workbook"), ("docx", "Document"))
"""Files that are put together cell by cell."""

_RECORD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

MAX_CATEGORIES = 1_000
"""A column with more different texts tells people apart."""


class Publishing:
    """What a run of a script reads and publishes."""

    def __init__(self, run: Any, frames: Dict[str, Any]) -> None:
        self.run = run
        self.frames = frames
        self.cells = Cells()
        self.read: List[str] = []
        self.given: Set[str] = set()
        self.refused: Optional[BaseException] = None
        """Why a file was not opened, should the script go on without it."""
        self._known: Optional[Set[str]] = None
        self.opens_database = False
        self._texts: Dict[int, int] = {}
        """How many texts of public columns were published in a line."""
        self._counted: Tuple[int, str, int] = (0, "", 0)
        """The line, what was shown last, and how often."""
        self._is_looking = False
        self._warnings: List[Tuple[Any, ...]] = []
        """What libraries said about how they are used."""

    def refuse_once(self, error: BaseException) -> BaseException:
        """Keeps an error that the script may catch."""
        self.refused = self.refused or error
        return error

    def is_asked(self) -> bool:
        """Whether the script itself calls one of our functions, and not a library for its own ends."""
        frame: Any = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__", "").startswith("privug."):
            frame = frame.f_back
        return frame is not None and frame.f_code.co_filename == self.run.path

    def unique(self) -> Cells:
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
        for name in ("to_html", "to_latex", "to_excel", "to_string", "to_typst", "_repr_html_"):
            replace(_styler(), name, self._writer)
        styler_hooks(replace, self, _styler())
        replace(pandas.plotting._core.PlotAccessor, "__call__", self._plotter)
        for kind, name in ((pandas.DataFrame, "boxplot"), (pandas.DataFrame, "hist"), (pandas.Series, "hist")):
            replace(kind, name, self._plotter)
        replace(builtins, "print", self._printer)
        replace(builtins, "open", self._opener)
        replace(io, "open", self._opener)
        for name in ("savetxt", "save"):
            replace(np, name, self._saver)
        drawing_hooks(replace, self)
        _live_writing.hooks(replace, self)
        for package, name in WORKBOOKS:
            if package in self.run.definition.text and importlib.util.find_spec(package) is not None:
                replace(importlib.import_module(package), name, lambda original: lambda *inputs, **options: Drawing(self))
        replace(atexit, "register", self._at_exit)
        replace(pathlib.Path, "write_text", self._text_writer)
        for package, names in COMPILED_READERS.items():
            # Importing a package takes long, and whoever uses it names it.
            if package.partition(".")[0] in self.run.definition.text:
                try:
                    module = importlib.import_module(package)
                except ImportError:
                    continue
                for name in names:
                    replace(module, name, self._compiled_reader)
        replace(pandas, "ExcelWriter", lambda original: lambda *inputs, **options: Workbook(self, *inputs))
        for name in ("pprint", "pp"):
            replace(pprint, name, self._pretty)
        for name in ("dedent", "indent"):
            replace(textwrap, name, lambda original: lambda text, *inputs, **options: of_text(original, text, inputs, options))
        replace(json, "dumps", self._dumper)
        replace(json, "dump", self._dumper)
        replace(csv, "writer", self._rows_writer)
        replace(logging.Logger, "callHandlers", self._logger)
        kept, root = open_figures(), logging.getLogger()
        pictures, looking = Pictures(), LOOKS.set(self.cells.looks)
        handlers, level = list(root.handlers), root.level
        names = ("stdout", "stderr", "__stdout__", "__stderr__")
        streams = [getattr(sys, name) for name in names]
        for name, stream in zip(names, streams):
            setattr(sys, name, Written(self, stream, "output" if "out" in name else "messages"))
        arguments, sys.argv = sys.argv, [self.run.path]
        caching, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        options = _options()
        threads = set(threading.enumerate())
        self.run.thread, self.run.others = threading.get_ident(), {each.ident for each in threads}
        around = _live_writing.other_threads(threads)
        before = _live_writing.written_bytes(around, afterwards=False)
        try:
            with warnings.catch_warnings(), watched(self.check_file, self.run.path):
                replace(warnings, "showwarning", lambda original: self._warner(original, streams[1]))
                replace(warnings, "warn", self._warned)
                replace(warnings, "warn_explicit", self._warned_explicitly)
                yield
                _live_writing.end_threads(self, threads)
            after = _live_writing.written_bytes(around, afterwards=True)
            if before is not None and after is not None and after > before:
                self.refuse_once(self.run.refuse("P901", f"{_live_writing.UNSEEN}: compiled code wrote {after - before} bytes", _live_writing.INSTEAD, 1))
        finally:
            self.end_counting()
            for line, count in self._texts.items():
                look(f"{TEXT}{count} in line {line}")
            pictures.end(kept)
            LOOKS.reset(looking)
            sys.argv, sys.dont_write_bytecode = arguments, caching
            options()
            for name, stream in zip(names, streams):
                setattr(sys, name, stream)
            root.handlers[:] = handlers
            root.setLevel(level)
            close_figures(kept)
            for target, name, original in reversed(undo):
                setattr(target, name, original)
            for show, *said in self._warnings:
                show(*said)

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
        if isinstance(value, BaseException):
            # What an error shows of itself are its arguments.
            value = value.args[0] if len(value.args) == 1 else value.args
        own = shown_by(value, self.run.path) if not isinstance(value, (str, int, float)) else None
        if own is not None:
            # It is shown as the text that its class makes of it.
            value = own(value, *([""] if own.__name__ == "__format__" else []))
        check_shown(self, value)
        is_alone = isinstance(value, str)
        value = {name: value} if _is_table(value) or isinstance(value, (list, tuple)) else value
        known = self.run.written | {""} | (self._categories() if name.startswith("plot") else set())
        found = cells(value, name)
        self.cells.said.extend(each._replace(after=len(self.cells), line=line) for each in found.said)
        self.cells.labels.update(found.labels)
        for cell in found:
            if isinstance(cell.value, str):
                look_at_blank(cell.value)
            if isinstance(cell.value, str) and cell.value.strip() in known:
                # It stands in the script itself, or is a name beside a bar: what it tells is that it is there.
                is_written = cell.value.strip() in self.run.written
                self.cells.said.append(Said(len(self.cells), line, cell.value, is_written))
                continue
            if is_alone and (cell.value in self._categories() or _is_rule(cell.value)):
                # Which of them it is must not depend on numbers of people, and neither how many are shown there.
                look(f"{TEXT}{cell.value!r} in line {line}")
                self._texts[line] = self._texts.get(line, 0) + 1
                self.cells.said.append(Said(len(self.cells), line, cell.value, False))
                continue
            cell.place = (start, max(start, end - 1))
            self.cells.append(cell)

    def count(self, what: str, line: int) -> None:
        """Something of which it can be seen how often it is there, one after the other."""
        if self._counted[:2] != (line, what):
            self.end_counting()
        self._counted = (line, what, self._counted[2] + 1)

    def end_counting(self) -> None:
        """Notes down how often the last was there."""
        line, what, times = self._counted
        if times:
            look(f"{what} in line {line}, {times} times")
        self._counted = (0, "", 0)

    def _categories(self) -> Set[str]:
        """The texts in public columns: whoever knows these knows them as well."""
        if self._known is None:
            columns = [frame[name] for frame in self.frames.values() for name in frame.columns]
            texts = [column for column in columns if column.dtype.kind == "O" and not hasattr(column.array, "_forms")]
            found = (column.dropna().unique() for column in texts)
            self._known = {each for values in found if len(values) <= MAX_CATEGORIES for each in values if isinstance(each, str)}
        return self._known

    def place(self, what: str) -> str:
        """What something without a name is called."""
        return f"{what}, line {self.line()}"

    def literals(self, function: str) -> Set[Any]:
        """The places and names of the arguments of a call on this line that are written as numbers or texts there."""
        found: List[Set[Any]] = []
        for call in self.run.text.calls().get(self.line(), []):
            called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if called == function or f"set_{called}" == function:
                own: Set[Any] = {place for place, each in enumerate(call.args) if _is_literal(each)}
                found.append(own | {each.arg for each in call.keywords if _is_literal(each.value)})
        return set.intersection(*found) if found else set()

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
                return self._other_table(original(source, *inputs, **options), str(path))
            self.given.add(name)
            frame = self.frames[name].copy()
            for option in sorted(set(options) - APPLIED - OF_THE_FILE):
                if changes_nothing(option, options[option], frame):
                    continue
                message = f"`{option}` of `{original.__name__}` is not applied to the table `{name}`, which is given"
                hint = "choose and change rows and columns in the script, after the table is read"
                raise self.run.refuse("P205", message, hint, self.line())
            found = as_read(
                frame, options, self.run.tables.columns if name == self.run.tables.people else (), lambda column: self.run.tables.spelled.column(name, column),
                lambda message, hint: self.refuse_once(self.run.refuse("P205", message, hint, self.line())),
            )  # fmt: skip
            return found if options.get("chunksize") is None else Pieces(found, int(options["chunksize"]))

        return read

    def _other_table(self, table: Any, path: str) -> Any:
        """A table that was read beside those that are given: it must not be a copy of them."""
        label = self.run.copies.within(table)
        if label is not None:
            raise self._copied(path, label, self.line())
        return table

    def _copied(self, path: str, label: str, line: int) -> BaseException:
        people = self.run.tables.people
        message = f"`{path}` holds the values of the secret `{label}`, and is read under a different name than the table `{people}`, as it is"
        hint = "read it under the name of the table, or pass it as a separate table without secrets"
        return self.refuse_once(self.run.refuse("P205", message, hint, line))

    def _writer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def write(table: Any, target: Any = None, *inputs: Any, **options: Any) -> Any:
            if _is_shown_to_pandas():
                return original(table, target, *inputs, **options)
            for key in ("path_or_buf", "excel_writer", "buf", "path"):
                target = options.get(key, target)
            named(self, target)
            look_at_options()
            name = pathlib.Path(target).stem if isinstance(target, (str, os.PathLike)) else f"line {self.line()}"
            if isinstance(target, Workbook):
                sheet = options.get("sheet_name", inputs[0] if inputs else name)
                named(self, sheet)
                name = str(sheet)
            data = of_styler(self, table) if hasattr(table, "_todo") else table
            if isinstance(options.get("columns"), (list, tuple)) and getattr(data, "ndim", 0) == 2:
                data = data[list(options["columns"])]
            shown = {key: each for key, each in options.items() if key not in SELECTING and not callable(each)}
            beside(self, [*inputs, *(each for key, each in shown.items() if key not in ("path_or_buf", "excel_writer", "buf", "path", "formatters"))])
            if original.__name__ in FORMATTED:
                data = formatted(self, data, options)
            self.publish(data, name)
            return None if target is not None else Shown.of(lambda name: self._taken_apart(original.__name__, name))

        write.__name__ = original.__name__
        return write

    def _taken_apart(self, writer: str, name: str) -> BaseException:
        columns = ", ".join(map(str, self.run.tables.columns))
        message = f"the text that `{writer}` makes is taken apart (`str.{name}`), which is not supported (the secret is `{columns}`)"
        hint = "compute with the table itself, such as `table.to_dict(\"records\")`, and write it at the end"
        return self.refuse_once(self.run.refuse("P205", message, hint, self.line()))

    def _plotter(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def plot(accessor: Any, *inputs: Any, **options: Any) -> Any:
            parent = getattr(accessor, "_parent", accessor)
            kind = {} if parent is not accessor else {"kind": original.__name__.partition("_")[0]}
            self.publish(plotted(parent, inputs, {**kind, **options}), self.place("plot"))
            look_at_call("plot", (), options)
            own = {key: each for key, each in options.items() if key not in ("x", "y", "by", "column", "kind")}
            self.publish(drawn([each for each in inputs if not isinstance(each, str)], own, self.literals("plot")), self.place("plot"))
            return Drawing(self)

        return plot

    def _dumper(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def dump(value: Any, *inputs: Any, **options: Any) -> Any:
            if sys._getframe(1).f_code.co_filename != self.run.path:
                return original(value, *inputs, **options)
            look_at_call("json", inputs, options)
            self.publish(encoded(self, value, options), f"line {self.line()}")
            return Shown("")

        return dump

    def _rows_writer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def writer(*inputs: Any, **options: Any) -> Any:
            return Rows(self)

        return writer

    def _saver(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def save(target: Any, value: Any, *inputs: Any, **options: Any) -> None:
            named(self, target)
            beside(self, [*inputs, *options.values()])
            self.publish(value, f"line {self.line()}")

        return save

    def _printer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def show(*values: Any, file: Any = None, **options: Any) -> None:
            if any(_is_table(each) or isinstance(each, np.ndarray) or hasattr(each, "_forms") for each in values):
                look_at_options()
            if not values:
                self.count("an empty line", self.line())
            line = self._printed_line(values, options)
            if line is not None:
                self.publish(line, f"line {self.line()}")
                return
            for place, value in enumerate(values):
                if not isinstance(value, Shown):
                    self.publish(formatted(self, value, {}) if _is_table(value) else value, self._name("print", place))
            for option in ("sep", "end"):
                if options.get(option) is not None and not isinstance(options[option], Shown):
                    self.publish(options[option], f"{option}, line {self.line()}")

        return show

    def row(self, values: Sequence[Any]) -> Any:
        """A row of a file: where it has a label, one text."""
        line = self._printed_line(values, {})
        return list(values) if line is None else line

    def _printed_line(self, values: Sequence[Any], options: Dict[str, Any]) -> Optional[Any]:
        """The one text that a label and numbers beside it are printed as: `print(region, rows.income.mean())`.

        None where there is no label: then each value is published by itself. What is a label must not depend on whether values
        are secret.
        """
        plain = (str, bool, int, float, np.generic, SecretValue, SecretText)
        if len(values) < 2 or not all(isinstance(each, plain) and not isinstance(each, Shown) for each in values):
            return None
        if any(each is not None for each in options.values()):
            return None
        is_text = [isinstance(each, (str, SecretText)) for each in values]
        if all(is_text) or all(isinstance(each, str) and each.strip() in self.run.written for each, text in zip(values, is_text) if text):
            return None
        line: Any = ""
        for place, each in enumerate(values):
            line = line + (" " if place else "") + (shown_in_text(each, "") if isinstance(each, (SecretValue, SecretText)) else str(each))
        return line

    def _pretty(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def show(value: Any, *inputs: Any, **options: Any) -> None:
            self.publish(value, self._name("pprint", 0))

        return show

    def _logger(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(logger: Any, record: Any) -> None:
            if record.pathname == self.run.path:
                check_handlers(self, logger)
                look(f"level {record.levelno}")
                text = record.msg if isinstance(record.msg, (str, SecretText)) else str(record.msg)
                self.publish(percent(text, record.args) if record.args else text, f"line {record.lineno}")
                beside(self, [each for key, each in vars(record).items() if key not in _RECORD])
                if record.exc_info and record.exc_info[1] is not None:
                    self.publish(record.exc_info[1], f"line {record.lineno}")
            else:
                original(logger, record)

        return call

    def _warner(self, original: Callable[..., Any], terminal: Any) -> Callable[..., Any]:
        def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
            caller: Any = sys._getframe(1)
            while caller is not None and caller.f_globals.get("__name__") == "warnings":
                caller = caller.f_back
            if caller is not None and caller.f_code.co_filename == self.run.path:
                self.publish(str(message), f"line {caller.f_lineno}")
            else:
                # A library says something about how it is used.
                self._warnings.append((original, message, category, filename, lineno, terminal, line))

        return show

    def _warned(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def warn(message: Any, category: Any = None, stacklevel: int = 1, *inputs: Any, **options: Any) -> None:
            if sys._getframe(1).f_code.co_filename != self.run.path:
                return original(message, category, stacklevel + 1, *inputs, **options)
            # Whether it is shown, whoever starts the program decides.
            self.publish(message if isinstance(message, SecretText) else str(message), f"line {self.line()}")

        return warn

    def _warned_explicitly(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def warn_explicit(message: Any, category: Any, filename: Any, lineno: Any, *inputs: Any, **options: Any) -> None:
            if sys._getframe(1).f_code.co_filename != self.run.path:
                return original(message, category, filename, lineno, *inputs, **options)
            for each in (message, filename, lineno):
                self.publish(str(each) if isinstance(each, Warning) else each, f"line {self.line()}")

        return warn_explicit

    def _leave(self, event: str) -> None:
        error = leaving(self.run, event)
        if error is not None:
            self.refused = self.refused or error
            raise error

    def _at_exit(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def register(function: Any, *inputs: Any, **options: Any) -> Any:
            if sys._getframe(1).f_code.co_filename == self.run.path:
                self._leave("atexit.register")
            return original(function, *inputs, **options)

        return register

    def _text_writer(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def write_text(path: Any, data: Any, *inputs: Any, **options: Any) -> int:
            named(self, path)
            self.publish(data, pathlib.Path(str(path)).stem)
            return 0

        return write_text

    def _compiled_reader(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def read(*inputs: Any, **options: Any) -> Any:
            for given in (*inputs, *options.values()):
                each = given if isinstance(given, (list, tuple)) else [given]
                for path in each:
                    if isinstance(path, (str, os.PathLike)):
                        self.check_file(os.fspath(path), "open")
                        if isinstance(path, str) and " " in path:
                            # A query names files and tables in its text.
                            named_there = [name for name in self.frames if name in path]
                            for name in (*named_there, *re.findall(r"['\"]([^'\"]+)['\"]", path)):
                                self.check_file(name, "open")
            return original(*inputs, **options)

        return read

    def check_file(self, path: str, event: str) -> None:
        if event in LEAVING:
            return self._leave(event)
        if event in CHANGING:
            return _live_writing.note_change(self, event, path)
        if event == "write":
            return _live_writing.check_write(self, path)
        if event == "sqlite3.connect" and not self.opens_database and path != ":memory:":
            return _live_writing.check_write(self, path)
        if event in LOOKING:
            return self._leave(event)
        table = table_of(path, self.frames, self.run.tables.files)
        line = script_line(self.run)
        if line is None or path == self.run.path:
            return
        if table is None:
            label = None
            if not self._is_looking and pathlib.Path(path).suffix.lower() not in OTHERWISE and not is_library(path):
                # Looking into it opens it once more.
                self._is_looking = True
                label = self.run.copies.in_file(path)
                self._is_looking = False
            if label is not None:
                raise self._copied(path, label, line)
            return
        message = f"`{path}` is the file of the table `{table}`, and is not opened by pandas, so the secret values would be read"
        error = self.run.refuse("P205", message, f"read it by its name with pandas, such as pd.read_csv({path!r})", line)
        raise self.refuse_once(error)

    def _opener(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def open_file(path: Any, mode: str = "r", *inputs: Any, **options: Any) -> Any:
            if not any(letter in mode for letter in "wax+"):
                return original(path, mode, *inputs, **options)
            named(self, path)
            return Written(self, None, pathlib.Path(str(path)).stem)

        return open_file


def _options() -> Callable[[], None]:
    """Gives a function that sets pandas' options back."""
    import copy

    import pandas

    kept: Any = getattr(sys.modules.get("pandas._config.config"), "_global_config", None)
    before = copy.deepcopy(kept) if isinstance(kept, dict) else None

    def back() -> None:
        if before is not None:
            kept.clear()
            kept.update(before)

    assert pandas is not None
    return back


def _styler() -> Any:
    try:
        from pandas.io.formats.style import Styler
    except ImportError:
        # It needs jinja2.
        return None
    return Styler


def _is_literal(node: Any) -> bool:
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant)


def _is_shown_to_pandas() -> bool:
    """Whether pandas asks for the text of a table for a message of its own, as where it looks whether the keys of `groupby` are names.

    Whoever publishes the message publishes this text.
    """
    frame: Any = sys._getframe(2)
    shows = False
    while frame is not None and frame.f_code.co_name in ("__repr__", "__str__") and _is_of_pandas(frame):
        frame, shows = frame.f_back, True
    return shows and frame is not None and _is_of_pandas(frame)


def _is_of_pandas(frame: Any) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("pandas.")


def _is_rule(text: str) -> bool:
    """Whether it is a line that is drawn under a heading; how long it is, is compared with other runs."""
    return len(set(text.strip())) == 1 and not text.strip()[0].isalnum()


def _is_table(value: Any) -> bool:
    return type(value).__module__.startswith("pandas") and hasattr(value, "_constructor")
