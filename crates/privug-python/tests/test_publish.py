"""What a function returns is looked into, whatever it is; what cannot be looked into is refused."""

from __future__ import annotations

import array
import collections
import collections.abc
import concurrent.futures
import contextlib
import contextvars
import copy
import csv
import dataclasses
import datetime
import enum
import functools
import io
import itertools
import json
import logging
import operator
import pickle
import random
import threading
import types
import weakref
from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple

import numpy as np
import pandas as pd
import pytest

import privug
from privug._publish import flatten, look_into

P = privug.Normal(50, std=10, size=4)
NOTHING = "mutual_information_bits <= 0.01"
SEX = ["women", "men", "women", "men"]


class Totals(NamedTuple):
    first: Any
    rest: Any


@dataclasses.dataclass
class Report:
    first: Any
    rest: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    first: Any


class Slotted:
    __slots__ = ("first", "__second")

    def __init__(self, first: Any, second: Any) -> None:
        self.first = first
        self.__second = second


class Plain:
    def __init__(self, first: Any) -> None:
        self._first = first


class Sums(dict):
    pass


class Text(str):
    pass


class Whole(int):
    pass


class Array(np.ndarray):
    pass


class Frame(pd.DataFrame):
    pass


class Sex(enum.Enum):
    WOMEN = 1


def bits(function: Callable[..., Any], x: Any = P, **options: Any) -> float:
    return float(privug.analyze(function, x=x, secret="x[0]", **options).leakage.mutual_information_bits)


def with_attribute(kind: Any, x: Any) -> Any:
    value = kind()
    value.secret = x[0]
    return value


def in_class(x: Any) -> Any:
    class Holder:
        first = x[0]

    return Holder()


def in_closure(x: Any) -> Any:
    class Holder:
        def first(self) -> Any:
            return x[0]

    return Holder()


def in_remembered_object(x: Any) -> Any:
    kept = Plain(x[0])

    class Holder:
        @property
        def first(self) -> Any:
            return kept._first

    return Holder()


def in_attrs(x: Any) -> Any:
    table = pd.DataFrame({"a": [1, 2]})
    table.attrs["first"] = x[0]
    return table


def in_record(x: Any) -> Any:
    records = np.empty(1, dtype=[("first", object), ("n", int)])
    records["first"][0] = x[0]
    return records


def structured_element(x: Any) -> Any:
    return in_record(x)[0]


def queue(x: Any) -> Any:
    made: Any = collections.deque()
    made.append(x[0])
    return made


def endless(x: Any) -> Any:
    def forever() -> Any:
        while True:
            yield 1

    return forever()


def defaulted(x: Any) -> Any:
    made: Any = collections.defaultdict(list)
    made["a"].append(x[0])
    return made


def matrix_of_objects(x: Any) -> Any:
    made = np.empty((2, 2), dtype=object)
    made[:] = [[x[0], 1], [2, 3]]
    return made


