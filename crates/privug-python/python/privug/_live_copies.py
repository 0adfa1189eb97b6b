"""Copies of the secret beside the table: in variables that a function names, and in files that are read by another name.

Rows that are chosen by such a copy are chosen by the secret, and no run on secret columns could tell.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import importlib
import io
import lzma
import os
import re
import sqlite3
import sys
import types
import zipfile
import zlib
from typing import Any, FrozenSet, Iterator, List, Optional, Tuple

import numpy as np

from ._fingerprint import _is_library, _variables
from ._frames import _name

FEWEST = 3
"""So few numbers may be the same by chance."""

DISTINCT = 5
"""As many different secrets have to stand in a text before it is taken for a copy of their table."""

LARGEST = 64 * 1024 * 1024
ROWS = 1_000_000
_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_MOST_DEEP = 4
_MOST_PARTS = 2_000


STANDARD: FrozenSet[str] = getattr(sys, "stdlib_module_names", frozenset())
"""Packages whose objects hold no tables (from Python 3.10 on)."""


class Copies:
    """The values of the secret columns, as they may be found elsewhere."""

    def __init__(self, tables: Any) -> None:
        people = tables.frames[tables.people]
        self._secrets: List[Tuple[str, np.ndarray, np.ndarray]] = []
        for column in tables.columns:
            values = tables._numbers(people[column])
            present = np.unique(values[~np.isnan(values)])
            if len(values) >= FEWEST and len(present) > 1:
                self._secrets.append((_name(column), values, present))
        self._tokens = [_written(present) for _, _, present in self._secrets]

    def reached_by(self, function: Any) -> Optional[Tuple[str, str]]:
        """The first variable of a function that holds a secret, and that secret."""
        for name, value in _variables(function):
            label = self.within(value)
            if label is not None:
                return name, label
        return None

    def within(self, value: Any) -> Optional[str]:
        """The secret whose values are in a table, an array, a list or an object that holds one."""
        left = [_MOST_PARTS]
        return next((label for name, numbers in _columns(value, left) for label in [self._label(name, numbers)] if label), None)

    def _label(self, name: Any, numbers: np.ndarray) -> Optional[str]:
        for label, values, present in self._secrets:
            if len(numbers) == len(values):
                # Few different values occur as often elsewhere by chance.
                one, other = (np.sort(numbers), np.sort(values)) if len(present) >= DISTINCT else (numbers, values)
                if np.array_equal(one, other, equal_nan=True):
                    return label
            # A part of the table, or more people than are in it.
            if name == label and len(present) >= DISTINCT and len(numbers) and np.isin(numbers, present).mean() > 0.5:
                return label
        return None

    def in_file(self, path: str) -> Optional[str]:
        """The secret whose values stand in a file: as a text, also a compressed one, or as numbers of the machine."""
        if not self._secrets:
            return None
        try:
            if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
                return None
            with io.FileIO(path) as file:
                content = file.readall()
            contents = _unpacked(content)
        except (OSError, ValueError, EOFError, zlib.error, zipfile.BadZipFile, lzma.LZMAError):
            return None
        if content[:15] == b"SQLite format 3":
            return self.within(_database(path))
        if content[:4] == b"PAR1" or content[:6] == b"ARROW1":
            return self.within(_arrow_table(path))
        for each in contents:
            found = set(map(_digits, _NUMBER.findall(each)))
            for (label, _, present), tokens in zip(self._secrets, self._tokens):
                if len(tokens) >= DISTINCT and len(tokens & found) >= 0.9 * len(tokens):
                    return label
                if len(present) >= DISTINCT and _holds_numbers(each, present):
                    return label
        return None


def _unpacked(content: bytes) -> List[bytes]:
    """What is in a file that is compressed; otherwise the file itself."""
    if content[:2] == b"\x1f\x8b":
        return [gzip.decompress(content)]
    if content[:3] == b"BZh":
        return [bz2.decompress(content)]
    if content[:6] == b"\xfd7zXZ\0":
        return [lzma.decompress(content)]
    if content[:4] == b"PK\3\4":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [each for each in archive.infolist() if each.file_size <= LARGEST]
            return [archive.read(each) for each in members[:100]]
    return [content]


def _holds_numbers(content: bytes, present: np.ndarray) -> bool:
    """Whether numbers are in a file as doubles or whole numbers of 8 bytes; a dozen of them tell."""
    broken = present[present != np.round(present)]
    present = broken if len(broken) >= DISTINCT else present
    sample = present[np.linspace(0, len(present) - 1, min(len(present), 12)).astype(int)]
    kinds = ("<f8", ">f8", "<i8") if (sample == np.round(sample)).all() else ("<f8", ">f8")
    for kind in kinds:
        # Small whole numbers are anywhere.
        patterns = [value.tobytes() for value in sample.astype(kind) if kind[1] == "f" or abs(int(value)) > 255]
        if len(patterns) >= DISTINCT and sum(pattern in content for pattern in patterns) >= 0.9 * len(patterns):
            return True
    return False


def _database(path: str) -> Any:
    """The columns of all tables of a database."""
    found = []
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            tables = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
            for (name,) in tables[:_MOST_PARTS]:
                rows = connection.execute('select * from "' + name.replace('"', '""') + '"')
                titles = [each[0] for each in rows.description]
                found.append({title: list(column) for title, column in zip(titles, zip(*rows.fetchmany(ROWS)))})
    except sqlite3.Error:
        return None
    return found


def _arrow_table(path: str) -> Any:
    try:
        if path.lower().endswith((".feather", ".arrow", ".ipc")):
            return importlib.import_module("pyarrow.feather").read_table(path)
        return importlib.import_module("pyarrow.parquet").read_table(path)
    except Exception:  # noqa: BLE001 - what cannot be read here, the program cannot read either
        return None


def _written(present: np.ndarray) -> Any:
    """The numbers that hardly stand in a file by chance: those of four digits and more, if most are such."""
    tokens = {_digits(repr(float(each)).encode()) for each in present[:10_000]}
    long = {each for each in tokens if len(each.replace(b".", b"").lstrip(b"-")) >= 4}
    return long if 2 * len(long) >= len(tokens) else set()


def _digits(number: bytes) -> bytes:
    """A number as it is compared: `5.0`, `5.00` and `5` are the same."""
    number = number.lstrip(b"+")
    return number.rstrip(b"0").rstrip(b".") if b"." in number and b"e" not in number.lower() else number


def _columns(value: Any, left: List[int], name: Any = None, depth: int = 0) -> Iterator[Tuple[Any, np.ndarray]]:
    """Everything in a value that is as long as a column and holds numbers, with its name."""
    left[0] -= 1
    if left[0] < 0 or depth > _MOST_DEEP or value is None or isinstance(value, (str, bytes, int, float, type)) or callable(value):
        return
    module = type(value).__module__.partition(".")[0]
    if module in ("polars", "pyarrow") and hasattr(value, "to_pandas"):
        yield from _columns(_as_pandas(value), left, name, depth + 1)
    elif module == "pandas" and hasattr(value, "_constructor") and getattr(value, "ndim", 0) == 2:
        for place in range(min(value.shape[1], _MOST_PARTS)):
            yield from _column(value.iloc[:, place], value.columns[place])
    elif (module == "pandas" and hasattr(value, "dtype") and getattr(value, "ndim", 0) == 1) or isinstance(value, np.ndarray):
        arrays = [value] if value.ndim == 1 else list(value.T[:_MOST_PARTS]) if value.ndim == 2 else []
        for each in arrays:
            yield from _column(each, getattr(value, "name", name))
    elif isinstance(value, dict):
        for key, each in list(value.items())[:_MOST_PARTS]:
            yield from _columns(each, left, key, depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        if value and all(isinstance(each, (int, float)) or each is None for each in value):
            yield from _column(np.array([np.nan if each is None else float(each) for each in value]), name)
            return
        for each in list(value)[:_MOST_PARTS]:
            yield from _columns(each, left, name, depth + 1)
    elif not _is_library(value) if isinstance(value, types.ModuleType) else module not in STANDARD:
        for key, each in list((getattr(value, "__dict__", None) or {}).items()):
            yield from _columns(each, left, key, depth + 1)


def _column(values: Any, name: Any) -> Iterator[Tuple[Any, np.ndarray]]:
    if getattr(values.dtype, "kind", "O") not in "iufb" or len(values) < FEWEST:
        return
    numbers = values.to_numpy(dtype=float, na_value=np.nan) if hasattr(values, "to_numpy") else values.astype(float)
    yield name, numbers


def _as_pandas(value: Any) -> Any:
    try:
        return value.to_pandas()
    except Exception:  # noqa: BLE001 - what cannot be converted is no table of numbers
        return None
