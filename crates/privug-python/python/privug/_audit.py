"""Audits: what a release says about everybody in a table, and whether it may be published."""

from __future__ import annotations

import difflib
import inspect
import json
import os
import pickle
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from . import _audit_view
from ._analysis import _numbers
from ._analyze import _read, _split, checked_limit
from ._frames import is_table, person_values, raw_table, table_hint
from ._privug import AuditRequest, RawAudit
from ._random import Prior, value_text
from ._refused import program_refusal, type_refusal
from ._registers import audit_in_engine, is_in_engine
from ._stored import StoredAudit

if TYPE_CHECKING:
    import pandas

Release = Union[str, "os.PathLike[str]", Callable[..., Any]]
Verdict = Literal["pass", "review", "fail"]
Texts = Union[str, Sequence[str], None]
Noise = Union[str, float, Sequence[str], Mapping[str, Union[str, float]], None]
Rounding = Union[str, float, Sequence[str], Mapping[str, float], None]

_OUR_OPTIONS = ("missing", "function", "live", "secret", "prior", "published_before", "sum_weights")
_LIMITS = ("max_steps", "max_variables", "max_elements", "max_depth", "max_bits", "max_work")


def audit(
    release: Release,
    *,
    tables: Optional[Mapping[str, Any]] = None,
    secret: Union[str, Sequence[str]],
    prior: Union[str, Prior, Sequence[str], Mapping[str, Union[str, Prior]]],
    person: Optional[str] = None,
    known: Texts = None,
    sensitive: Texts = None,
    policy: Union[str, "os.PathLike[str]", Mapping[str, Any], None] = None,
    rules: Union[Mapping[str, Any], Sequence[str], None] = None,
    noise: Noise = None,
    suppress: Texts = None,
    round: Rounding = None,
    support: Texts = None,
    strict: bool = False,
    missing: str = "pandas",
    published_before: Union[str, "os.PathLike[str]", None] = None,
    sum_weights: Optional[str] = None,
    top: int = 10,
    exact: bool = False,
    function: Optional[str] = None,
    live: bool = False,
    max_steps: Optional[int] = None,
    max_variables: Optional[int] = None,
    max_elements: Optional[int] = None,
    max_depth: Optional[int] = None,
    max_bits: Optional[int] = None,
    max_work: Optional[int] = None,
    **named_tables: Any,
) -> "Audit":
    """Finds out who is at risk if a release is published, which figures are responsible, and whether it may be published.

    Parameters
    ----------
    release
        What computes the figures: a function of the tables, which pandas itself runs on secret columns and on the real
        values; or the path of a script (`"release.py"`, `"release.py:by_region"`) or its text (with line breaks), which
        are analysed and not executed, unless `live` says so.
    people, households, ...
        The tables that the release takes, by the names of its parameters: pandas or polars DataFrames or pyarrow Tables.
        The table of people may be an Ibis table: it is grouped in the engine that holds it, and only counts and sums of
        groups come back. Pass a table whose name is also an option as `tables={"round": df}`.
    secret
        The columns that nobody should learn, such as `"people.income"`; the attacker knows all others.
    prior
        What the attacker believes about each row's secret: an expression with the columns in scope, such as
        `"Normal(income.mean(), std=income.std())"`. With several secrets a dictionary by column; a prior may mention the
        secrets before it, and the two are then correlated: `{"income": …, "debt": "Normal(0.3 * income, std=5000)"}`.
    person
        The column that identifies people: rows with the same value are one person. Without it, every row is a person.
    known, sensitive
        For discrete secrets: the columns that the attacker knows about everybody (default: all but the secrets), and the
        values that nobody should learn, such as `'disease in ["HIV", "TB"]'` (default: all values).
    policy, rules
        The rules: a TOML file or a dictionary, and changes to it, such as
        `rules={"minimum_frequency": {"fail": 5}, "dominance": "off"}`.
    noise, suppress, round
        Defences to try: `noise={"by region": "normal(std=500)"}`, `suppress=["by region[north]"]`, `round=1000`.
    support
        The values of a secret that are publicly known to be possible: `"income >= 0"`, `"0 <= score <= 100"`,
        `"ill in {0, 1}"`. The audit then also bounds every secret given all figures, whatever the prior.
    strict
        Refuse a prior with more than 1 % of its probability outside the support, instead of warning.
    missing
        `"pandas"`: every figure skips missing values, as in pandas; `"refuse"`: they are an error.
    live
        Run the unmodified script, with real pandas on secret columns: reading a table's file yields the table, and what
        the script writes, prints or plots counts as published. Nothing is written.
    published_before
        A ledger of earlier releases, written by `privug.Ledger`, to take into account.
    sum_weights
        For an Ibis table: a column of weights that are nearly unique to each person, which the engine sums instead of
        grouping by it.
    top
        How many of the people at risk the report lists in detail.
    exact
        Compute in exact rational arithmetic.

    Returns
    -------
    Audit
        with `.verdict`, `.people`, `.figures`, `.reasons`, `.disclosed_by`.

    Examples
    --------
    >>> import pandas, privug
    >>> people = pandas.DataFrame({"sex": ["f", "m"] * 10, "income": range(300, 320)})
    >>> release = '''
    ... def release(people):
    ...     return people.groupby("sex").income.mean()
    ... '''
    >>> found = privug.audit(release, people=people, secret="people.income", prior="Normal(310, std=6)")
    >>> found.verdict, len(found.people), len(found.figures)
    ('pass', 20, 2)

    The same with a function, which pandas runs:

    >>> def means(people):
    ...     return people.groupby("sex")["income"].agg("mean")
    >>> privug.audit(means, people=people, secret="people.income", prior="Normal(310, std=6)").verdict
    'pass'
    """
    named: Dict[str, Any] = dict(
        secret=secret, prior=prior, person=person, known=known, sensitive=sensitive, policy=policy, rules=rules, noise=noise,
        suppress=suppress, round=round, support=support, strict=strict, missing=missing, published_before=published_before,
        sum_weights=sum_weights, top=top, exact=exact, function=function, live=live,
        max_steps=max_steps, max_variables=max_variables, max_elements=max_elements, max_depth=max_depth, max_bits=max_bits,
        max_work=max_work,
    )  # fmt: skip
    found, given = checked_options(tables=tables, **named, **named_tables)
    return _run(release, found, given)


