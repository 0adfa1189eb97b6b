"""What a hint suggests is not refused as well: each refusal, the words of its hint, and the program that does as it says."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Dict, Tuple

import pytest

from conftest import ROOT, command_line
from test_tables import PEOPLE, program_of

HINTS = [
    ("people[people.age > 20 & people.weight > 1].income.sum()", "parentheses", "people[(people.age > 20) & (people.weight > 1)].income.sum()"),
    ("people[(people.age > 20) & (people[people.age > 30].age > 40)].income.sum()", "same table or filter", "people[(people.age > 30) & (people.age > 40)].income.sum()"),
    ("people[people.age > 30 and people.weight > 1].income.sum()", "`&`", "people[(people.age > 30) & (people.weight > 1)].income.sum()"),
    ("people.income.sum() if people.age > 30 else 0", "np.where(mask, a, b)", "np.where(people.age > 30, people.income, 0).sum()"),
    ("people[31 in people.age].income.sum()", "`column.isin([...])`", "people[people.age.isin([31])].income.sum()"),
    ("people.groupby('sex').income.agg('size') + people.income.sum()", "`.size()`", "people.groupby('sex').size() + people.income.sum()"),
    ("people.groupby('sex').agg(mean='mean')", '`mean=("income", "mean")`', "people.groupby('sex').agg(mean=('income', 'mean'))"),
    ("people.groupby(pd.cut(people.age, [0, 30, 200, 300])).income.sum()", "observed=True", "people.groupby(pd.cut(people.age, [0, 30, 200, 300]), observed=True).income.sum()"),
    ("people.groupby(pd.cut(people.age, 3)).income.sum()", "`pd.cut(p.age, [0, 18, 65, 120])`", "people.groupby(pd.cut(people.age, [0, 18, 65, 120]), observed=True).income.sum()"),
    ("people.sort_values('sex').head(2).income.sum()", 'kind="stable"', "people.sort_values('sex', kind='stable').head(2).income.sum()"),
    ("people.set_index('sex').income.sum()", '`p.groupby("x")`', "people.groupby('sex').income.sum()"),
    ("people[people.name.str.contains('(?=a)')].income.sum()", "`[...]`", "people.income.sum() + people.name.str.contains('[ab]').sum()"),
    ("people.assign(d=pd.to_datetime(people.name)).income.sum()", "2024-01-31", "people.assign(d=pd.to_datetime(people.name.map(lambda n: '2024-01-31'))).income.sum()"),
    ("people.pivot(index='sex', columns='age_group', values='income')", 'aggfunc="sum"', "people.pivot_table(values='income', index='sex', columns='age_group', aggfunc='sum')"),
    ("sum(map(lambda v: v, people.income)) + sum(x for x in list(filter(lambda v: v > 30, people.income)))", "", "people.income.sum()"),
    ("m = map(lambda v: 2 * v, people.income)\nreturn sum(m)", "`list(map(f, xs))`", "m = list(map(lambda v: 2 * v, people.income))\nreturn sum(m)"),
    ("k = 1\nf = lambda v: k * v\nk = 2\nreturn people.income.map(f).sum()", "pass the value as an argument", "k = 2\nreturn people.income.map(lambda v: k * v).sum()"),
    ("total = 0\nfor sex in {'male', 'female'}:\n    total += people[people.sex == sex].income.sum()\nreturn total", "`sorted(...)`", "total = 0\nfor sex in sorted({'male', 'female'}):\n    total += people[people.sex == sex].income.sum()\nreturn total"),
    ("people.groupby('sex').income.mean().nothing", "language page", "people.groupby('sex').income.mean()"),
    ("people.income.sum", "call it: `.sum()`", "people.income.sum()"),
    ("people.size() + people.income.sum()", "without parentheses", "people.size + people.income.sum()"),
    ("people.incme.sum()", "did you mean `income`?", "people.income.sum()"),
    ("np.select([people.age > 30], ['old']) + people.income.sum()", 'default="other"', "people.assign(o=np.select([people.age > 30], ['old'], default='other')).groupby('o').income.sum()"),
    ("people.groupby(['household', 'age_group']).income.sum().unstack().stack()", "`.fillna(0)`", "people.groupby(['household', 'age_group']).income.sum().unstack().fillna(0).stack()"),
    ("people.query('age > ' + str(30)).income.sum()", "`p[p.age > 30]`", "people[people.age > 30].income.sum()"),
    ("people.merge(people, how='semi', on='name').income_x.sum()", '"inner", "left", "right" or "cross"', "people.merge(people, how='left', on='name').income_x.sum()"),
    ("people.income.describe()", '`.agg(["count", "mean"])`', "people.income.agg(['count', 'mean'])"),
    ("people.income.value_counts()", "", "people.sex.value_counts() * people.income.sum()"),
    ("people.to_numpy().sum()", "", "people.income.to_numpy().sum()"),
]


def lifted(script: Path) -> Tuple[int, str]:
    program = os.environ.get("PRIVUG_LIFT", str(ROOT / "target" / "release" / "examples" / "lift"))
    done = subprocess.run([program, str(script), f"people={PEOPLE}", "people.income", "Normal(0, 1)"], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize("refused, words, suggested", HINTS)
def test_what_a_hint_suggests_is_taken(refused: str, words: str, suggested: str, tmp_path: Path) -> None:
    first, second = tmp_path / "refused.py", tmp_path / "suggested.py"
    first.write_text(program_of(refused))
    second.write_text(program_of(suggested))
    code, said = lifted(first)
    assert code != 0
    assert words in " ".join(said.split())
    code, said = lifted(second)
    assert code == 0, said


ASIDE = {
    # Of priors, evidence, questions and arguments, which stand outside a release.
    "Categorical({0: 0.9, 1: 0.1})", "E(x)", "Var(x)", "LogNormal(mean=450_000, std=200_000)",
    "Normal(mean=450_000, std=60_000)", "condition(Normal(x, variance), value)", "condition(event)", "condition(x, value)",
    "prior_mean.fillna(450_000)", "bins=[0, 18, 65, 120]", "pd.read_csv(\"people.csv\")",
    # A statement.
    "raise ValueError(\"message\")", "p[\"group\"] = p.region.map(groups)",
    # An argument of a method.
    "agg(low=(\"income\", f), high=(\"income\", g))", "agg(total=(\"income\", \"sum\"))",
    # Of names that stand for the user's own.
    "dict(counts)", "pd.crosstab(index, columns, margins=True)",
    # Of a secret that is discrete.
    "(p.disease == \"flu\").sum()", "groups[\"disease\"].value_counts()", "np.where(p.ill, 1, 0)",
    "counts[\"flu\"]",
}  # fmt: skip

SURROUNDINGS = """import numpy as np
import pandas as pd
from collections import Counter, defaultdict
from functools import reduce
from itertools import count