# Each publishes x[0] itself, so that everything is told.
SHOWN: Dict[str, Callable[[Any], Any]] = {
    "join of a map": lambda x: ",".join(map(str, x)),
    "itself": lambda x: x[0],
    "vector": lambda x: x,
    "list": lambda x: [1, [2, [x[0]]]],
    "tuple": lambda x: (1, (x[0],)),
    "dictionary": lambda x: {"a": {"b": x[0]}},
    "DataFrame": lambda x: pd.DataFrame({"income": x}),
    "DataFrame of a list": lambda x: pd.DataFrame({"income": list(x)}),
    "DataFrame with labels": lambda x: pd.DataFrame({"income": list(x)}, index=list("abcd")),
    "DataFrame with equal labels": lambda x: pd.DataFrame({"income": list(x)}, index=list("aabb")),
    "DataFrame with equal columns": lambda x: pd.DataFrame([[x[0], 1]], columns=["a", "a"]),
    "DataFrame inside": lambda x: {"t": [pd.DataFrame({"income": x})]},
    "transposed": lambda x: pd.DataFrame({"income": list(x)}).T,
    "Series": lambda x: pd.Series(list(x)),
    "Series of a vector": lambda x: pd.Series(x),
    "Series with labels": lambda x: pd.Series(list(x), index=list("abcd")),
    "Series with two levels": lambda x: pd.Series(list(x), index=pd.MultiIndex.from_product([[1, 2], ["a", "b"]])),
    "Index of values": lambda x: pd.Index(list(x)),
    "pivot table": lambda x: pd.DataFrame({"g": SEX, "h": list("aabb"), "x": list(x)}).pivot(index="h", columns="g"),
    "pivot table of sums": lambda x: pd.DataFrame({"g": list("abcd"), "x": list(x)}).pivot_table("x", "g", aggfunc="sum"),
    "GroupBy sum": lambda x: pd.DataFrame({"g": list("abbb"), "x": list(x)}).groupby("g")["x"].sum(),
    "generator": lambda x: (value for value in x),
    "generator in a dictionary": lambda x: {"values": (value for value in x), "total": x.sum()},
    "zip": lambda x: zip("abcd", x),
    "map": lambda x: map(lambda value: value * 2, x),
    "filter": lambda x: filter(lambda value: True, x),
    "enumerate": lambda x: enumerate(x),
    "reversed": lambda x: reversed(list(x)),
    "iterator": lambda x: iter(x),
    "iterator of a list": lambda x: iter(list(x)),
    "itertools.chain": lambda x: itertools.chain([1], x),
    "itertools.accumulate": lambda x: itertools.accumulate(x),
    "dictionary's values": lambda x: {"a": x[0]}.values(),
    "dictionary's items": lambda x: {"a": x[0]}.items(),
    "dictionary's iterator": lambda x: iter({"a": x[0]}.values()),
    "deque": queue,
    "defaultdict": defaulted,
    "OrderedDict": lambda x: collections.OrderedDict(a=x[0]),
    "ChainMap": lambda x: collections.ChainMap({"a": x[0]}, {"b": 1}),
    "UserDict": lambda x: collections.UserDict({"a": x[0]}),
    "UserList": lambda x: collections.UserList([x[0]]),
    "MappingProxyType": lambda x: types.MappingProxyType({"a": x[0]}),
    "SimpleNamespace": lambda x: types.SimpleNamespace(first=x[0]),
    "dataclass": lambda x: Report(x[0], 3),
    "frozen dataclass": lambda x: Frozen(x[0]),
    "dataclass's dictionary": lambda x: dataclasses.asdict(Report(x[0], 3)),
    "named tuple": lambda x: Totals(x[0], 3),
    "slots": lambda x: Slotted(1, x[0]),
    "object that denies it": lambda x: Liar(x[0]),
    "descriptor": lambda x: Described(x[0]),
    "object": lambda x: Plain(x[0]),
    "objects in a list": lambda x: [Plain(1), Plain(x[0])],
    "subclass of dict": lambda x: Sums(a=x[0]),
    "array of objects": lambda x: np.array([x[0], x[1]]),
    "array of objects, nested": matrix_of_objects,
    "array without dimensions": lambda x: np.array(x[0], dtype=object),
    "asarray": lambda x: np.asarray(x),
    "structured array": in_record,
    "element of a structured array": structured_element,
    "copy": lambda x: copy.deepcopy([x[0]]),
    "affine": lambda x: {"a": [Fraction(1, 3) * x[0] - 7]},
    "partial sum": functools.partial(lambda x, start: sum(x[:1], start), start=3),
    "complex constant beside": lambda x: [x[0], 3j, None, b"a", datetime.date(2020, 1, 1), Sex.WOMEN, {1, 2}, np.nan],
    "concat": lambda x: pd.concat([pd.Series([x[0]]), pd.Series([1.0])]),
    "merge": lambda x: pd.DataFrame({"k": list("abcd"), "x": list(x)}).merge(pd.DataFrame({"k": ["a"]}), on="k"),
    "melt": lambda x: pd.DataFrame({"k": list("abcd"), "x": list(x)}).melt("k"),
    "stack": lambda x: pd.DataFrame({"x": list(x), "y": 1}).stack(),
    "iterrows": lambda x: [row for _, row in pd.DataFrame({"x": list(x)}).iterrows()],
    "itertuples": lambda x: list(pd.DataFrame({"x": list(x)}).itertuples()),
    "to_dict": lambda x: pd.DataFrame({"x": list(x)}).to_dict(),
    "records": lambda x: pd.DataFrame({"x": list(x)}).to_dict("records"),
    "to_numpy": lambda x: pd.DataFrame({"x": list(x)}).to_numpy(),
    "apply": lambda x: pd.DataFrame({"x": list(x)}).apply(lambda column: column * 2),
    "cumulative sums": lambda x: np.cumsum(x),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SHOWN)