_NAMES = [name for name, option in inspect.signature(audit).parameters.items() if option.kind is option.KEYWORD_ONLY]


def checked_options(
    *,
    tables: Optional[Mapping[str, Any]] = None,
    secret: Any,
    prior: Any,
    person: Optional[str] = None,
    known: Any = None,
    sensitive: Any = None,
    policy: Any = None,
    rules: Any = None,
    noise: Any = None,
    suppress: Any = None,
    round: Any = None,
    support: Any = None,
    strict: bool = False,
    missing: str = "pandas",
    published_before: Any = None,
    sum_weights: Optional[str] = None,
    top: int = 10,
    exact: bool = False,
    function: Optional[str] = None,
    live: bool = False,
    max_steps: Optional[int] = None,
    max_variables: Optional[int] = None,
    max_elements: Optional[int] = None,
    max_depth: Optional[int] = None,
    max_bits: Optional[int] = None,
    max_work: Optional[int] = None,
    **named_tables: Any,
) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """The tables and the options of an audit, in the forms that the compiled part takes."""
    given: Dict[str, Any] = dict(
        secret=_list(secret, "secret"),
        prior=_priors(prior),
        person=person,
        known=_list(known, "known"),
        sensitive=_list(sensitive, "sensitive"),
        policy=_policy(policy),
        rules=_rules(rules),
        noise=_noise(noise),
        suppress=_list(suppress, "suppress"),
        round=_rounding(round),
        support=_list(support, "support"),
        strict=bool(strict),
        missing=missing,
        published_before=None if published_before is None else os.fspath(published_before),
        sum_weights=sum_weights,
        top=checked_limit("top", top),
        exact=bool(exact),
        function=function,
        live=bool(live),
    )
    limits = (max_steps, max_variables, max_elements, max_depth, max_bits, max_work)
    for name, limit in zip(_LIMITS, limits):
        given[name] = None if limit is None else checked_limit(name, limit)
    if person is not None and not isinstance(person, str):
        message = f"person= is of type {type(person).__name__}, not the name of a column"
        raise type_refusal("P805", message, "write person='id'")
    if missing not in ("pandas", "refuse"):
        raise type_refusal("P014", f"missing={missing!r} is not known", 'write missing="pandas" or missing="refuse"')
    return _tables(tables, named_tables), given