def f(x):
    return 2 * x


def g(x):
    return x.sum()


def release(people):
    p = people
    regions = pd.DataFrame({"region": ["north", "south"], "word": ["N", "S"]})
    left, right = p, pd.DataFrame({"k": [1, 2]}, index=["u", "v"])
    groups = p.groupby("sex")
    column = p.age
    mask = p.age > 30
    a, b, n = 1, 2, 2
    i, values = 0, [1, 2]
    xs, d = [1, 2, 3], {"a": 1}
    rows = averages = xs
    x = 1
    s = p.groupby("sex").income.sum()
    t = p.groupby("sex")[["income", "age"]].sum()
{before}
    shown = {fragment}
    return people.income.sum()
"""

BEFORE: Dict[str, str] = {
    "sorted(s)": "s = {1, 2}", "sorted(sorted(s), key=f)": "s = {1, 2}", "min(s)": "s = {1, 2}",
    "s.remove(x)": "s = {1, 2}", "pd.concat(parts, ignore_index=True)": "parts = [p, p]", "pd.to_datetime(column)": "column = p.day",
    "x[mask]": "x, mask = np.array([1, 2]), np.array([True, False])", "groups[\"income\"].agg(f)": "f = lambda x: x.sum()",
    "f(p.income)": "f = lambda x: x.sum()", "p.mul(column, axis=0)": "p = p[[\"a\", \"income\"]]",
    "sum(w * x for w, x in zip(ws, xs)) / sum(ws)": "ws, xs = [1, 2, 1], p.income.tolist()",
}  # fmt: skip


def suggested_code() -> Dict[str, str]:
    """The code in all hints of the language and the evaluator that is Python and computes something."""
    found: Dict[str, str] = {}
    crates = ROOT / "crates"
    for folder in (crates / "privug-engine" / "src" / "evaluate", crates / "privug-language" / "src" / "program"):
        for path in sorted(folder.rglob("*.rs")):
            # A text behind a comma, an arrow or `hint =`: messages have no code in them that computes anything.
            for text in re.findall(r'(?:hint = |hinted\(|=> |, )\s*(?:[^";]*,\s*)?"((?:[^"\\]|\\.)*)"', path.read_text()):
                for code in re.findall(r"`([^`]+)`", text.replace('\\"', '"')):
                    if "..." in code or "…" in code or not re.search(r"[(\[]", code):
                        continue
                    try:
                        ast.parse(code)
                    except SyntaxError:
                        continue
                    found.setdefault(code, path.name)
    return found


SUGGESTED = suggested_code()


def test_the_hints_are_found() -> None:
    assert len(SUGGESTED) > 50
    assert ASIDE - set(SUGGESTED) == set() and set(BEFORE) - set(SUGGESTED) == set()


@pytest.mark.parametrize("code", sorted(set(SUGGESTED) - ASIDE))
def test_code_that_a_hint_shows_is_taken(code: str, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    rows = "u,1,2,25,1,male,north,1,2024-01-31,10.5\nv,2,1,35,2,female,south,0,2023-05-06,20.25\nu,3,1,45,1,female,north,1,2023-01-02,31\n"
    table.write_text("x,a,b,age,w,sex,region,ill,day,income\n" + rows)
    before = BEFORE.get(code, "")
    # `p.x * p.w` is of numbers, other uses of `x` of strings.
    if "p.x * p.w" in code:
        before = "p[\"x\"] = p.a"
    fragment = code.split("=", 1)[1] if ast.parse(code).body and isinstance(ast.parse(code).body[0], ast.Assign) else code
    script = tmp_path / "release.py"
    script.write_text(SURROUNDINGS.replace("{before}", f"    {before or 'pass'}").replace("{fragment}", fragment.strip()))
    arguments = [str(command_line()), "audit", f"{script}:release", "--table", f"people={table}", "--secret", "people.income", "--prior", "Normal(20, std=9)", "--json"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert '"diagnostics"' not in done.stdout, done.stdout