def test_whatever_shows_a_secret_tells_everything_about_it(name: str) -> None:
    """Or, with the masses of pandas, is refused; it never passes."""
    assert bits(SHOWN[name]) == float("inf")


class Shy(dict):
    def items(self) -> Any:
        return [("a", 1)]


class Empty(list):
    def __iter__(self) -> Any:
        return iter([])


class Nothing(tuple):
    def __iter__(self) -> Any:
        return iter([])


class EmptyQueue(collections.deque):
    def __iter__(self) -> Any:
        return iter([])


class SlottedSequence(collections.abc.Sequence):
    __slots__ = ("first",)

    def __init__(self, first: Any) -> None:
        self.first = first

    def __len__(self) -> int:
        return 1

    def __getitem__(self, place: Any) -> Any:
        return [1][place]


class Liar:
    def __init__(self, first: Any) -> None:
        self.first = first

    def __getattribute__(self, name: str) -> Any:
        return {} if name == "__dict__" else object.__getattribute__(self, name)


class Denier:
    def __init__(self, first: Any) -> None:
        self.first = first

    __dict__ = property(lambda self: {})  # type: ignore[assignment]


class Elsewhere:
    """A descriptor that keeps the values of all instances."""

    values: Any = weakref.WeakKeyDictionary()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.values.get(instance)

    def __set__(self, instance: Any, value: Any) -> None:
        self.values[instance] = value


class Described:
    first = Elsewhere()

    def __init__(self, first: Any) -> None:
        self.first = first


def unseen(x: Any) -> Any:
    return pd.Series(list(x)).isin([50]).sum()