def request_of(tables: Dict[str, Any], given: Dict[str, Any], before: Optional[Tuple[str, str]]) -> AuditRequest:
    """What is audited and how, with a ledger's path and text."""
    options = {name: value for name, value in given.items() if name not in _OUR_OPTIONS}
    if isinstance(options["policy"], list):
        options["rules"] = options.pop("policy") + options["rules"]
    raw_tables = [(name, raw_table(name, table, given["missing"])) for name, table in tables.items()]
    return AuditRequest(raw_tables, given["secret"], given["prior"], published_before=before, **options)


def _run(release: Release, tables: Dict[str, Any], given: Dict[str, Any]) -> "Audit":
    if any(is_in_engine(table) for table in tables.values()):
        if callable(release):
            message = "a table in a database is audited with the path or the source text of a script, not with a function"
            raise type_refusal("P830", message, "put the function in a file, and pass its path")
        found = _source(release, given["function"])
        raw = audit_in_engine(lambda read: request_of(read, given, None), found, tables, given)
        return Audit(raw, (release, tables, given))
    if given["sum_weights"] is not None:
        message = "sum_weights= is for Ibis tables: people in memory are audited individually, each with their own weight"
        raise type_refusal("P014", message, "leave it out")
    path = given["published_before"]
    request = request_of(tables, given, None if path is None else (path, _read(path)))
    if callable(release):
        from ._live_audit import audit_function

        return Audit(audit_function(release, tables, given["secret"], request), (release, tables, given))
    path, text, function = _source(release, given["function"])
    if given["live"]:
        from ._live_script import audit_script

        return Audit(audit_script(path, text, function, tables, given["secret"], request), (release, tables, given))
    return Audit(request.audit_source(path, text, function), (release, tables, given))


def _source(release: Union[str, "os.PathLike[str]"], function: Optional[str]) -> Tuple[str, str, Optional[str]]:
    """The path, the text and the function of a script; what has line breaks is a string."""
    if not isinstance(release, (str, os.PathLike)):
        message = f"the release is of type {type(release).__name__}, neither a function nor the path or text of a script"
        raise type_refusal("P901", message, "pass the function itself, without calling it")
    path = os.fspath(release)
    if "\n" in path:
        return "<source>", path, function
    path, named = _split(path)
    return path, _read(path), named if function is None else function


def _tables(tables: Optional[Mapping[str, Any]], named: Mapping[str, Any]) -> Dict[str, Any]:
    found = dict(tables or {})
    for name, table in named.items():
        if not is_table(table) and not is_in_engine(table):
            kind = type(table).__name__
            message = f"{name}= is neither an option of audit nor a table, but of type {kind}"
            near = difflib.get_close_matches(name, _NAMES, 1, cutoff=0.75)
            if near:
                hint = f"did you mean {near[0]}=?"
            elif isinstance(table, (bool, int, float)):
                hint = f"bind other parameters of the function first: functools.partial(release, {name}={table!r})"
            else:
                hint = table_hint(table)
            raise type_refusal("P724", message, hint)
        if name in found:
            raise type_refusal("P017", f"the table {name!r} is given twice", "remove one of them")
        found[name] = table
    if not found:
        raise program_refusal("P724", "<tables>", "no table is given", "pass one by its name, such as people=df")
    return found


_WRITTEN = {"suppress": "mean[a]", "figures": "mean[a]", "noise": "normal(std=1000)"}
"""What is written for some options."""


def _list(value: Any, name: str) -> List[str]:
    if value is None:
        return []
    texts = [value] if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else None
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise type_refusal("P014", f"{name}={value!r} is neither a string nor a list of strings", f"write {name}={_WRITTEN.get(name, 'people.income')!r}")
    return texts


def _priors(prior: Any) -> List[str]:
    if isinstance(prior, Mapping):
        return [f"{column}={_expression(each)}" for column, each in prior.items()]
    if isinstance(prior, (str, Prior)):
        return [_expression(prior)]
    return _list(prior, "prior")


