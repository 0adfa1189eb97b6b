"""What stands in the place of files, sheets and the terminal while a script is audited: what they are given is published."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional

from ._live_beside import named
from ._live_drawing import Drawing
from ._live_text import SecretText
from ._not_said import NotSaid


class Shown(str):
    """A text that was published when it was made; whoever takes it apart, as `json.loads` does, would compute with nothing."""

    _is_shown = True
    _refuse: Optional[Callable[[str], BaseException]] = None

    @classmethod
    def of(cls, refuse: Callable[[str], BaseException]) -> "Shown":
        """One that knows how to say so."""
        made = cls("")
        made._refuse = refuse
        return made

    def _taken_apart(name: str) -> Any:  # type: ignore[misc]
        def method(self: "Shown", *inputs: Any, **options: Any) -> Any:
            if self._refuse is None:
                return getattr(str, name)(self, *inputs, **options)
            raise self._refuse(name)

        return method

    startswith, endswith, find, rfind, index, rindex, count = map(_taken_apart, ("startswith", "endswith", "find", "rfind", "index", "rindex", "count"))
    split, rsplit, partition, rpartition, __getitem__ = map(_taken_apart, ("split", "rsplit", "partition", "rpartition", "__getitem__"))
    isdigit, isnumeric, isdecimal = map(_taken_apart, ("isdigit", "isnumeric", "isdecimal"))


class Workbook:
    """A file of tables that pandas writes one after the other."""

    def __init__(self, publishing: Any, path: Any = None, *inputs: Any) -> None:
        named(publishing, path)
        self.book = self.sheets = Drawing(publishing)

    def __enter__(self) -> "Workbook":
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def close(self) -> None:
        """Nothing is open."""

    save = close


class Rows:
    """A file of rows that the standard library writes."""

    def __init__(self, publishing: Any) -> None:
        self._publishing = publishing

    def writerow(self, row: Any) -> None:
        """Publishes a row."""
        self._publishing.publish(self._publishing.row(list(row)), f"line {self._publishing.line()}")

    def writerows(self, rows: Any) -> None:
        """Publishes rows."""
        for row in rows:
            self.writerow(row)


class Written:
    """A file or the terminal: texts that are written to it are published."""

    def __init__(self, publishing: Any, inner: Any, name: str) -> None:
        self._publishing = publishing
        self._inner = inner
        self._label = name

    def write(self, text: Any) -> int:
        """Publishes a text."""
        if not isinstance(text, Shown):
            self._publishing.publish(text if isinstance(text, (str, SecretText)) else repr(text), self._label)
        if isinstance(text, SecretText):
            return NotSaid("the length of what was written is", text.values[0].label)  # type: ignore[return-value]
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Publishes texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> "Written":
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    @property
    def buffer(self) -> "Written":
        """What is written as bytes is published too."""
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def without_shown(result: Any) -> Any:
    """What a function returned, without what was published when it was made: texts of tables, and pictures."""
    if isinstance(result, (Shown, Drawing, Workbook, Written)) or _is_picture(result):
        return None
    if type(result) in (list, tuple):
        return type(result)(map(without_shown, result))
    if type(result) is dict:
        return {key: without_shown(each) for key, each in result.items()}
    return result


def _is_picture(value: Any) -> bool:
    artists: Any = sys.modules.get("matplotlib.artist")
    return artists is not None and isinstance(value, artists.Artist)