# Each would publish something about x[0] that the analysis cannot know; beside a total that is harmless.
REFUSED: Dict[str, Any] = {
    "f-string of the vector": (lambda x: f"{x}", "P309"),
    "f-string with repr": (lambda x: f"{x[0]!r}", "P309"),
    "str": (lambda x: str(x), "P309"),
    "str of a list": (lambda x: str([x[0]]), "P309"),
    "repr": (lambda x: repr(x[0]), "P309"),
    "ascii": (lambda x: ascii(x[0]), "P309"),
    "print": (lambda x: print(x[0]), "P309"),
    "print to a text": (lambda x: print(x, file=io.StringIO()), "P309"),
    "csv": (lambda x: csv.writer(io.StringIO()).writerow([x[0]]), "P309"),
    "to_csv": (lambda x: pd.DataFrame({"x": list(x)}).to_csv(), "P309"),
    "to_string": (lambda x: pd.DataFrame({"x": list(x)}).to_string(), "P309"),
    "to_html": (lambda x: pd.DataFrame({"x": list(x)}).to_html(), "P309"),
    "to_json": (lambda x: pd.DataFrame({"x": list(x)}).to_json(), "P"),
    "repr of a frame": (lambda x: repr(pd.DataFrame({"x": list(x)})), "P309"),
    "repr of an array": (lambda x: repr(np.asarray(x)), "P309"),
    "json.dumps": (lambda x: json.dumps([x[0]]), "JSON"),
    "json.dumps with a default": (lambda x: json.dumps([x[0]], default=str), "P309"),
    "pickle": (lambda x: pickle.dumps(x[0]), "P309"),
    "pickle of a vector": (lambda x: pickle.dumps([x]), "P309"),
    "logging": (lambda x: logging.getLogger("privug").error("%s", x[0]), "P309"),
    "bytes": (lambda x: bytes(str(x[0]), "ascii"), "P309"),
    "a text that was swallowed": (lambda x: swallow(lambda: str(x[0])), "P309"),
    "a number that was swallowed": (lambda x: swallow(lambda: float(x[0])), "P309"),
    "a comparison that was swallowed": (lambda x: swallow(lambda: x[0] > x[1]), "P304"),
    "to_numeric": (lambda x: pd.to_numeric(pd.Series(list(x)), errors="coerce").sum(), "P"),
    "isin": (unseen, "P"),
    "nunique": (lambda x: pd.Series(list(x)).nunique(), "P"),
    "value_counts": (lambda x: pd.Series(list(x)).value_counts(), "P"),
    "drop_duplicates": (lambda x: len(pd.Series(list(x)).drop_duplicates()), "P"),
    "duplicated": (lambda x: pd.Series(list(x)).duplicated().sum(), "P"),
    "grouping by a secret": (lambda x: len(pd.DataFrame({"x": list(x), "n": 1}).groupby("x").n.sum()), "P"),
    "GroupBy mean of numbers only": (
        lambda x: pd.DataFrame({"g": SEX, "n": [1, 2, 3, 4], "x": list(x)}).groupby("g").mean(numeric_only=True), "P903",
    ),
    "mean of numbers only": (lambda x: pd.DataFrame({"n": [1, 2, 3, 4], "x": list(x)}).mean(numeric_only=True), "P903"),
    "select_dtypes": (lambda x: pd.DataFrame({"n": [1, 2, 3, 4], "x": list(x)}).select_dtypes("number").sum(), "P903"),
    "describe": (lambda x: pd.DataFrame({"n": [1, 2, 3, 4], "x": list(x)}).describe(), "P"),
    "corr": (lambda x: pd.DataFrame({"n": [1, 2, 3, 5], "x": list(x)}).corr(numeric_only=True), "P"),
    "dtypes": (lambda x: [t[c].sum() for t in [pd.DataFrame({"x": list(x)})] for c in t if t[c].dtype == float], "P903"),
    "isinstance": (lambda x: sum(value for value in x if isinstance(value, float)), "P903"),
    "hasattr": (lambda x: [value if hasattr(value, "is_integer") else 0 for value in x], "P903"),
    "type": (lambda x: {"kind": type(x[0]).__name__}, "P903"),
    "key": (lambda x: {x[0]: 1}, "P307"),
    "label": (lambda x: pd.Series([1.0], index=[x[0]]), "P307"),
    "label of a column": (lambda x: pd.DataFrame([[1.0]], columns=pd.Index([x[0]])), "P307"),
    "label in a tuple": (lambda x: pd.Series([1.0], index=pd.Index([(x[0], 1)], tupleize_cols=False)), "P307"),
    "name of a Series": (lambda x: pd.Series([1.0], name=types.SimpleNamespace(first=x[0])), ""),
    "name of an index": (lambda x: pd.DataFrame([[1.0]], index=pd.Index([1], name=(x[0],))), ""),
    "set": (lambda x: {x[0]}, "P307"),
    "set of objects": (lambda x: {Plain(x[0])}, "P901"),
    "frozenset of tuples": (lambda x: frozenset([(x[0],)]), "P307"),
    "Counter": (lambda x: collections.Counter(x), "P307"),
    "function": (lambda x: lambda: x[0], "P901"),
    "partial": (lambda x: functools.partial(print, x[0]), "P901"),
    "method": (lambda x: Plain(x[0]).__init__, "P901"),  # type: ignore[misc]
    "bound method of a list": (lambda x: [x[0]].pop, "P901"),
    "exception": (lambda x: ValueError(x[0]), "P901"),
    "exception with an attribute": (lambda x: with_attribute(ValueError, x), "P901"),
    "class": (lambda x: type("Holder", (), {"first": x[0]}), "P901"),
    "attribute of a class": (in_class, "P901"),
    "closure of a class": (in_closure, "P901"),
    "attribute of a dict": (lambda x: with_attribute(Sums, x), "P901"),
    "attribute of a text": (lambda x: with_attribute(Text, x), "P901"),
    "attribute of a function": (lambda x: with_attribute(lambda: (lambda: 1), x), "P901"),
    "attrs": (in_attrs, "P901"),
    "dictionary that shows something else": (lambda x: Shy(b=x[0]), "P901"),
    "list that shows nothing": (lambda x: Empty([x[0]]), "P901"),
    "tuple that shows nothing": (lambda x: Nothing([x[0]]), "P901"),
    "deque that shows nothing": (lambda x: EmptyQueue([x[0]]), "P901"),
    "slot of a sequence": (lambda x: SlottedSequence(x[0]), "P901"),
    "attributes that are made up": (lambda x: Denier(x[0]), "P901"),
    "comparison in a thread": (lambda x: in_thread(x), "P304"),
    "comparison in a pool": (lambda x: in_pool(x), "P304"),
    "comparison in another context": (lambda x: in_context(x), "P304"),
    # What is done to numbers only, and depends on them far away from where they usually are.
    "select_dtypes above a limit": (lambda x: int((numbers(x).select_dtypes("number") > 95).sum().sum()), "P903"),
    "numbers only above a limit": (lambda x: bool((numbers(x).max(numeric_only=True) > 95).any()), "P903"),
    "isinstance above a limit": (lambda x: isinstance(x[0], float) and bool(x[0] > 95), "P903"),
    "isinstance below a limit": (lambda x: isinstance(x[0], float) and bool(x[0] < 5), "P903"),
    "isinstance of a difference": (lambda x: isinstance(x[0], float) and bool(x[0] - x[1] > 60), "P903"),
    "isinstance of a value": (lambda x: isinstance(x[0], float) and bool(abs(x[0] - 50) < 0.01), "P903"),
    "outliers of numbers": (lambda x: [v for v in x[1:] if not (isinstance(v, float) and v > 95)], "P903"),
    "attribute of a table": (lambda x: with_attribute(lambda: pd.DataFrame({"a": [1]}), x), "P901"),
    "attribute of a column": (lambda x: with_attribute(lambda: pd.Series([1.0]), x), "P901"),
    "attribute of a number": (lambda x: with_attribute(Whole, x), "P901"),
    "attribute of an array": (lambda x: with_attribute(lambda: np.zeros(2).view(Array), x), "P901"),
    "attribute of a subclass of a table": (lambda x: with_attribute(lambda: Frame({"a": [1]}), x), "P901"),
    "metadata of an array's type": (lambda x: np.zeros(2, np.dtype(float, metadata={"first": x[0]})), "P901"),
    "missing values of a dictionary": (lambda x: collections.defaultdict(lambda: x[0]), "P901"),
    "method that remembers an object": (in_remembered_object, "P901"),
    "slice": (lambda x: slice(x[0], None), "P309"),
    "size": (lambda x: __import__("sys").getsizeof(x[0]), "P903"),
    "identity": (lambda x: id(x[0]), "P902|P903"),
    "any": (lambda x: any(x), "P305"),
    "category": (lambda x: pd.Series(list(x)).astype("category").cat.codes.sum(), "P"),
    "array of texts": (lambda x: np.array(list(x), dtype="U10"), "P309"),
    "map": (lambda x: pd.Series(list(x)).map({50.0: 1}).isna().sum(), "P"),
    "cut": (lambda x: pd.cut(pd.Series(list(x)), [0, 50, 100]).value_counts().tolist(), "P"),
    "rank": (lambda x: pd.Series(list(x)).rank().tolist(), "P"),
    "std": (lambda x: pd.Series(list(x)).std(), ""),
    "the kind of a secret": (lambda x: x[0].__class__, "P901"),
    "GroupBy": (lambda x: pd.DataFrame({"g": SEX, "x": list(x)}).groupby("g"), "P901"),
    "Rolling": (lambda x: pd.Series(list(x)).rolling(2), "P901"),
    "weak reference": (lambda x: __import__("weakref").ref(Plain(x[0])), "P901"),
    "module": (lambda x: math_module(x), "P901"),
    "masked array": (lambda x: np.ma.array(np.asarray(x), mask=[True] * 4), "P901"),
    "endless generator": (endless, "P901"),
    "itemgetter": (lambda x: operator.itemgetter("a"), "P901"),
    "coroutine": (lambda x: later(x), "P901"),
    "memoryview": (lambda x: memoryview(b"a"), "P901"),
    "array.array": (lambda x: array.array("d", x), "P309"),
    "index": (lambda x: [1, 2][x[0]], "P307"),
    "range": (lambda x: list(range(x[0])), "P307"),
    "time": (lambda x: datetime.timedelta(x[0]), ""),
    "sort": (lambda x: pd.Series(list(x)).sort_values().tolist(), "P304"),
    "maximum": (lambda x: pd.Series(list(x)).max(), "P304"),
}


