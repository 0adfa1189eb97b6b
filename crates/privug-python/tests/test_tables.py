"""Scripts on tables give the same figures under pandas as when they are lifted for an audit."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import pandas as pd
import pytest

from conftest import IS_THOROUGH, ROOT

PEOPLE = ROOT / "crates" / "privug" / "tests" / "data" / "people.csv"
AUDITS = ROOT / "programs" / "audit"

RELATIVE_ERROR = 1e-12

SCRIPTS = [
    "people.income.sum()",
    "people['income'].mean()",
    "people[people.sex == 'male'].income.mean()",
    "people.loc[people.sex == 'male', 'income'].sum()",
    "people[(people.age > 26) & (people.weight <= 2)].income.sum()",
    "people[people.age_group.isin(['21-30'])].income.mean()",
    "people[people.age.between(28, 35)].income.sum()",
    "people[~people.age.between(28, 35, inclusive='left')].income.sum()",
    "people[people.age > 20][['income', 'age', 'weight']].mean()",
    "(people.weight * people.income).sum() / people.weight.sum()",
    "np.average(people.income, weights=people.weight)",
    "np.dot(people.weight, people.income)",
    "(people.income * 2 - people.age / 3 + 1).sum()",
    "(people.age // 10 + people.age % 3 + people.income).sum()",
    "(-people.income + people.age ** 2).mean()",
    "people.groupby('sex').income.mean()",
    "people.groupby(['age_group', 'sex']).income.sum()",
    "people.groupby(['sex', 'age']).income.sum()",
    "people.groupby('age').income.sum()",
    "people.groupby('weight')['income'].sum()",
    "people.groupby(people.age > 30).income.mean()",
    "people.groupby('sex')[['income', 'weight']].sum()",
    "people.groupby('sex').income.agg(['mean', 'count', 'sum'])",
    "people.groupby('sex').income.agg('mean')",
    "people.groupby('sex').income.mean() * people.groupby('sex').size()",
    "people.groupby('sex').income.sum() / people.groupby('sex').weight.sum()",
    "{key: group.income.sum() for key, group in people.groupby('sex')}",
    "{key: group.income.sum() for key, group in people.groupby(['sex', 'age_group'])}",
    "[group.income.mean() for key, group in people.groupby('household')]",
    "people.groupby(['age_group', 'sex']).income.mean()['31-40']",
    "people.groupby('sex').income.sum().to_dict()",
    "people.groupby('sex').get_group('male').income.sum()",
    "pd.crosstab(people.age_group, people.sex, values=people.income, aggfunc='mean', margins=True)",
    "pd.crosstab(people.household, people.sex, values=people.income, aggfunc='sum', margins=True)",
    "pd.crosstab(people.age_group, people.sex, margins=True)",
    "people.pivot_table(values='income', index='household', columns='age_group', aggfunc='sum')",
    "people.pivot_table(values='income', index='household', columns='sex', aggfunc='mean', margins=True)",
    "people.pivot_table(values='income', index=['age_group', 'household'], columns='sex', aggfunc='sum', margins=True)",
    "people.pivot_table(values='income', index='sex', aggfunc='mean', margins=True)",
    "pd.pivot_table(people, values='income', index='sex', columns='age_group', margins=True, margins_name='Total')",
    "people.assign(double=people.income * 2).groupby('sex').double.sum()",
    "np.where(people.sex == 'male', people.income, people.age).sum()",
    "{'a': {'b': [people.income.sum(), (people.income.mean(), 3)]}, 2020: people.income.sum(), ('x', 1): people.income.sum()}",
    "people.income + people.age",
    "people[people.age > 30][['name', 'income']]",
    "people.income.sum() - people[people.name != 'ann'].income.sum()",
    "people.sex.value_counts() * people.income.sum()",
    "people.income.groupby(people.sex).sum().loc['male']",
    "people.age.std() + people.age.var() + people.age.median() + people.age.min() + people.income.sum()",
    "people.groupby('sex').agg(total=('income', 'sum'), mean=('income', 'mean'), age=('age', 'mean'))",
    "people.groupby('sex').income.agg(total='sum', mean='mean')",
    "people.groupby('sex').agg({'income': 'mean', 'age': 'mean'})",
    "people.groupby('sex').agg({'income': ['mean', 'sum'], 'age': 'mean'})",
    "people.pivot_table(values='income', index='age_group', columns='sex', aggfunc=['mean', 'sum'])",
    "people.income - people.groupby('sex').income.transform('mean')",
    "people.groupby('sex')[['income', 'age']].transform('sum')",
    "people.groupby('age_group').income.sum().cumsum()",
    "people.groupby('sex').income.cumsum()",
    "people.income.cumsum()",
    "people.groupby('age_group').income.mean().diff()",
    "people.groupby('age_group').income.mean().shift() * 2",
    "people.groupby('age_group').income.mean().shift(-1) + people.groupby('age_group').income.mean().diff(-1)",
    "pd.concat([people[people.age > 30], people[people.age <= 30]]).groupby('sex').income.mean()",
    "pd.concat([people[people.sex == 'male'].income, people[people.sex == 'female'].income]).sum()",
    "pd.concat([people.groupby('sex').income.mean(), people.groupby('age_group').income.mean()])",
    "people.rename(columns={'income': 'wage', 'sex': 'gender'}).groupby('gender').wage.sum()",
    "people.drop(columns=['name', 'age']).groupby('sex').income.sum()",
    "people.income.astype(float).sum() + people.age.astype('float64').mean()",
    "people.groupby('sex', as_index=False).income.mean()",
    "people.groupby(['sex', 'age_group'], as_index=False).agg(total=('income', 'sum'), n=('income', 'size'))",
    "people.groupby('age_group', sort=False).income.sum()",
    "people.groupby('sex').income.mean().reset_index()",
    "people.groupby(['sex', 'age_group']).income.sum().reset_index(name='total')",
    "people.groupby(['sex', 'age_group']).income.sum().unstack()",
    "people.groupby(['sex', 'age_group']).income.sum().unstack('sex', fill_value=0)",
    "people.groupby(['sex', 'age_group'])[['income', 'age']].mean().unstack()",
    "people.groupby(['sex', 'age_group']).income.sum().unstack(fill_value=0).stack()",
    "people.groupby('sex')[['income', 'age']].mean().T",
    "people.groupby('sex').apply(lambda g: np.average(g['income'], weights=g['weight']))",
    "people.groupby('sex').apply(lambda g: g.income.sum() / len(g))",
    "people.groupby('sex').income.apply(lambda x: x.sum() + x.mean())",
    "people.groupby('sex').income.agg(lambda x: x.sum() / len(x))",
    "people.groupby('sex').agg(total=('income', lambda x: x.sum()), age=('age', 'max'))",
    "people.groupby('sex').agg({'income': [np.sum, np.mean], 'age': ['min', 'max', 'std']})",
    "people.groupby('household').filter(lambda g: len(g) >= 2).groupby('sex').income.mean()",
    "people.groupby('sex').income.transform(lambda x: x - x.mean())",
    "people.groupby('sex').income.first() + people.groupby('sex').income.last()",
    "people.groupby('sex').income.shift() * 2",
    "people.groupby('sex').income.diff()",
    "people.assign(double=lambda d: d.income * 2, more=lambda d: d.double + d.age).groupby('sex').more.sum()",
    "people.query('age > 26 and sex == \"male\"').income.sum()",
    "people.query('age > 26 & sex in [\"male\"] | weight < 2').income.sum()",
    "people.query('not (20 < age < 30)').income.sum()",
    "people.sort_values(['age', 'name']).income.cumsum()",
    "people.sort_values(['sex', 'age'], ascending=[False, True]).head(3).income.sum()",
    "people.income.iloc[0] + people.iloc[1].income + people.iloc[2:4].income.sum() + people.income[:2].sum()",
    "people.head(3).income.sum() + people.tail(2).income.mean()",
    "people[['income', 'age']].sum(axis=1)",
    "people.apply(lambda row: row['income'] + 2 * row['age'], axis=1)",
    "people.income.map(lambda v: 12 * v + 1).sum()",
    "people.groupby(people.sex.map({'male': 'm', 'female': 'f'})).income.sum()",
    "people.assign(old=people.age.apply(lambda a: 'old' if a > 30 else 'young')).groupby('old').income.mean()",
    "people.groupby(pd.cut(people.age, [0, 30, 60]), observed=True).income.mean()",
    "people.groupby(pd.cut(people.age, [0, 30, 35, 60], right=False, labels=['a', 'z', 'b']), observed=True).income.mean()",
    "people.groupby(pd.cut(people.age, [0, 30, 35, 60], labels=False)).income.mean()",
    "people.groupby(pd.cut(people.age, [0, 30, 200, 300]), observed=False).income.sum()",
    "people[people.name.str.startswith('a')].income.sum()",
    "people[people.name.str.contains('a', regex=False)].income.mean()",
    "people.groupby(people.sex.str.upper()).income.mean()",
    "people.groupby(people.age_group.str[:2]).income.sum()",
    "people.groupby(people.name.str.len()).income.sum()",
    "people.merge(pd.DataFrame({'sex': ['male', 'female'], 'word': ['he', 'she']}), on='sex').groupby('word').income.mean()",
    "people.merge(pd.DataFrame({'s': ['male', 'male'], 'w': [1, 2]}), left_on='sex', right_on='s', how='left').groupby('w').income.sum()",
    "people.merge(people.groupby('sex').income.mean().reset_index(name='mean'), on='sex').assign(d=lambda x: x.income - x['mean']).d",
    "people.melt(id_vars=['sex'], value_vars=['income', 'age']).groupby(['sex', 'variable']).value.mean()",
    "people.set_index('name').income['ann'] + people.set_index('name').loc['ann', 'age']",
    "people.drop_duplicates('household').income.sum()",
    "people.income.where(people.sex == 'male', 0).sum() + people.income.mask(people.age > 30, 1).sum()",
    "np.select([people.age < 30, people.age < 40], [people.income, 2 * people.income], default=0).sum()",
    "people.income.rolling(2).mean()",
    "people.groupby('age_group').income.sum().rolling(2, min_periods=1).sum()",
    "people.sex.value_counts(normalize=True) * people.income.sum()",
    "pd.crosstab(people.sex, people.age_group, normalize='index') * people.income.sum()",
    "pd.crosstab(people.sex, people.age_group, normalize=True) * people.income.sum()",
    "people.groupby('sex')[['income', 'weight']].sum() / 1000 + 1",
    "people.groupby('sex').income.sum().div(1000).sub(1).mul(2)",
    "people.astype({'age': float})[['income', 'age']].mean()",
    "people.groupby(people.age.astype(str)).income.sum()",
    "people.replace({'male': 'm'}).groupby('sex').income.sum()",
    "sum(row.income * row.weight for row in people.itertuples())",
    "sum(row['income'] for _, row in people.iterrows())",
    "people.pipe(lambda d: d.income.sum())",
    "people.groupby('sex').income.sum().sort_index(ascending=False)",
    "people.groupby('sex').agg(total=pd.NamedAgg('income', 'sum'))",
    "people[['income', 'age']].agg({'income': 'sum', 'age': 'mean'})",
    "people.income.agg(['sum', 'mean'])",
    "people.filter(['income', 'age']).sum()",
    "people.add_prefix('x_').x_income.sum()",
    "people.groupby('sex').income.mean().to_frame('m').rename(columns={'m': 'mean'}).reset_index()",
    "pd.DataFrame({'a': people.income, 'g': people.sex}).groupby('g').a.sum()",
    "pd.concat([people.groupby('sex').income.mean().rename('m'), people.groupby('sex').income.sum().rename('s')], axis=1)",
    "people.groupby(['sex', 'age_group']).income.sum().groupby('sex').sum()",
    "people.groupby(['sex', 'age_group']).income.sum().groupby(level=1).mean()",
    "people.groupby(['sex', 'age_group']).income.sum().xs('male')",
    "people.groupby(['sex', 'age_group']).agg(a=('income', 'sum'), b=('income', 'mean')).xs('male')",
    "people.groupby(['sex', 'age_group']).agg(a=('income', 'sum'), b=('income', 'mean')).xs('21-30', level=1)",
    "people.groupby(['sex', 'age_group']).income.sum().loc[:, '21-30']",
    "people.groupby(['sex', 'age_group']).income.sum().loc[(slice(None), '21-30')]",
    "people.groupby(['sex', 'age_group']).agg({'income': ['sum', 'mean']})['income']",
    "people.groupby('sex').income.mean().reindex(['male', 'nobody', 'female'])",
    "people[['income', 'age']].agg(['sum', 'mean'])",
    "people.pivot_table(values=['income', 'age'], index='sex', aggfunc='mean')",
    "people.pivot_table(values=['weight', 'income'], index='sex', columns='age_group', aggfunc='sum')",
    "people.pivot_table(values='income', index='sex', aggfunc=np.sum)",
    "pd.crosstab(people.sex, people.age_group, values=people.income, aggfunc=np.mean)",
    "people.drop(people[people.age > 30].index).income.sum()",
    "people.dropna(how='all').income.sum()",
    "people.nlargest(3, 'age').income.sum() + people.nsmallest(2, 'age').income.sum()",
    "people.select_dtypes('number').sum()",
    "dict(people.groupby('sex').income.mean())",
    "float(people.income.mean())",
]

# A figure that the script rounds is judged as if it were published unrounded.
ROUNDED_SCRIPTS = [
    ("people.groupby('sex').income.mean().round(-2)", "people.groupby('sex').income.mean()"),
    ("(people.groupby('sex').income.mean() / 5).round() * 5", "people.groupby('sex').income.mean()"),
    ("people.groupby('sex')[['income', 'age']].mean().round(1)", "people.groupby('sex')[['income', 'age']].mean()"),
    ("round(people.income.mean(), 1) + round(people.age.mean(), 1)", "people.income.mean() + round(people.age.mean(), 1)"),
    ("people.income.sum() + people.age.astype(float).round(-1).sum()", None),
]


# What missing values do, added to a figure of the secret so that it is a figure too.
GAP_SCRIPTS = [
    "people.income.mean()",
    "people.income.sum() + people.income.count()",
    "people.income.sum() + people.income.size + people.shape[0] + len(people)",
    "people.income.sum() + people.age.mean()",
    "people.income.sum() + people.age.count() + people.sex.count() + people.member.count()",
    "people.income.sum() + people.age.min() + people.age.max()",
    "people.income.sum() + people.age.median()",
    "people.income.sum() + people.age.std()",
    "people.income.sum() + people.weight.var()",
    "people.income.sum() + people.sex.nunique() + len(people.sex.unique()) + len(people.age.unique())",
    "people.income.sum() + people.age.isna().sum() + people.sex.notna().sum() + people.income.isnull().sum()",
    "people[people.age > 30].income.mean()",
    "people[~(people.age > 30)].income.sum()",
    "people[people.sex != 'male'].income.sum()",
    "people[people.sex == people.sex].income.sum()",
    "people[people.age != people.household].income.sum()",
    "people[people.member == True].income.sum()",
    "people[people.age.isin([25, 31, 40])].income.sum()",
    "people[people.age.between(25, 40)].income.mean()",
    "people[people.income.notna() & people.age.isna()].income.sum()",
    "people.groupby('sex').income.mean()",
    "people.groupby('sex').income.count() + people.groupby('sex').income.sum()",
    "people.groupby('sex').size() + people.groupby('sex').income.sum()",
    "people.groupby('age').income.sum()",
    "people.groupby('member').income.mean()",
    "people.groupby(['sex', 'age_group']).income.mean()",
    "people.groupby(['age_group', 'household']).income.agg(['mean', 'sum', 'count', 'size'])",
    "people.groupby('sex')[['income', 'weight', 'age']].mean()",
    "people.groupby('sex')[['income', 'weight', 'age']].sum()",
    "people.groupby(people.age > 30).income.mean()",
    "people.income.groupby(people.sex).mean()",
    "[group.income.mean() for key, group in people.groupby('household')]",
    "[group.income.sum() + len(group) for key, group in people.groupby(['sex', 'household'])]",
    "pd.crosstab(people.sex, people.age_group, values=people.income, aggfunc='mean')",
    "pd.crosstab(people.sex, people.age_group, values=people.income, aggfunc='sum')",
    "pd.crosstab(people.sex, people.age_group, values=people.income, aggfunc='mean', margins=True)",
    "pd.crosstab(people.sex, people.age_group, values=people.income, aggfunc='sum', margins=True)",
    "people.pivot_table(values='income', index='household', columns='sex', aggfunc='mean')",
    "people.pivot_table(values='income', index='household', columns='sex', aggfunc='mean', margins=True)",
    "people.pivot_table(values='income', index='household', columns='sex', aggfunc='sum', fill_value=0)",
    "people.pivot_table(values='income', index='sex', aggfunc='mean')",
    "people.income.sum() * pd.crosstab(people.sex, people.age_group).loc['male'].sum()",
    "people[['income', 'age', 'weight']].mean()",
    "people[['income', 'age', 'weight']].sum()",
    "people[['income', 'age', 'weight']].count() + people.income.sum()",
    "people.income + people.age",
    "(people.income * people.weight).sum() / people.weight.sum()",
    "(people.income * people.weight).sum() / people[people.income.notna()].weight.sum()",
    "people.income.sum() + (people.age ** 0).sum() + (1 ** people.age).sum() + (people.age // 7).sum()",
    "people.income @ people.weight",
    "np.dot(people.weight, people.income)",
    "np.average(people.income, weights=people.weight)",
    "np.sum(people.income)",
    "sum(people.income)",
    "people.income.to_numpy().sum()",
    "people.income.values.mean()",
    "np.where(people.age > 30, people.income, 0).sum()",
    "people.income.fillna(0).mean()",
    "people.income.fillna(people.income.mean()).sum()",
    "people.income.sum() + people.age.fillna(0).mean() + people.age.fillna(people.age.mean()).sum()",
    "people[people.sex.fillna('male') == 'male'].income.sum()",
    "people.income.dropna().sum()",
    "people.dropna().income.mean()",
    "people.dropna(subset=['sex']).income.mean()",
    "people.dropna(subset=['sex', 'income']).groupby('sex').income.mean()",
    "people.sex.value_counts() * people.income.sum()",
    "people.income.mean() - people[people.sex == 'male'].income.mean()",
    "people[people.household == 99].income.mean()",
    "people[people.household == 99].income.sum() + people.income.sum()",
    "people.assign(rest=people.income - people.age).groupby('sex').rest.mean()",
    "{key: group.age.mean() + group.income.sum() for key, group in people.groupby('sex')}",
    "people.income - people.groupby('sex').income.transform('mean')",
    "people.groupby('sex').income.transform('sum')",
    "people.groupby('age_group').income.sum().cumsum()",
    "people.groupby('age_group').income.cumsum()",
    "people.income.cumsum()",
    "people.groupby('age_group').income.mean().diff()",
    "people.groupby('age_group').income.mean().shift(2)",
    "people.groupby('sex').agg(total=('income', 'sum'), mean=('income', 'mean'))",
    "people.groupby('sex').agg({'income': ['mean', 'sum']})",
    "people.pivot_table(values='income', index='age_group', columns='sex', aggfunc=['mean', 'sum'])",
    "pd.concat([people[people.age > 30], people[people.age <= 30]]).groupby('sex').income.mean()",
]


def gapped(seed: int) -> pd.DataFrame:
    """A table with gaps in every column, now and then in none."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 40))
    people = pd.DataFrame(
        {
            "name": [f"p{row}" for row in range(count)],
            "sex": random.choice(["male", "female"], count),
            "age_group": random.choice(["21-30", "31-40", "41-50"], count),
            "age": random.integers(21, 50, count),
            "weight": random.choice([0.5, 1.0, 2.0, 3.25], count),
            "household": random.integers(1, 5, count),
            "member": random.choice([True, False], count),
            "income": random.integers(100, 900, count) / random.choice([1, 8]),
        }
    )
    for column in people.columns:
        share = random.choice([0.0, 0.1, 0.4])
        people[column] = people[column].astype(object).where(random.random(count) >= share, None)
    if people.income.isna().all():
        people.loc[0, "income"] = 500
    return people


