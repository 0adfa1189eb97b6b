"""What a hint suggests is not refused as well: each refusal, the words of its hint, and the program that does as it says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Tuple

import pytest

from conftest import ROOT
from test_tables import PEOPLE, program_of

HINTS = [
    ("people[people.age > 20 & people.weight > 1].income.sum()", "parentheses", "people[(people.age > 20) & (people.weight > 1)].income.sum()"),
    ("people.income - people[people.age > 30].income", "same table or filter", "(people.income - people.income).sum() + people.income.sum()"),
    ("people[people.age > 30 and people.weight > 1].income.sum()", "`&`", "people[(people.age > 30) & (people.weight > 1)].income.sum()"),
    ("people.income.sum() if people.age > 30 else 0", "np.where(mask, a, b)", "np.where(people.age > 30, people.income, 0).sum()"),
    ("people[31 in people.age].income.sum()", "`column.isin([...])`", "people[people.age.isin([31])].income.sum()"),
    ("people.groupby('sex').income.agg('size') + people.income.sum()", "`.size()`", "people.groupby('sex').size() + people.income.sum()"),
    ("people.groupby('sex').agg(mean='mean')", '`mean=("income", "mean")`', "people.groupby('sex').agg(mean=('income', 'mean'))"),
    ("people.groupby(pd.cut(people.age, [0, 30, 200, 300])).income.sum()", "observed=True", "people.groupby(pd.cut(people.age, [0, 30, 200, 300]), observed=True).income.sum()"),
    ("people.groupby(pd.cut(people.age, 3)).income.sum()", "`pd.cut(p.age, [0, 18, 65, 120])`", "people.groupby(pd.cut(people.age, [0, 18, 65, 120]), observed=True).income.sum()"),
    ("people.sort_values('sex').head(2).income.sum()", 'kind="stable"', "people.sort_values('sex', kind='stable').head(2).income.sum()"),
    ("people.set_index('sex').income.sum()", '`p.groupby("x")`', "people.groupby('sex').income.sum()"),
    ("people[people.name.str.contains('^a')].income.sum()", "`regex=False`", "people.income.sum() + people.name.str.contains('^a', regex=False).sum()"),
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
    ("people.merge(people, how='outer', on='name').income_x.sum()", '"inner", "left" or "right"', "people.merge(people, how='left', on='name').income_x.sum()"),
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