def numbers(x: Any) -> Any:
    return pd.DataFrame({"n": [1, 2, 3, 4], "x": list(x)})


def in_thread(x: Any) -> Any:
    large = [False]

    def look() -> None:
        with contextlib.suppress(Exception):
            large[0] = bool(x[0] > 70)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return large[0]


def in_pool(x: Any) -> Any:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: x[0] > 70).exception() is None


def in_context(x: Any) -> Any:
    return contextvars.Context().run(swallow, lambda: x[0] > 70)


def math_module(x: Any) -> Any:
    module = types.ModuleType("module")
    setattr(module, "first", x[0])
    return module


async def later(x: Any) -> Any:
    return x[0]


def swallow(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except TypeError:
        return 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REFUSED)
def test_what_could_hide_a_secret_is_refused(name: str) -> None:
    function, code = REFUSED[name]

    def beside(x: Any) -> Any:
        return {"total": x[1] + x[2], "beside": function(x)}

    with pytest.raises(Exception, match=code) as error:
        bits(beside, require=NOTHING)
    assert isinstance(error.value, (TypeError, ValueError, privug.ProgramError)), error.value


def test_what_is_rounded_is_judged_as_if_it_were_not() -> None:
    found = privug.analyze(lambda x: {"total": x[1] + x[2], "beside": round(x[0])}, x=P, secret="x[0]", require=NOTHING)
    assert [each["holds"] for each in found.requirements] == [False]