def _expression(prior: Any) -> str:
    return prior if isinstance(prior, str) else value_text(prior)


def _policy(policy: Any) -> Any:
    """A file with its text, or a dictionary's rules."""
    if policy is None or isinstance(policy, Mapping):
        return _rules(policy)
    path = os.fspath(policy)
    return (path, _read(path))


def _rules(rules: Any) -> List[str]:
    if rules is None or isinstance(rules, (list, tuple, str)):
        return _list(rules, "rules")
    texts = []
    for rule, value in rules.items():
        keys = value.items() if isinstance(value, Mapping) else [(None, value)]
        for key, level in keys:
            name = rule if key is None else f"{rule}.{key}"
            texts.append(f"{name}={'off' if level is None or level is False else level}")
    return texts


def _noise(noise: Any) -> List[str]:
    def text(one: Any) -> str:
        return one if isinstance(one, str) else f"normal(std={float(one)!r})"

    if isinstance(noise, Mapping):
        return [f"{name}={text(one)}" for name, one in noise.items()]
    if isinstance(noise, (int, float)):
        return [text(noise)]
    return _list(noise, "noise")


def _rounding(unit: Any) -> List[str]:
    if isinstance(unit, Mapping):
        return [f"{name}={one}" for name, one in unit.items()]
    if isinstance(unit, (int, float)):
        return [str(unit)]
    return _list(unit, "round")


