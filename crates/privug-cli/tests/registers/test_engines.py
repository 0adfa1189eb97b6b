"""The same audits embedded and by groups that DuckDB, PostgreSQL and a Spark cluster made: one test body, every engine."""

from __future__ import annotations

import json
import math
import os
import pathlib
import random
import subprocess
import threading
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pyarrow
import pyarrow.parquet
import pytest
from engines import ENGINES, Spark, opened

PRIVUG = os.environ["PRIVUG_CLI"]

RELEASE = '''
def release(people):
    grown = people[people.age >= 30]
    return {
        "by region": people.groupby("region")["income"].mean(),
        "by region and sex": grown.groupby(["region", 'se"x'])["income"].sum(),
        "all": people.income.mean(),
        "sizes": people.groupby("region").size(),
        "known": people.income.count(),
        "age": people.age.mean(),
    }
'''
PRIOR = "Normal(base, std=9_000)"
ARGUMENTS = ["--secret", "people.income", "--prior", PRIOR]


def people(rows: int, seed: int = 1) -> pyarrow.Table:
    """Regions of very different sizes, one of them missing and two that differ in case only; missing and NaN incomes; a
    region that one person dominates, and one with a single person."""
    draw = random.Random(seed)
    regions = ["north", "North", "süd", "o'st", 'we"st', None, "back\\slash"]
    columns: Dict[str, List[Any]] = {name: [] for name in ("id", "region", 'se"x', "age", "base", "note", "income")}
    for row in range(rows):
        region = regions[min(int(draw.expovariate(0.6)), len(regions) - 1)]
        income: Optional[float] = round(draw.lognormvariate(10.4, 0.4), 2)
        if row % 17 == 3:
            income = None if row % 2 else math.nan
        add(columns, row, region, "fm"[draw.randrange(2)], draw.choice([20, 30, 40]), 25_000.0 + 5_000 * draw.randrange(2), income)
    for row, income in enumerate([10_000_000.0, 9_000.01, 8_000.02, 7_000.03], rows):
        add(columns, row, "dominated", "f", 40, 30_000.0, income)
    add(columns, rows + 4, "alone", "m", 40, 30_000.0, 31_415.92)
    # Debts: contributions are absolute values.
    add(columns, rows + 5, "north", "m", 40, 30_000.0, -2_500_000.55)
    types = [pyarrow.int64(), pyarrow.string(), pyarrow.string(), pyarrow.int64(), pyarrow.float64(), pyarrow.string(), pyarrow.float64()]
    return pyarrow.table({name: pyarrow.array(cells, kind) for (name, cells), kind in zip(columns.items(), types)})


def add(columns: Dict[str, List[Any]], row: int, region: Any, sex: str, age: int, base: float, income: Any) -> None:
    for cells, cell in zip(columns.values(), (row, region, sex, age, base, f"note {row}", income)):
        cells.append(cell)