def test_the_calls_of_the_issue_do_not_pass() -> None:
    table = privug.analyze(
        lambda x: {"total": x[1] + x[2], "table": pd.DataFrame({"income": x})}, x=P, secret="x[0]", require=NOTHING
    )
    assert not table.meets_requirements
    assert [output["name"] for output in table.outputs][:2] == ["return['total']", "return['table']['income'][0]"]


def by_sex(x: Any) -> Any:
    by_sex = pd.Series(list(x)).groupby(pd.Series(SEX)).sum()
    return by_sex


def sums(x: Any) -> Any:
    table = pd.DataFrame({"n": [2, 2], "income": [x[0] + x[2], x[1] + x[3]]}, index=["women", "men"])
    return table


def rows(x: Any) -> Any:
    table = pd.DataFrame({"income": list(x)})
    return table


def crossed(x: Any) -> Any:
    series = pd.Series([x[0], x[1]], index=pd.MultiIndex.from_tuples([("a", 1), ("b", np.int64(2))]))
    return series


def days(x: Any) -> Any:
    series = pd.Series([x.sum()], index=pd.to_datetime(["2020-01-02"]))
    return series


def report(x: Any) -> Any:
    result = Report(x[0] + x[1], {"rest": np.asarray(x)[2:].sum()})
    return result


def pair(x: Any) -> Any:
    result = Totals(x[0] + x[1], x[2])
    return result


