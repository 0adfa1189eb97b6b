"""What a function returns is looked into, whatever it is."""

from __future__ import annotations

import collections
import copy
import dataclasses
import datetime
import enum
import functools
import itertools
import random
import types
from fractions import Fraction
from typing import Any, Callable, Dict

import numpy as np
import pandas as pd
import pytest

import privug
from privug._publish import flatten, look_into
from publish_shapes import Described, Liar, NOTHING, P, Plain, Report, SEX, Sums, Totals, bits


@dataclasses.dataclass(frozen=True)
class Frozen:
    first: Any


class Slotted:
    __slots__ = ("first", "__second")

    def __init__(self, first: Any, second: Any) -> None:
        self.first = first
        self.__second = second


class Sex(enum.Enum):
    WOMEN = 1


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
