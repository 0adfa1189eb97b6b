"""The SQL for engines that no machine here has: it is read as theirs, put into DuckDB's words by sqlglot, and gives the same."""

from __future__ import annotations

import decimal
import pathlib
from typing import Any, Dict, Iterator, List

import pyarrow
import pyarrow.parquet
import pytest
import sqlglot
from engines import DuckDb
from sqlglot import exp
from test_engines import ARGUMENTS, RELEASE, exact, people, plan, privug

DIALECTS = ["bigquery", "snowflake", "trino"]
"""Those of `test_engines.py` run as they are."""


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckDb]:
    found = DuckDb()
    yield found
    found.close()


@pytest.fixture()
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "release.py").write_text(RELEASE)
    pyarrow.parquet.write_table(people(800), tmp_path / "people.parquet")
    return tmp_path


def translated(query: str, dialect: str) -> str:
    """In DuckDB's SQL; what sqlglot does not know, or cannot say there, is an error."""
    [statement] = sqlglot.parse(query, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
    assert statement is not None
    unknown = {function.name for function in statement.find_all(exp.Anonymous)}
    assert not unknown, f"{dialect} has no such functions, as far as sqlglot knows: {unknown}"
    return statement.sql("duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE)


def rows(table: pyarrow.Table) -> List[str]:
    """Sums as numbers: how many zeros there are at their end depends on the type of decimals."""
    found = table.to_pylist()
    for row in found:
        for name, value in row.items():
            if name.startswith("privug_") and isinstance(value, str) and value.strip("-.0123456789") == "":
                # Products with weights are doubles, of which DuckDB's decimals show more digits than those that sqlglot chooses.
                digits = 3 if name.startswith("privug_weight") else 18
                row[name] = round(decimal.Decimal(value), digits).normalize()
    return sorted(map(exact, found))


@pytest.mark.parametrize(
    "more",
    [[], ["--sum-prior-means"], ["--sum-prior-means", "--sum-weights", "age"]],
    ids=["grouped", "summed", "weighted"],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_groups_are_those_of_duckdb(dialect: str, more: List[str], duckdb: DuckDb, folder: pathlib.Path) -> None:
    duckdb.load(pyarrow.parquet.read_table(folder / "people.parquet"))
    ours = duckdb.query(plan(folder, "duckdb", *more)["group"])
    theirs = duckdb.query(translated(plan(folder, dialect, *more)["group"], dialect))
    assert ours.column_names == theirs.column_names
    # Keys are digests, which engines write in capitals or not; they are compared within one engine only.
    assert rows(ours.drop_columns("privug_key")) == rows(theirs.drop_columns("privug_key"))
    assert len(set(theirs.column("privug_key").to_pylist())) == len(set(ours.column("privug_key").to_pylist()))


@pytest.mark.parametrize("more", [[], ["--sum-prior-means"]], ids=["grouped", "summed"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_everybody_is_joined_to_their_group(dialect: str, more: List[str], duckdb: DuckDb, folder: pathlib.Path) -> None:
    duckdb.load(pyarrow.parquet.read_table(folder / "people.parquet"))
    answers: Dict[str, Any] = {}
    for each in ("duckdb", dialect):
        queries = plan(folder, each, *more)
        write = (lambda query: query) if each == "duckdb" else (lambda query: translated(query, dialect))
        groups, results = folder / f"{each}.parquet", folder / f"results-{each}.parquet"
        pyarrow.parquet.write_table(duckdb.query(write(queries["group"])), groups)
        privug("audit", folder / "release.py", *ARGUMENTS, "--groups", groups, "--people", results, "--quiet")
        duckdb.load_results(results)
        answers[each] = {row["id"]: row for row in duckdb.query(write(queries["join"])).to_pylist()}
    ours, theirs = answers["duckdb"], answers[dialect]
    assert ours.keys() == theirs.keys() and len(ours) == people(800).num_rows
    for person, row in ours.items():
        for name, value in row.items():
            # The order of groups shows in the last digits.
            expected = pytest.approx(value, rel=1e-12, nan_ok=True) if isinstance(value, float) else value
            assert theirs[person][name] == expected, (person, name)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_table_without_columns_to_group_by_is_one_group(dialect: str, duckdb: DuckDb, folder: pathlib.Path) -> None:
    (folder / "release.py").write_text("def release(people):\n    return people.income.sum()\n")
    duckdb.load(pyarrow.parquet.read_table(folder / "people.parquet"))
    theirs = duckdb.query(translated(plan(folder, dialect, "--sum-prior-means")["group"], dialect))
    # Those with and without an income.
    assert theirs.num_rows == 2 and sum(theirs.column("privug_rows").to_pylist()) == people(800).num_rows