NAMED: List[Any] = [
    (by_sex, ["by_sex['men']", "by_sex['women']"]),
    (sums, ["table['income']['women']", "table['income']['men']"]),
    (rows, [f"table['income'][{place}]" for place in range(4)]),
    (crossed, ["series[('a', 1)]", "series[('b', 2)]"]),
    (days, ["series['2020-01-02 00:00:00']"]),
    (report, ["result['first']", "result['rest']['rest']"]),
    (pair, ["result['first']", "result['rest']"]),
    (lambda x: {1: x[0], 0.5: x[1], ("a", 2): x[2]}, ["return[1]", "return[0.5]", "return[('a', 2)]"]),
    (lambda x: [x[0], {"a": x[1]}], ["x[0]", "return[1]['a']"]),
]


@pytest.mark.parametrize("function, names", NAMED)
def test_outputs_are_named_by_their_labels(function: Callable[..., Any], names: List[str]) -> None:
    found = privug.analyze(function, x=P, secret="x[0]")
    assert [output["name"] for output in found.outputs] == names


def test_live_names_are_those_of_source_analysis() -> None:
    source = "def f(x):\n    result = {'a': [x[0], x[1]], 2: x[2], ('b', 3): x[3]}\n    return result\n"
    scope: Dict[str, Any] = {}
    exec(source, scope)  # noqa: S102 - the text above
    expected = ["['a'][0]", "['a'][1]", "[2]", "[('b', 3)]"]
    live = privug.analyze(scope["f"], x=P, secret="x[0]")
    read = privug.analyze(source=source, x=P, secret="x[0]")
    assert [output["name"] for output in read.outputs] == [f"result{path}" for path in expected]
    # The text of a function that was never in a file is not known.
    assert [output["name"] for output in live.outputs] == [f"return{path}" for path in expected]


@pytest.mark.parametrize("function", [by_sex, sums, report])
def test_totals_of_any_kind_have_the_numbers_of_totals(function: Callable[..., Any]) -> None:
    # One of two people with equal variances: half of the variance is left, which is half a bit.
    assert bits(function) == pytest.approx(0.5)


def test_styled_tables_are_looked_into() -> None:
    pytest.importorskip("jinja2")
    assert bits(lambda x: pd.DataFrame({"income": list(x)}).style) == float("inf")


def test_columns_of_polars_and_pyarrow_are_looked_into() -> None:
    polars = pytest.importorskip("polars")
    assert bits(lambda x: polars.DataFrame({"x": list(x)}, schema={"x": polars.Object})) == float("inf")
    assert bits(lambda x: polars.Series(list(x), dtype=polars.Object)) == float("inf")
    pyarrow = pytest.importorskip("pyarrow")
    assert bits(lambda x: [x[0], pyarrow.table({"n": [1, 2]}), pyarrow.array([1]), pyarrow.scalar(1)]) == float("inf")
    with pytest.raises(Exception):
        bits(lambda x: [x[1], pyarrow.array(list(x))])


def test_attrs_classes_are_looked_into() -> None:
    attr = pytest.importorskip("attr")
    kind = attr.make_class("Kind", ["first"])
    slotted = attr.make_class("Slotted", ["first"], slots=True)
    assert bits(lambda x: kind(x[0])) == bits(lambda x: slotted(x[0])) == float("inf")


def test_what_is_harmless_passes() -> None:
    for harmless in (
        lambda x: x[1:].sum(),
        lambda x: {"n": len(x), "mean": pd.Series(list(x)[1:]).sum() / 3, "labels": pd.Index(["a"]), "text": "a"},
        lambda x: [x[1], [], {}, (), pd.DataFrame(), pd.Series(dtype=float), np.zeros((2, 2, 2)), np.array([])],
        lambda x: [x[1], pd.Categorical(["a", "b"]), pd.Timestamp("2020-01-01"), pd.NA, pd.Interval(0, 1), 10**400],
        lambda x: Report(x[1], [np.float32(1), np.bool_(True), True, Fraction(1, 2), range(3), slice(1), 1 + 2j]),
    ):
        found = privug.analyze(harmless, x=P, secret="x[0]", require=NOTHING)
        assert found.meets_requirements and found.leakage.mutual_information_bits == 0