class Audit:
    """What an audit found; everybody and every figure are in tables with the names of the JSON (`privug.audit/1`).

    Examples
    --------
    >>> import pandas, privug
    >>> people = pandas.DataFrame({"sex": ["f", "m"] * 10, "income": range(300, 320)})
    >>> found = privug.audit(lambda people: people.groupby("sex")["income"].mean(), people=people, secret="people.income",
    ...                      prior="Normal(310, std=6)")
    >>> found.verdict, found.figures["name"].tolist(), found.without("f").figures["status"].tolist()
    ('pass', ['f', 'm'], ['suppressed', 'used'])
    """

    def __init__(self, raw: RawAudit, call: Any, persons: Optional[Sequence[Any]] = None) -> None:
        self._names = persons
        self._raw: Any = raw
        self._call = call
        self._document: Optional[Dict[str, Any]] = None
        self._tables: Dict[str, Any] = {}

    @property
    def verdict(self) -> Verdict:
        """`"pass"`, `"review"` or `"fail"`: the worst that a rule says about anybody or anything."""
        return self._raw.verdict

    def to_dict(self, all_people: bool = False) -> Dict[str, Any]:
        """The document that the command line prints with `--json`; with everybody as with `--all-people`."""
        return json.loads(self._raw.to_json(all_people))

    @property
    def _parsed(self) -> Dict[str, Any]:
        if self._document is None:
            self._document = self.to_dict()
        return self._document

    @property
    def people(self) -> "pandas.DataFrame":
        """Everybody: what the attacker knew and knows about each row's secret, and what the rules say."""
        return self._table("people", self._people)

    @property
    def figures(self) -> "pandas.DataFrame":
        """Everything that is published, in the order of the result."""
        return self._table("figures", lambda: self._records(_numbers(self._parsed["figures"]), ["name", "line", "value", "verdict", "rules"]))

    @property
    def reasons(self) -> "pandas.DataFrame":
        """Why the verdict is what it is, failures first."""
        return self._table("reasons", lambda: self._records(self._parsed["reasons"], ["rule", "verdict", "count", "message", "people"]))

    @property
    def disclosed_by(self) -> "pandas.DataFrame":
        """Of everybody who is disclosed: the figures that the secret is a combination of, and the weight of each."""

        def make() -> Any:
            import pandas

            entries, figures, weights = self._raw.disclosed_by()
            names = ["person", "row"] + (["secret"] if "secret" in self.people else [])
            table = self.people.loc[entries, names].reset_index(drop=True)
            return table.assign(figure=pandas.Series(figures, dtype=object), weight=pandas.Series(weights, dtype=float))

        return self._table("disclosed_by", make)

    def _table(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._tables:
            self._tables[name] = make()
        return self._tables[name].copy()

    def _people(self) -> Any:
        import pandas

        columns = dict(self._raw.people())
        rows = columns["row"]
        columns["person"] = self._persons(columns["person"], rows)
        columns["row"] = rows + 1
        columns["smallest_frequency"] = pandas.array(columns["smallest_frequency"], dtype="Int64")
        return pandas.DataFrame(columns)

    def _persons(self, names: List[str], rows: Any) -> Any:
        """What people are called, as the table has it."""
        if self._names is not None:
            return [self._names[row] for row in rows]
        if self._call is None:
            return rows + 1 if all(name == str(row + 1) for name, row in zip(names, rows)) else names
        _, tables, given = self._call
        if given["person"] is None:
            return rows + 1
        table = _secret_table(tables, given["secret"])
        if table is None:
            return names
        values = person_values(table, given["person"])
        return [values[row] for row in rows]

    def _records(self, records: List[Dict[str, Any]], names: List[str]) -> Any:
        """A table of records; with these columns if there are none."""
        import pandas

        for record in records:
            if isinstance(record.get("rules"), list):
                record["rules"] = " ".join(rule["rule"] for rule in record["rules"])
        table = pandas.DataFrame(records)
        return table if len(table.columns) else pandas.DataFrame(columns=names)

    @property
    def notes(self) -> List[str]:
        """What to be careful about."""
        return list(self._parsed["notes"])

    def with_noise(self, noise: Noise) -> "Audit":
        """The audit of the same release with noise: a standard deviation or `"gaussian(epsilon=…)"` for everything, or a
        dictionary by the names of figures and tables."""
        return self._again(noise=_noise(noise))

    def without(self, *figures: Union[str, Sequence[str]]) -> "Audit":
        """The audit of the same release without some figures or tables, each by its name, or several in a list."""
        return self._again(suppress=[name for each in figures for name in _list(each, "figures")])

    def rounded(self, unit: Rounding) -> "Audit":
        """The audit of the same release rounded to multiples of a unit, or of one for each name in a dictionary."""
        return self._again(round=_rounding(unit))

    def _again(self, **more: List[str]) -> "Audit":
        if self._call is None:
            raise RuntimeError("this audit was loaded without its release, which could not be stored: run the audit again")
        release, tables, given = self._call
        return _run(release, tables, {**given, **{name: given[name] + texts for name, texts in more.items()}})

    def to_text(self, coloured: bool = False) -> str:
        """The report that the command line prints."""
        return self._raw.to_text(len(self._parsed["people"]), coloured)

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def to_html(self) -> str:
        """The report as a self-contained HTML page."""
        date = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        return self._raw.to_html(f"privug.audit({self._parsed['program']['path']!r})  # in Python", date)

    def to_svg(self) -> str:
        """How much of the attacker's uncertainty the release removes, from how many people, as a picture."""
        return self._raw.to_svg()

    def plot(self, ax: Any = None) -> Any:
        """Draws the same: matplotlib's axes where matplotlib is installed, and a picture (SVG) where it is not."""
        return _audit_view.plot(self, ax)

    def _repr_html_(self) -> str:
        return _audit_view.compact(self)

    def __copy__(self) -> "Audit":
        return self

    def __deepcopy__(self, memo: Any) -> "Audit":
        # Nothing in it ever changes.
        return self

    def __getstate__(self) -> Dict[str, Any]:
        raw = self._raw if isinstance(self._raw, StoredAudit) else StoredAudit(self._raw)
        try:
            call: Optional[bytes] = pickle.dumps(self._call)
        except Exception:
            # A function that was defined in a notebook cannot be stored; the result can.
            call = None
        people = None if call else self.people
        return {"raw": raw, "call": call, "people": people}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(state["raw"], pickle.loads(state["call"]) if state["call"] else None)  # type: ignore[misc]
        if state["people"] is not None:
            self._tables["people"] = state["people"]


def _secret_table(tables: Dict[str, Any], secrets: List[str]) -> Any:
    """The table that the secrets are columns of."""
    name = secrets[0].strip().partition(".")[0].strip() if "." in secrets[0] else None
    if name in tables:
        return tables[name]
    return next(iter(tables.values())) if len(tables) == 1 else None