def documented() -> List[str]:
    """The examples of the language page that are not refused."""
    page = (ROOT / "docs" / "language.md").read_text()
    blocks = [part.split("```\n", 1)[0] for part in page.split("```python\n")[1:]]
    return [block for block in blocks if block.startswith("# table: people\n") and "# refused:" not in block]


def program_of(body: str) -> str:
    if "def " in body:
        return body
    lines = body.splitlines() if "return " in body else [f"return {body}"]
    inner = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\nimport pandas as pd\n\n\ndef release(people):\n{inner}"


def lift(script: Path, table: str, secret: str) -> Dict[str, float]:
    """The figures that the library finds, by their names."""
    program = os.environ.get("PRIVUG_LIFT", str(ROOT / "target" / "release" / "examples" / "lift"))
    arguments = [program, str(script), table, secret, "Normal(0, 1)"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["figures"]


def key_text(key: Any) -> str:
    parts = key if isinstance(key, tuple) else (key,)
    return ", ".join(str(part) for part in parts if str(part) != "")


def label_columns(frame: pd.DataFrame) -> List[Any]:
    """The first columns, if they hold strings and booleans by which rows without keys of their own differ."""
    is_label = [all(isinstance(each, (str, bool, np.bool_)) for each in frame[column]) for column in frame.columns]
    count = is_label.index(False) if False in is_label else 0
    has_keys = isinstance(frame.index, pd.MultiIndex) or not pd.api.types.is_integer_dtype(frame.index)
    if count == 0 or has_keys or frame.index.name is not None or frame.iloc[:, :count].duplicated().any():
        return []
    return list(frame.columns[:count])


def figures(value: Any, path: str = "") -> List[Tuple[str, float]]:
    """All numbers in a result, under the names that the library gives them."""

    def inside(name: str) -> str:
        return f"{path}[{name}]" if path else name

    if isinstance(value, dict):
        found = []
        for key, element in value.items():
            step = (f"{path}.{key}" if path else key) if isinstance(key, str) else inside(key_text(key))
            found += figures(element, step)
        return found
    if isinstance(value, (list, tuple, np.ndarray, zip)):
        return [figure for index, element in enumerate(value) for figure in figures(element, f"{path}[{index}]")]
    if isinstance(value, pd.Series):
        return [figure for key, element in value.items() for figure in figures(element, inside(key_text(key)))]
    if isinstance(value, pd.DataFrame):
        found = []
        labels = label_columns(value)
        for key, row in value.iterrows():
            key = tuple(row[: len(labels)]) if labels else key
            for column in value.columns[len(labels) :]:
                found += figures(row[column], inside(f"{key_text(key)}, {key_text(column)}"))
        return found
    if isinstance(value, str) or (isinstance(value, (float, np.floating)) and math.isnan(value)):
        return []
    return [(path, float(value))]


def run(program: str, table: pd.DataFrame) -> Dict[str, float]:
    # What a script rounds is judged as if it were published unrounded.
    scope: Dict[str, Any] = {"round": lambda value, digits=None: value}
    exec(program, scope)  # noqa: S102 - the scripts are those of this repository
    return dict(figures(scope["release"](table.copy())))


def dependent(program: str, table: pd.DataFrame, secret: str) -> Tuple[List[Tuple[str, float]], bool]:
    """The figures that depend on the secret, which are those that change with it; and whether there is only one."""
    expected = run(program, table)
    changed = table.copy()
    changed[secret] = table[secret] * 1.37 + np.arange(len(table))
    others = run(program, changed)
    return [(name, value) for name, value in expected.items() if others[name] != value], list(expected) == [""]


def compare(program: str, script: Path, csv: Path, name: str, secret: str) -> None:
    expected, single = dependent(program, pd.read_csv(csv), secret)
    found = list(lift(script, f"{name}={csv}", f"{name}.{secret}").items())
    if not single:
        # A single figure is called by its text.
        assert [key for key, _ in found] == [key for key, _ in expected]
    assert len(found) == len(expected)
    for (key, got), (_, wanted) in zip(found, expected):
        assert math.isclose(got, wanted, rel_tol=RELATIVE_ERROR), (key, got, wanted)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", SCRIPTS + documented())
def test_scripts_publish_what_pandas_computes(body: str, tmp_path: Path) -> None:
    program = program_of(body)
    script = tmp_path / "release.py"
    script.write_text(program)
    compare(program, script, PEOPLE, "people", "income")


@pytest.mark.parametrize("body, unrounded", ROUNDED_SCRIPTS)
def test_rounded_figures_are_those_before_rounding(body: str, unrounded: Optional[str], tmp_path: Path) -> None:
    script = tmp_path / "release.py"
    script.write_text(program_of(body))
    scope: Dict[str, Any] = {}
    exec(program_of(unrounded or body), scope)  # noqa: S102 - the scripts are those of this repository
    expected = [value for name, value in figures(scope["release"](pd.read_csv(PEOPLE))) if "age" not in name]
    found = list(lift(script, f"people={PEOPLE}", "people.income").values())
    assert found == pytest.approx(expected, rel=RELATIVE_ERROR)


@pytest.mark.filterwarnings("ignore")
def test_whatever_is_lifted_is_what_pandas_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can be done with each kind of object: it is refused, or it is the same number."""
    # Some of it writes files.
    monkeypatch.chdir(tmp_path)
    data = PEOPLE.parent
    objects, uses = ((data / name).read_text().splitlines() for name in ("table_objects.txt", "table_uses.txt"))
    imports = "import math\nimport numpy as np\nimport pandas as pd\n\n\n"

    def lifted(number: int, body: str) -> Tuple[str, Optional[List[float]]]:
        script = tmp_path / f"{number}.py"
        script.write_text(f"{imports}def release(people):\n    return {body}\n")
        try:
            return script.read_text(), list(lift(script, f"people={PEOPLE}", "people.income").values())
        except AssertionError:
            return script.read_text(), None

    # All pairs in a thorough run, otherwise always the same third of them.
    pairs = [(thing, use) for at, thing in enumerate(objects) for place, use in enumerate(uses) if IS_THOROUGH or (at + place) % 3 == 0]
    bodies = [use.replace("X", f"({thing})") for thing, use in pairs]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lifted, range(len(bodies)), bodies))
    table = pd.read_csv(PEOPLE)
    compared = 0
    for body, (program, found) in zip(bodies, results):
        if found is None:
            continue
        # The text of a figure is that figure.
        figure = re.sub(r"return (?:str\((.*)\)|f'\{(.*)\}')$", r"return (\1\2)", program.rstrip())
        figure = re.sub(r"\.astype\(str\)$", "", figure)
        try:
            expected = [value for _, value in dependent(figure, table, "income")[0]]
        except Exception:
            # The language takes a few things that pandas does not.
            continue
        compared += 1
        same = [math.isclose(a, b, rel_tol=RELATIVE_ERROR) for a, b in zip(found, expected)]
        assert len(found) == len(expected) and all(same), (body, found, expected)
    assert compared > (800 if IS_THOROUGH else 250)


@pytest.mark.filterwarnings("ignore")
def test_missing_values_are_left_out_as_pandas_does(tmp_path: Path) -> None:
    """Random tables with gaps in every column: a script is refused, or publishes the same numbers."""
    scripts = []
    for number, body in enumerate(GAP_SCRIPTS + SCRIPTS):
        script = tmp_path / f"{number}.py"
        script.write_text(program_of(body))
        scripts.append((body, script))

    def checked(job: Tuple[int, str, Path]) -> Tuple[str, bool]:
        seed, body, script = job
        csv = tmp_path / f"{seed}.csv"
        try:
            found = list(lift(script, f"people={csv}", "people.income").items())
        except AssertionError as refusal:
            return str(refusal), False
        try:
            table = pd.read_csv(csv)
            everything = run(program_of(body), table)
            expected, single = dependent(program_of(body), table, "income")
        except Exception:
            # The language takes a few things that pandas does not.
            return "", True
        if single:
            # It is called by its text.
            found = [("", value) for _, value in found]
        missed = [key for key, _ in expected if key not in dict(found)]
        assert not missed, (seed, body, found, expected)
        for key, got in found:
            wanted = everything[key]
            assert math.isclose(got, wanted, rel_tol=RELATIVE_ERROR, abs_tol=1e-9), (seed, body, key, got, wanted)
        return "", True

    seeds = range(int(os.environ.get("PRIVUG_GAP_TABLES", "4")))
    for seed in seeds:
        gapped(seed).to_csv(tmp_path / f"{seed}.csv", index=False)
    jobs = [(seed, body, script) for seed in seeds for body, script in scripts]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(checked, jobs))
    refused = [(body, reason) for (_, body, _), (reason, accepted) in zip(jobs, results) if not accepted]
    assert len(refused) < len(jobs) // 5, refused


@pytest.mark.parametrize(
    ("name", "csv", "table", "secret"),
    [
        ("release.py", "incomes.csv", "people", "income"),
        ("margins.py", "incomes.csv", "people", "income"),
        ("department.py", "department.csv", "staff", "salary"),
    ],
)
def test_examples_publish_what_pandas_computes(name: str, csv: str, table: str, secret: str) -> None:
    script = AUDITS / name
    compare(script.read_text(), script, AUDITS / csv, table, secret)


def test_files_are_read_as_pandas_writes_them(tmp_path: Path) -> None:
    script = tmp_path / "release.py"
    script.write_text(program_of("people.groupby(['sex', 'member', 'born']).income.sum()"))
    people = pd.read_csv(PEOPLE)
    people["member"] = people.age > 30
    people["born"] = pd.to_datetime("2000-01-01") - pd.to_timedelta(people.age * 365, unit="D")
    people["born"] = people.born.dt.date.astype(str)
    people["sex"] = people.sex.astype("category")
    expected = None
    pytest.importorskip("pyarrow")
    for extension, write in {
        "csv": lambda path: people.to_csv(path, index=False),
        "parquet": lambda path: people.to_parquet(path),
        "feather": lambda path: people.to_feather(path),
    }.items():
        path = tmp_path / f"people.{extension}"
        write(path)
        found = lift(script, f"people={path}", "people.income")
        assert len(found) == 5
        expected = expected or found
        assert found == expected