def privug(*arguments: Any, allowed: Tuple[int, ...] = (0, 3, 4)) -> str:
    done = subprocess.run([PRIVUG, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in allowed, done.stderr
    return done.stdout if done.returncode in (0, 3, 4) else done.stderr


def audited(folder: pathlib.Path, *arguments: Any) -> Dict[str, Any]:
    return dict(json.loads(privug("audit", folder / "release.py", *ARGUMENTS, "--json", *arguments)))


def plan(folder: pathlib.Path, dialect: str, *more: Any) -> Dict[str, Any]:
    table = folder / "people.parquet"
    return dict(
        json.loads(
            privug("plan", folder / "release.py", "--table", f"people={table}", *ARGUMENTS, "--dialect", dialect, "--json", *more)
        )
    )


def verdicts(audit: Dict[str, Any]) -> Any:
    reasons = sorted((reason["rule"], reason["verdict"], reason["count"]) for reason in audit["reasons"])
    counts = {name: audit["summary"]["people"][name] for name in ("count", "rows", "fail", "review", "pass", "fully_disclosed")}
    return audit["verdict"], reasons, counts


def figures(audit: Dict[str, Any]) -> Dict[str, Any]:
    return {figure["name"]: figure for figure in audit["figures"]}


def assert_same(one: Dict[str, Any], other: Dict[str, Any]) -> None:
    assert verdicts(one) == verdicts(other)
    ours, theirs = figures(one), figures(other)
    assert list(ours) == list(theirs)
    for name, figure in ours.items():
        for key in ("status", "contributors", "verdict", "rules", "follows_from", "discloses"):
            assert figure[key] == theirs[name][key], (name, key)
        for key in ("value", "published", "z", "dominance_percent", "estimate_percent"):
            if figure[key] is None:
                assert theirs[name][key] is None, (name, key)
            else:
                assert figure[key] == pytest.approx(theirs[name][key], rel=1e-9, abs=1e-9), (name, key)
        shares = [[part["share"] for part in each["largest"]] for each in (figure, theirs[name])]
        assert shares[0] == pytest.approx(shares[1], rel=1e-9), name


@pytest.fixture(scope="module", params=ENGINES, ids=lambda engine: engine.__name__)
def engine(request: Any) -> Iterator[Any]:
    found = opened(request.param)
    if found is None:
        pytest.skip("this engine is not installed")
    yield found
    found.close()


@pytest.fixture()
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "release.py").write_text(RELEASE)
    pyarrow.parquet.write_table(people(3_000), tmp_path / "people.parquet")
    return tmp_path


def grouped_by(engine: Any, folder: pathlib.Path, *more: Any) -> pathlib.Path:
    path = folder / f"groups-{engine.dialect}.parquet"
    pyarrow.parquet.write_table(engine.query(plan(folder, engine.dialect, *more)["group"]), path)
    return path


def test_an_engines_groups_give_the_audit_of_everybody_alone(engine: Any, folder: pathlib.Path) -> None:
    engine.load(pyarrow.parquet.read_table(folder / "people.parquet"))
    groups = grouped_by(engine, folder)
    table = f"people={folder / 'people.parquet'}"
    # How near the attacker is to somebody's truth needs that truth, and is bounded in groups.
    for rule in (["--rule", "near_truth=off"], ["--rule", "near_truth=off", "--exact"]):
        alone = audited(folder, "--table", table, *rule)
        assert_same(alone, audited(folder, "--table", table, "--grouped", *rule))
        assert_same(alone, audited(folder, "--groups", groups, *rule))
    everybody, together = audited(folder, "--table", table), audited(folder, "--table", table, "--grouped")
    assert_same(everybody, together)
    bounded = audited(folder, "--groups", groups)
    order = ["pass", "review", "fail"]
    assert order.index(bounded["verdict"]) >= order.index(everybody["verdict"])
    assert bounded["summary"]["people"]["pass"] <= everybody["summary"]["people"]["pass"]
    assert not {"id", "note"} & set(pyarrow.parquet.read_table(groups).column_names)


def test_results_are_joined_back_to_everybody(engine: Any, folder: pathlib.Path) -> None:
    table = pyarrow.parquet.read_table(folder / "people.parquet")
    engine.load(table)
    groups, results, alone = grouped_by(engine, folder), folder / "results.parquet", folder / "alone.parquet"
    privug("audit", folder / "release.py", *ARGUMENTS, "--groups", groups, "--people", results, "--quiet")
    privug("audit", folder / "release.py", *ARGUMENTS, "--table", f"people={folder / 'people.parquet'}", "--people", alone, "--quiet")
    together = folder / "together.parquet"
    privug("audit", folder / "release.py", *ARGUMENTS, "--table", f"people={folder / 'people.parquet'}", "--grouped", "--people", together, "--quiet")
    engine.load_results(results)
    joined = {row["id"]: row for row in engine.query(plan(folder, engine.dialect)["join"]).to_pylist()}
    assert len(joined) == table.num_rows
    expected = pyarrow.parquet.read_table(alone).to_pylist()
    assert len(expected) == sum(row["income"] is not None and row["income"] == row["income"] for row in table.to_pylist())
    for person, streamed in zip(expected, pyarrow.parquet.read_table(together).to_pylist()):
        row = joined[int(person["person"]) - 1]
        assert person["person"] == streamed["person"] and person["verdict"] == streamed["verdict"]
        for name in ("prior_mean", "prior_std", "posterior_mean", "posterior_std", "relative_std", "mutual_information_bits"):
            assert row[f"privug_{name}"] == pytest.approx(person[name], rel=1e-9, abs=1e-12), (name, person)
        for name in ("truth", "posterior_mean", "posterior_std", "near_truth_prior", "near_truth_posterior"):
            assert streamed[name] == pytest.approx(person[name], rel=1e-9, abs=1e-12), (name, person)
    without = [row for row in joined.values() if row["income"] is None or row["income"] != row["income"]]
    assert without and all(row["privug_posterior_mean"] is None for row in without)


def test_prior_means_of_their_own_are_summed_up_and_joined_back(engine: Any, folder: pathlib.Path) -> None:
    """Everybody has a prior mean of their own, with more digits than are added up of secrets."""
    table, draw = people(1_500), random.Random(3)
    means = [draw.gauss(30_000, 4_000) for _ in range(table.num_rows)]
    table = table.set_column(table.column_names.index("base"), "base", pyarrow.array(means, pyarrow.float64()))
    pyarrow.parquet.write_table(table, folder / "people.parquet")
    engine.load(table)
    queries = plan(folder, engine.dialect, "--sum-prior-means")
    assert queries["prior_means"] == "base" and "base" not in queries["columns"]
    groups, results, alone = (folder / f"{name}.parquet" for name in ("groups", "results", "alone"))
    found = engine.query(queries["group"])
    assert found.num_rows < 200
    pyarrow.parquet.write_table(found, groups)
    rule, file = ["--rule", "near_truth=off"], f"people={folder / 'people.parquet'}"
    assert_same(audited(folder, "--table", file, *rule), audited(folder, "--groups", groups, *rule))
    # What is not known of everybody's truth never makes it better.
    everybody, bounded = audited(folder, "--table", file), audited(folder, "--groups", groups)
    assert bounded["summary"]["people"]["pass"] <= everybody["summary"]["people"]["pass"]
    privug("audit", folder / "release.py", *ARGUMENTS, "--groups", groups, "--people", results, "--quiet")
    privug("audit", folder / "release.py", *ARGUMENTS, "--table", file, "--people", alone, "--quiet")
    engine.load_results(results)
    joined = {row["id"]: row for row in engine.query(queries["join"]).to_pylist()}
    for person in pyarrow.parquet.read_table(alone).to_pylist():
        row = joined[int(person["person"]) - 1]
        for name in ("prior_mean", "prior_std", "posterior_mean", "posterior_std", "mutual_information_bits"):
            assert row[f"privug_{name}"] == pytest.approx(person[name], rel=1e-9, abs=1e-12), (name, person)
    # Groups of another prior are no use.
    other = ["--secret", "people.income", "--prior", "Normal(1.02 * base, std=9_000)"]
    assert "P830" in privug("audit", folder / "release.py", *other, "--groups", groups, allowed=(1,))


WEIGHTED = '''
def release(people):
    people["part"] = people.income * people.weight
    sums = people.groupby("region")[["part", "weight"]].sum()
    return {
        "by region": sums["part"] / sums["weight"],
        "by sex": people.groupby('se"x')["part"].sum(),
        "all": people.income.sum(),
    }
'''


@pytest.mark.parametrize("prior", [PRIOR, "Normal(mean=35_000, std=12_000)"])
def test_weights_of_their_own_are_summed_up_and_joined_back(engine: Any, folder: pathlib.Path, prior: str) -> None:
    """Everybody has a weight of their own: also 0 and missing, in a region with two of them, and close together."""
    table, draw = people(1_200), random.Random(4)
    weights: List[Any] = [draw.uniform(0.5, 3.5) for _ in range(table.num_rows)]
    for row, region in enumerate(table.column("region").to_pylist()):
        if region == "dominated":
            weights[row] = draw.choice([1.5, 2.25])
        elif region == "o'st":
            weights[row] = 1.0 + 1e-6 * draw.random()
    for row in range(0, 600, 29):
        weights[row] = draw.choice([0.0, None, math.nan])
    table = table.append_column("weight", pyarrow.array(weights, pyarrow.float64()))
    if prior == PRIOR:
        means = pyarrow.array([draw.gauss(30_000, 4_000) for _ in range(table.num_rows)])
        table = table.set_column(table.column_names.index("base"), "base", means)
    pyarrow.parquet.write_table(table, folder / "people.parquet")
    (folder / "release.py").write_text(WEIGHTED)
    engine.load(table)
    audit = ["audit", folder / "release.py", "--secret", "people.income", "--prior", prior]
    file = f"people={folder / 'people.parquet'}"
    queries = json.loads(
        privug("plan", *audit[1:], "--table", file, "--dialect", engine.dialect, "--sum-prior-means", "--sum-weights", "weight", "--json")
    )
    assert queries["weights"] == "weight" and "weight" not in queries["columns"]
    groups, results, alone = (folder / f"{name}.parquet" for name in ("groups", "results", "alone"))
    found = engine.query(queries["group"])
    assert found.num_rows < 200
    pyarrow.parquet.write_table(found, groups)
    # What weighted totals leave of each other is open, which does not pass.
    judged = json.loads(privug(*audit, "--groups", groups, "--json"))
    assert ("differencing", "review") in {(reason["rule"], reason["verdict"]) for reason in judged["reasons"]}
    # Rules about what is learned of people are bounded where nobody's own weight is there to look at; all others are the same.
    rules = ("near_truth", "relative_std", "mutual_information_bits", "differencing")
    off = [text for rule in rules for text in ("--rule", f"{rule}=off")]
    everybody = json.loads(privug(*audit, "--table", file, "--json", *off))
    assert_same(everybody, json.loads(privug(*audit, "--groups", groups, "--json", *off)))
    everybody, bounded = (json.loads(privug(*audit, *more, "--json")) for more in (("--table", file), ("--groups", groups)))
    assert bounded["summary"]["people"]["pass"] <= everybody["summary"]["people"]["pass"]
    assert bounded["summary"]["people"]["fail"] >= everybody["summary"]["people"]["fail"]
    privug(*audit, "--groups", groups, "--people", results, "--quiet")
    privug(*audit, "--table", file, "--people", alone, "--quiet")
    engine.load_results(results)
    joined = {row["id"]: row for row in engine.query(queries["join"]).to_pylist()}
    order = ["pass", "review", "fail"]
    for person in pyarrow.parquet.read_table(alone).to_pylist():
        row = joined[int(person["person"]) - 1]
        for name in ("prior_mean", "prior_std", "posterior_mean", "posterior_std", "relative_std", "mutual_information_bits"):
            assert row[f"privug_{name}"] == pytest.approx(person[name], rel=1e-7, abs=1e-9), (name, person, row)
        assert order.index(row["privug_verdict"]) >= order.index(person["verdict"])
        assert row["privug_fully_disclosed"] == person["fully_disclosed"], person
    # What is not linear in the weights needs everybody's own.
    (folder / "release.py").write_text("def release(people):\n    return people[people.weight > 1].income.sum()\n")
    assert "P830" in privug(*audit, "--groups", groups, allowed=(1,))


def test_more_decimals_than_are_added_up_are_refused(engine: Any, folder: pathlib.Path) -> None:
    table = people(100)
    incomes = table.column("income").to_pylist()
    incomes[0] = 1_234.567
    table = table.set_column(table.column_names.index("income"), "income", pyarrow.array(incomes, pyarrow.float64()))
    engine.load(table)
    told = privug("audit", folder / "release.py", *ARGUMENTS, "--groups", grouped_by(engine, folder), allowed=(1,))
    assert "P832" in told and "--decimals" in told
    assert audited(folder, "--groups", grouped_by(engine, folder, "--decimals", 3))["summary"]["people"]["rows"] == table.num_rows


def test_a_sum_that_overflows_is_an_error_and_not_another_number(engine: Any, folder: pathlib.Path) -> None:
    table = people(50)
    incomes = [9e19] * table.num_rows
    table = table.set_column(table.column_names.index("income"), "income", pyarrow.array(incomes, pyarrow.float64()))
    engine.load(table)
    try:
        groups = grouped_by(engine, folder, "--decimals", 18)
    except Exception as error:
        assert any(word in str(error).lower() for word in ("overflow", "out of range", "conversion")), error
        return
    told = privug("audit", folder / "release.py", *ARGUMENTS, "--groups", groups, allowed=(1,))
    assert "P832" in told


def test_a_collation_that_ignores_case_is_noticed(engine: Any, folder: pathlib.Path) -> None:
    """Regions that differ in case only are one group to such an engine, and two to the script."""
    engine.load(pyarrow.parquet.read_table(folder / "people.parquet"))
    engine.ignore_case("region")
    groups = grouped_by(engine, folder)
    assert any(pyarrow.parquet.read_table(groups).column("privug_merged").to_pylist()), "the collation was not taken"
    told = privug("audit", folder / "release.py", *ARGUMENTS, "--groups", groups, allowed=(1,))
    assert "P832" in told and "COLLATE" in told


def test_the_largest_contributions_are_those_of_the_figure(engine: Any, folder: pathlib.Path) -> None:
    """Dominance and the p% rule need the second largest, of groups of one, two, three and more, and with ties and debts."""
    script = """def release(people):
    return people.groupby("region")["income"].sum()
"""
    (folder / "release.py").write_text(script)
    values = {"a": [-5.5], "b": [3.0, -3.0], "c": [1.0, 2.0, 2.0], "d": [7.25, -9.5, 9.5, 0.0, None], "e": [math.nan, 4.0, 1.0]}
    rows = [(region, value) for region, all in values.items() for value in all]
    table = people(0).slice(0, 0)
    columns = {name: [None] * len(rows) for name in table.column_names}
    columns.update(region=[row[0] for row in rows], income=[row[1] for row in rows], base=[0.0] * len(rows))
    table = pyarrow.table({name: pyarrow.array(columns[name], table.schema.field(name).type) for name in table.column_names})
    pyarrow.parquet.write_table(table, folder / "people.parquet")
    engine.load(table)
    found = figures(audited(folder, "--groups", grouped_by(engine, folder)))
    for region, all in values.items():
        known = sorted((abs(value) for value in all if value is not None and value == value), reverse=True)
        figure = found[region]
        largest = [part["share"] * sum(known) for part in figure["largest"]]
        assert largest == pytest.approx(known[: len(largest)]), region
        assert len(largest) == min(3, len(known)), region
        assert figure["contributors"] == len(known), region


def exact(row: Dict[str, Any]) -> str:
    """All of a group but its variance, which is computed in doubles and depends on the order."""
    return str({name: value for name, value in row.items() if name != "privug_variance"})


def test_a_column_that_is_not_used_is_never_read(folder: pathlib.Path) -> None:
    path = folder / "people.parquet"
    whole = audited(folder, "--table", f"people={path}", "--grouped")
    pyarrow.parquet.write_table(people(3_000), path, compression="none", use_dictionary=False)
    group = pyarrow.parquet.ParquetFile(path).metadata.row_group(0)
    [note] = [group.column(place) for place in range(group.num_columns) if group.column(place).path_in_schema == "note"]
    content = bytearray(path.read_bytes())
    content[note.data_page_offset : note.data_page_offset + note.total_compressed_size] = b"\xff" * note.total_compressed_size
    path.write_bytes(content)
    with pytest.raises(Exception):
        pyarrow.parquet.read_table(path)
    assert_same(whole, audited(folder, "--table", f"people={path}", "--grouped"))


@pytest.mark.parametrize("engine", [Spark], indirect=True, ids=["Spark"])
def test_a_worker_that_is_lost_during_the_query_changes_nothing(engine: Spark, folder: pathlib.Path) -> None:
    # Everybody twenty times over: enough work for the query to be running still when the worker goes.
    table = pyarrow.concat_tables([people(20_000, seed=5)] * 20)
    pyarrow.parquet.write_table(table, folder / "people.parquet")
    engine.load(table)
    query = plan(folder, "spark")["group"]
    whole = sorted(map(exact, engine.query(query).to_pylist()))
    # The worker goes while the same query is running again.
    threading.Timer(0.7, engine.kill_a_worker).start()
    answer = engine.query(query)
    assert engine.processes[1].wait() != 0
    assert sorted(map(exact, answer.to_pylist())) == whole
    pyarrow.parquet.write_table(answer, folder / "groups.parquet")
    rule = ["--rule", "near_truth=off"]
    assert_same(
        audited(folder, "--table", f"people={folder / 'people.parquet'}", "--grouped", *rule),
        audited(folder, "--groups", folder / "groups.parquet", *rule),
    )
