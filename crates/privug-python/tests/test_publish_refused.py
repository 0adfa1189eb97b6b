"""What a function returns and cannot be looked into is refused, with what to do."""

from __future__ import annotations

import array
import collections
import collections.abc
import concurrent.futures
import contextlib
import contextvars
import csv
import datetime
import functools
import io
import json
import logging
import operator
import pickle
import threading
import types
from typing import Any, Callable, Dict, List

import numpy as np
import pandas as pd
import pytest

import privug
from publish_shapes import NOTHING, P, Plain, SEX, Sums, bits


class Text(str):
    pass


class Whole(int):
    pass


class Array(np.ndarray):
    pass


class Frame(pd.DataFrame):
    pass


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


def endless(x: Any) -> Any:
    def forever() -> Any:
        while True:
            yield 1

    return forever()


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


class Denier:
    def __init__(self, first: Any) -> None:
        self.first = first

    __dict__ = property(lambda self: {})  # type: ignore[assignment]


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
