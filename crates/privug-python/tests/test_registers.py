"""Tables that stay in their engine: an Ibis table gives the audit of the DataFrame."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import privug

pandas = pytest.importorskip("pandas")
if os.environ.get("CI") == "true":
    import ibis
else:
    ibis = pytest.importorskip("ibis")

RELEASE = '''
def release(people):
    return {
        "by region": people.groupby("region")["income"].mean(),
        "by sex": people[people.age > 30].groupby("sex")["income"].sum(),
        "sizes": people.groupby("region").size(),
    }
'''
OPTIONS: Any = dict(secret="people.income", prior="Normal(income.mean(), std=income.std())", rules={"near_truth": "off"})


def people(rows: int = 500) -> Any:
    draw = np.random.default_rng(7)
    income = np.round(draw.lognormal(10.4, 0.4, rows), 2)
    income[::13] = np.nan
    return pandas.DataFrame(
        {
            "id": np.arange(rows),
            "region": draw.choice(["north", "süd", "o'st", "far"], rows, p=[0.6, 0.3, 0.09, 0.01]),
            "sex": draw.choice(["f", "m"], rows),
            "age": draw.choice([20, 30, 40], rows),
            "income": income,
        }
    )


def brief(audit: Any) -> Any:
    document = audit.to_dict()
    reasons = sorted((reason["rule"], reason["verdict"], reason["count"]) for reason in document["reasons"])
    counts = {name: document["summary"]["people"][name] for name in ("count", "rows", "fail", "review", "pass")}
    figures = {figure["name"]: (figure["contributors"], figure["verdict"], figure["status"]) for figure in document["figures"]}
    return audit.verdict, reasons, counts, figures


def test_a_table_in_duckdb_gives_the_audit_of_the_data_frame() -> None:
    table = people()
    connection = ibis.duckdb.connect()
    connection.create_table("people", table)
    alone = privug.audit(RELEASE, people=table, **OPTIONS)
    together = privug.audit(RELEASE, people=connection.table("people"), **OPTIONS)
    assert brief(alone) == brief(together)
    values = [{figure["name"]: figure["value"] for figure in audit.to_dict()["figures"]} for audit in (alone, together)]
    assert values[0] == pytest.approx(values[1], rel=1e-12)


def test_prior_means_of_their_own_are_summed_up_in_the_engine() -> None:
    table = people(1_500)
    table["expected"] = np.random.default_rng(3).normal(35_000, 4_000, len(table))
    options = {**OPTIONS, "prior": "Normal(expected, std=9_000)"}
    connection = ibis.duckdb.connect()
    connection.create_table("people", table)
    together = privug.audit(RELEASE, people=connection.table("people"), **options)
    assert brief(privug.audit(RELEASE, people=table, **options)) == brief(together)
    # Everybody would be a group otherwise.
    assert together.to_dict()["summary"]["people"]["groups"] < 60


def test_weights_of_their_own_are_summed_up_in_the_engine() -> None:
    table = people(1_200)
    table["weight"] = np.random.default_rng(5).uniform(0.5, 3.5, len(table))
    script = """
def release(people):
    part = people.income * people.weight
    return part[people.sex == "f"].sum(), part.sum(), people.groupby("region")["income"].mean()
"""
    rules = {**OPTIONS["rules"], "relative_std": "off", "mutual_information_bits": "off"}
    options = {**OPTIONS, "rules": rules}
    connection = ibis.duckdb.connect()
    connection.create_table("people", table)
    together = privug.audit(script, people=connection.table("people"), sum_weights="weight", **options)
    alone = privug.audit(script, people=table, **options)
    # Sums do not say who has which weight, so that what the weighted totals leave of each other stays open.
    opened = ("differencing", "review", 6)
    verdict, reasons, *found = brief(together)
    assert (verdict, reasons) == ("review", [opened]) and "weights differ" in together.reasons.message[0]
    assert brief(alone) == ("pass", [], *found)
    assert together.to_dict()["summary"]["people"]["groups"] < 60
    with pytest.raises(privug.ProgramError, match="P801"):
        privug.audit(script, people=connection.table("people"), sum_weights="wieght", **options)
    with pytest.raises(TypeError, match="sum_weights"):
        privug.audit(script, people=table, sum_weights="weight", **options)


def test_an_expression_is_grouped_as_it_is() -> None:
    table = people()
    connection = ibis.duckdb.connect()
    connection.create_table("people", table)
    chosen = connection.table("people")
    chosen = chosen.filter(chosen.region != "far")
    together = privug.audit(RELEASE, people=chosen, **OPTIONS)
    assert brief(privug.audit(RELEASE, people=table[table.region != "far"].reset_index(drop=True), **OPTIONS)) == brief(together)


def test_what_groups_cannot_tell_is_refused() -> None:
    connection = ibis.duckdb.connect()
    connection.create_table("people", people())
    table = connection.table("people")
    with pytest.raises(privug.ProgramError, match="P830"):
        privug.audit("def f(people):\n    return people.income.median()\n", people=table, **OPTIONS)
    with pytest.raises(privug.ProgramError, match="P830"):
        privug.audit(RELEASE, people=table, **{**OPTIONS, "person": "id"})
    with pytest.raises(TypeError, match="P830"):
        privug.audit(lambda people: people.income.mean(), people=table, **OPTIONS)