class Structures:
    """Values of all kinds within each other, with random variables somewhere in them."""

    def __init__(self, seed: int, variables: Any) -> None:
        self.random = random.Random(seed)
        self.variables = variables
        self.put = 0

    def value(self, depth: int) -> Any:
        if depth == 0 or self.random.random() < 0.2:
            if self.random.random() < 0.5:
                return self.random.choice([1, 2.5, "a", None, True, Fraction(1, 3), datetime.date(2020, 1, 1), np.int8(1)])
            self.put += 1
            return self.random.choice(self.variables)
        parts = [self.value(depth - 1) for _ in range(self.random.randint(1, 3))]
        names = self.random.sample(["a", "b", 3, ("c", 1), 0.5], len(parts))
        kind = self.random.randrange(12)
        if kind < 3:
            return [tuple(parts), collections.deque(parts), (part for part in parts)][kind]
        if kind < 6:
            return [dict(zip(names, parts)), types.MappingProxyType(dict(zip(names, parts))), zip(names, parts)][kind - 3]
        if kind < 8:
            return [Report(parts[0], parts[1:]), Totals(parts[0], parts[1:])][kind - 6]
        made = np.empty(len(parts), dtype=object)
        made[:] = parts
        if kind == 8:
            return made
        if kind == 9:
            return pd.Series(made, index=pd.Index(names, tupleize_cols=False))
        return pd.DataFrame({"x": made, "n": 1}) if kind == 10 else iter(parts)


def count(tree: Any) -> int:
    if isinstance(tree, (dict, list)):
        return sum(map(count, tree.values() if isinstance(tree, dict) else tree))
    return isinstance(tree, privug.Random)


def test_no_random_variable_is_lost_in_any_structure() -> None:
    checked = []

    def program(x: Any) -> Any:
        if isinstance(x, privug.RandomVector):
            for seed in range(500):
                made = Structures(seed, list(x))
                tree = look_into(made.value(4))
                leaves = flatten(tree)
                assert count(tree) == made.put == sum(isinstance(leaf, privug.Random) for leaf, _, _ in leaves)
                assert len({path for _, _, path in leaves}) == len(leaves)
                checked.append(made.put)
        return x.sum()

    privug.analyze(program, x=P)
    assert sum(checked) > 1000


def test_sums_in_another_order_are_no_difference() -> None:
    def cancelling(x: Any, y: Any) -> Any:
        return 1e12 * x.sum() - 1e12 * sum(reversed(list(x))) + y

    found = privug.analyze(cancelling, x=privug.Normal(50, std=10, size=1000), y=privug.Normal(3, std=1))
    assert found.prior.mean == pytest.approx([3])


def test_texts_say_what_to_do_and_work_after_the_analysis() -> None:
    kept: List[Any] = []

    def keep(x: Any) -> Any:
        kept.append(x)
        return x.sum()

    privug.analyze(keep, x=P)
    assert "random variable" in repr(kept[0]) and "random variable" in f"{kept[0][0]}"
    with pytest.raises(privug.NotGaussianError, match="P309.*after the analysis") as error:
        privug.analyze(lambda x: print(x[0]), x=P)
    assert error.value.code == "P309"


def test_the_place_and_the_remedy_are_named() -> None:
    with pytest.raises(TypeError, match=r"P901: `return\['a'\]\[1\]` is of type function.*return numbers, lists"):
        privug.analyze(lambda x: {"a": [x[0], print.__class__ and (lambda: x)]}, x=P)
    with pytest.raises(TypeError, match="its sum"):
        privug.analyze(lambda x: pd.DataFrame({"g": SEX, "x": list(x)}).groupby("g"), x=P)


def test_a_list_that_contains_itself_is_refused() -> None:
    def knot(x: Any) -> Any:
        made: List[Any] = [x[0]]
        made.append(made)
        return made

    with pytest.raises(ValueError, match="P607"):
        privug.analyze(knot, x=P)
