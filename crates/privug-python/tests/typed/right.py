"""A file as users write it: both type checkers must understand all of it."""
from __future__ import annotations

from typing import Literal

import pandas as pd

import privug


def release(people: pd.DataFrame) -> object:
    return people.groupby("sex")["income"].mean()


people = pd.DataFrame({"id": range(20), "sex": ["f", "m"] * 10, "income": range(300, 320)})
found: privug.Audit = privug.audit(
    release,
    people=people,
    secret="people.income",
    prior="Normal(310, std=6)",
    person="id",
    rules={"minimum_frequency": {"fail": 5}, "dominance": "off"},
    noise={"m": 500.0},
    round=10,
)
verdict: Literal["pass", "review", "fail"] = found.verdict
table: pd.DataFrame = found.people
again: privug.Audit = found.with_noise(3.0).without("m").rounded({"f": 10})
page: str = found.to_html()
document: dict[str, object] = found.to_dict()
analysis: privug.Analysis = privug.analyze("def f(x):\n    return x\n", x=privug.Normal(0, 1), secret="x", observe=1.0)
mean: float = float(analysis.posterior.mean[0])
with privug.Ledger("ledger.json", people=people, secret="people.income", prior="Normal(310, std=6)") as book:
    publication = book.publish("may", book.people.groupby("sex").income.mean())
    said: str = publication.verdict
samples = privug.Normal(0, std=2, size=3)
