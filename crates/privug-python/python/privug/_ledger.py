"""A ledger of releases: each is audited together with everything that was published before."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._live_audit import Run, Tables
from ._live_paired import Paired
from ._live_release import Cell, cells
from ._refused import type_refusal, value_refusal
from ._session import on_secrets

if TYPE_CHECKING:
    from ._audit import Audit, Verdict
    from ._random import Prior

SCHEMA = "privug.ledger/1"


class Ledger:
    """Accumulates what is published about people, and says of each new table whether it is safe together with the rest.

    Parameters
    ----------
    path
        The file. If it exists, the releases in it were published before; every `publish` immediately adds the new one.
    people, households, ...
        The tables, by their names. Inside the `with` block, `book.people` is the table with secret columns.
    secret, prior, person, policy, rules, ...
        As for `privug.audit`. With `person`, every person has one row, and next month's table may have other rows.

    Examples
    --------
    >>> import pandas, privug, tempfile
    >>> people = pandas.DataFrame({"id": range(20), "sex": ["f", "m"] * 10, "income": range(300, 320)})
    >>> file = tempfile.mkdtemp() + "/ledger.json"
    >>> options = dict(people=people, secret="people.income", prior="Normal(310, std=6)", person="id")
    >>> with privug.Ledger(file, **options) as book:
    ...     book.publish("by sex", book.people.groupby("sex").income.mean()).verdict
    'pass'
    >>> with privug.Ledger(file, **options) as book:
    ...     book.publish("without one", book.people[book.people.id != 3].income.sum()).verdict
    ...     book.withdraw("without one")
    'fail'
    """

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        tables: Optional[Mapping[str, Any]] = None,
        secret: Union[str, Sequence[str]],
        prior: Union[str, "Prior", Sequence[str], Mapping[str, Union[str, "Prior"]]],
        person: Optional[str] = None,
        policy: Union[str, "os.PathLike[str]", Mapping[str, Any], None] = None,
        rules: Union[Mapping[str, Any], Sequence[str], None] = None,
        missing: str = "pandas",
        top: int = 10,
        exact: bool = False,
        **named_tables: Any,
    ) -> None:
        from ._audit import checked_options

        self.path = os.fspath(path)
        # Told before anything is computed that could not be written.
        if not os.path.isdir(os.path.dirname(os.path.abspath(self.path))):
            raise FileNotFoundError(f"P001: the folder of {self.path!r} does not exist; create it, or give another path")
        named: Dict[str, Any] = dict(person=person, policy=policy, rules=rules, missing=missing, top=top, exact=exact)
        self._tables, self._given = checked_options(tables=tables, secret=secret, prior=prior, **named, **named_tables)
        self._frames = Tables(self._tables, self._given["secret"])
        self.releases, self._on_disk = _read(self.path)
        self.audit: Optional["Audit"] = None
        """The audit of the last release together with everything before."""
        self._session: Any = None
        self._secret: Dict[str, Any] = {}
        self._parts: Dict[str, Any] = {}
        """What was published in this `with` block: where it is written, and its figures."""

    def __enter__(self) -> "Ledger":
        self._hooks = on_secrets(sys._getframe(1).f_code.co_filename)
        self._session = self._hooks.__enter__()
        self._secret = self._frames.secret()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._hooks.__exit__(kind, error, trace)
        self._session = None
        self._report()

    def __getattr__(self, name: str) -> Any:
        frames = self.__dict__.get("_secret", {})
        if name in frames:
            return frames[name]
        if name in self.__dict__.get("_tables", {}):
            raise RuntimeError("the table has secret columns only inside the ledger's `with` block")
        raise AttributeError(name)

    def publish(self, name: str, table: Union[Any, Callable[..., Any]]) -> "Publication":
        """Audits a table together with everything published before, and takes it up.

        `table` is something that was computed from the ledger's tables, or a function of the tables. Counts are looked
        into where it is a function, which can be run again; otherwise they are left to a person (`review`).
        """
        if any(release["name"] == name for release in self.releases):
            hint = f"give every release a unique name, or, if it was not published after all, call book.withdraw({name!r}) first"
            raise type_refusal("P017", f"{name!r} was published before", hint)
        if self._session is None:
            raise RuntimeError("publish inside the ledger's `with` block")
        if self._session.refusal is not None:
            raise self._session.refusal[0]
        self._check_file()
        run: Any = _Given(name, table, self._frames)
        if callable(table):
            run = Run(table, self._frames)
            found = Paired(run, self._frames, run.on_secrets(), run.publish(self._frames.real()))
        else:
            found = Paired(run, self._frames, cells(table, name), None)
        parts = (run.definition, (found.forms(), found.figures, found.counts, found.unexamined, found.notes))
        self.audit = self._audited(name, parts)
        self._parts[name] = parts
        self.releases.append({"name": name, **_entry(found, self._frames, self._persons())})
        try:
            self._write()
        except BaseException:
            # What is not written down is not published.
            del self._parts[name]
            self.releases.pop()
            raise
        values = {figure[0]: value for figure, value in zip(found.figures, found.forms().at(self._frames.truths).tolist())}
        return Publication(name, self.audit, values)

    def withdraw(self, name: str) -> None:
        """Takes back a release of this `with` block that is not published after all, such as one that fails.

        What is in the file from before was published, and stays.
        """
        if name not in self._parts:
            known = ", ".join(repr(each) for each in self._parts) or "nothing"
            raise type_refusal("P017", f"{name!r} was not published in this `with` block", f"withdraw what was: {known}")
        self._check_file()
        del self._parts[name]
        self.releases = [release for release in self.releases if release["name"] != name]
        self._write()
        last = next(reversed(self._parts), None)
        self.audit = None if last is None else self._audited(last, self._parts[last])

    def _audited(self, name: str, parts: Any) -> "Audit":
        """The audit of a release together with all others."""
        from ._audit import Audit, request_of

        others = [release for release in self.releases if release["name"] != name]
        before = json.dumps({"schema": SCHEMA, "releases": others}) if others else None
        request = request_of(self._tables, self._given, (self.path, before) if before else None)
        definition, found = parts
        raw = request.audit_live(definition.shown_path, definition.text, name, *found)
        return Audit(raw, None, self._people_names())

    def _persons(self) -> List[str]:
        people = self._frames.frames[self._frames.people]
        person = self._given["person"]
        if person is None:
            return [str(row + 1) for row in range(len(people))]
        return [str(each) for each in people[person].tolist()]

    def _people_names(self) -> Any:
        person = self._given["person"]
        return None if person is None else self._frames.frames[self._frames.people][person].tolist()

    def save(self) -> None:
        """Writes the ledger, and the report of everything beside it (`.html`)."""
        self._write()
        self._report()

    def _check_file(self) -> None:
        """The file is as it was read or written: what somebody else published since would be forgotten."""
        if _content(self.path) != self._on_disk:
            message = f"{self.path} has changed since it was read: another process published a release, or opened the same ledger"
            raise value_refusal("P014", message, "open the ledger again to take the changes into account")

    def _write(self) -> None:
        """Writes the ledger; whoever reads it meanwhile sees all of it or what was there before."""
        document = {"schema": SCHEMA, "secrets": self._given["secret"], "person": self._given["person"], "releases": self.releases}
        content = json.dumps(document, indent=1).encode("utf-8")
        with _locked(self.path):
            self._check_file()
            _replace(self.path, content)
            self._on_disk = content

    def _report(self) -> None:
        if self.audit is not None:
            _replace(os.path.splitext(self.path)[0] + ".html", self.audit.to_html().encode("utf-8"))

    @property
    def verdict(self) -> Optional["Verdict"]:
        """What the rules say of everything together; None if nothing new was published."""
        return None if self.audit is None else self.audit.verdict

    def __repr__(self) -> str:
        count = sum(len(release["figures"]) for release in self.releases)
        releases = f"{len(self.releases)} release{'s' * (len(self.releases) != 1)}"
        return f"<privug.Ledger {self.path!r}: {releases}, {count} figure{'s' * (count != 1)}, {self.verdict or 'nothing new'}>"


class Publication:
    """What the ledger says of a release: its verdict together with everything before, the audit, and the figures."""

    def __init__(self, name: str, audit: "Audit", figures: Mapping[str, float]) -> None:
        self.name = name
        self.audit = audit
        self.figures = dict(figures)
        """The real values of the figures, by their names."""

    @property
    def verdict(self) -> "Verdict":
        """`"pass"`, `"review"` or `"fail"`, together with everything before."""
        return self.audit.verdict

    def __repr__(self) -> str:
        return f"{self.name}: {self.verdict}, together with everything published before"


class _Given:
    """A table that was computed in the `with` block, in the place of a run."""

    start = end = 0
    loosely = False

    def __init__(self, name: str, table: Any, tables: Tables) -> None:
        from types import SimpleNamespace

        self.definition = SimpleNamespace(shown_path=name, path=name, text="", node=None)
        self.tables = tables

    def publish(self, frames: Dict[str, Any]) -> List[Cell]:
        """It cannot be run again."""
        raise RuntimeError("a table cannot be computed again")

    def refuse(self, code: str, message: str, hint: str, line: int = 0) -> BaseException:
        """An error about the table."""
        return type_refusal(code, message, hint)


def _entry(found: Paired, tables: Tables, persons: List[str]) -> Dict[str, Any]:
    """What is written down of a release."""
    names, secrets = [], []
    for column, gaps in zip(tables.columns, tables.gaps):
        rows = np.flatnonzero(~gaps)
        names += [persons[row] for row in rows]
        secrets += [str(column)] * len(rows)
    forms = found.forms()
    values = forms.at(tables.truths)
    figures = []
    for place, (name, _, _) in enumerate(found.figures):
        sources, weights, divisor, offset, unit = forms.terms(place)
        entries = [[names[source], secrets[source], weight] for source, weight in zip(sources.tolist(), weights.tolist())]
        figures.append(
            {"name": name, "value": float(values[place]), "divisor": divisor, "offset": offset, "unit": unit, "weights": entries}
        )
    everybody = range(len(persons))
    counts = [
        {"name": place[0], "count": count, "people": [persons[row] for row in (everybody if rows is None else rows.tolist())]}
        for place, count, rows in found.counts
    ]
    unexamined = [{"name": place[0], "kind": kind, "value": value} for place, kind, value in found.unexamined]
    return {"figures": figures, "counts": counts, "unexamined": unexamined}


def _content(path: str) -> Optional[bytes]:
    """What is in a file; None where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Lets one program after the other write a ledger, where the system has locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _replace(path: str, content: bytes) -> None:
    """Writes a file beside another, and puts it in its place."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)), prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """The rights of a file that is replaced, or those that a new one gets."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _read(path: str) -> Tuple[List[Dict[str, Any]], Optional[bytes]]:
    """The releases of a ledger, and the file as it is."""
    content = _content(path)
    if content is None:
        return [], None
    try:
        document = json.loads(content.decode("utf-8"))
    except ValueError as error:
        raise type_refusal("P014", f"{path} is not a ledger: {error}", "give another path") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or not isinstance(document.get("releases"), list):
        raise type_refusal("P014", f"{path} is not a ledger", "give another path")
    return document["releases"], content
