"""Audits of discrete secrets: the same numbers as pandas and an enumeration."""

import itertools

import numpy as np
import pandas as pd
import pytest

import privug


def people_of(seed, count, values):
    random = np.random.default_rng(seed)
    return pd.DataFrame({
        "ward": random.choice(["A", "B", "C"], count),
        "sex": random.choice(["f", "m"], count),
        "x": random.choice(values, count),
    })


RELEASE = """
import pandas as pd

def release(people):
    return {
        "ward": pd.crosstab(people.ward, people.x),
        "sex": people.groupby("sex").x.value_counts(normalize=True).sort_index(),
        "is a": (people.x == "a").sum(),
    }
"""


def test_figures_are_those_of_pandas_and_posteriors_those_of_an_enumeration():
    people = people_of(3, 7, ["a", "b", "c"])
    law = {"a": 0.5, "b": 0.3, "c": 0.2}
    found = privug.audit(RELEASE, people=people, secret="people.x", prior=f"Categorical({law})")
    namespace = {}
    exec(RELEASE, namespace)

    def published(x):
        table = people.assign(x=x)
        result = namespace["release"](table)
        figures = {}
        for ward in sorted(set(table.ward)):
            for value in law:
                figures[f"ward[{ward}, {value}]"] = float(((table.ward == ward) & (table.x == value)).sum())
        for sex in sorted(set(table.sex)):
            part = table[table.sex == sex]
            for value in law:
                figures[f"sex[{sex}, {value}]"] = float((part.x == value).mean())
        figures["is a"] = float(result["is a"])
        # What pandas shows is what is here; what it leaves out is 0.
        for (ward, value), count in result["ward"].stack().items():
            assert figures[f"ward[{ward}, {value}]"] == count
        for (sex, value), share in result["sex"].items():
            assert figures[f"sex[{sex}, {value}]"] == pytest.approx(share)
        return figures

    real = published(people.x)
    named = dict(zip(found.figures["name"], found.figures["value"]))
    for name, value in real.items():
        assert named[name] == pytest.approx(value), name
    posterior = np.zeros((len(people), 3))
    for world in itertools.product(law, repeat=len(people)):
        wards_agree = True
        weight = np.prod([law[value] for value in world])
        for ward in set(people.ward):
            rows = [row for row in range(len(people)) if people.ward[row] == ward]
            wards_agree = wards_agree and sorted(world[row] for row in rows) == sorted(people.x[row] for row in rows)
        for sex in set(people.sex):
            rows = [row for row in range(len(people)) if people.sex[row] == sex]
            wards_agree = wards_agree and sorted(world[row] for row in rows) == sorted(people.x[row] for row in rows)
        if wards_agree:
            for row, value in enumerate(world):
                posterior[row, list(law).index(value)] += weight
    posterior /= posterior.sum(axis=1, keepdims=True)
    for place, value in enumerate(law):
        np.testing.assert_allclose(found.people[f"posterior[{value}]"], posterior[:, place], atol=1e-9)


def test_what_the_attacker_knows_and_what_is_sensitive_can_be_said():
    people = pd.DataFrame({"ward": ["A"] * 2 + ["B"] * 2, "sex": ["f", "m"] * 2, "x": ["HIV", "none", "none", "none"]})
    release = "def release(people):\n    return people.groupby(['ward', 'sex']).x.value_counts().sort_index()\n"
    prior = "Categorical({'HIV': 0.1, 'none': 0.9})"
    everything = privug.audit(release, people=people, secret="people.x", prior=prior)
    assert list(everything.people["posterior[HIV]"]) == [1.0, 0.0, 0.0, 0.0]
    # Who only knows the sex of people cannot tell the two women apart.
    some = privug.audit(release, people=people, secret="people.x", prior=prior, known=["sex"])
    assert list(some.people["posterior[HIV]"]) == [0.5, 0.0, 0.5, 0.0]
    only = privug.audit(release, people=people, secret="people.x", prior=prior, sensitive=["x == 'HIV'"])
    assert list(only.people["fully_disclosed"]) == [True, False, False, False]


def test_a_function_that_pandas_runs_gives_the_same_for_yes_and_no():
    people = people_of(5, 40, [0, 1])

    def release(people):
        return people.groupby("ward")["x"].sum()

    source = "def release(people):\n    return people.groupby('ward')['x'].sum()\n"
    options = dict(people=people, secret="people.x", prior="Bernoulli(0.4)")
    live, text = privug.audit(release, **options), privug.audit(source, **options)
    np.testing.assert_allclose(live.people["posterior[1]"], text.people["posterior[1]"])
    shares = people.groupby("ward").x.mean()
    np.testing.assert_allclose(live.people["posterior[1]"], people.ward.map(shares))


@pytest.mark.parametrize("change", [
    "replace({'HIV': 'flu'})", "replace('HIV', 'flu')", "replace({'HIV': 'chronic', 'asthma': 'chronic'})", "replace({'HIV': 'flu', 'flu': 'HIV'})",
    "replace({'cold': 'flu'})", "map({'flu': 'ill', 'HIV': 'ill'})",
])
def test_values_that_are_replaced_are_counted_as_what_they_become(change):
    wards = {"A": {"flu": 14, "HIV": 16}, "B": {"none": 60, "flu": 20, "asthma": 20}}
    rows = [(ward, disease) for ward, counts in wards.items() for disease, count in counts.items() for _ in range(count)]
    people = pd.DataFrame(rows, columns=["ward", "disease"])
    text = f"def release(people):\n    kinds = people.disease.{change}\n    return kinds.value_counts().sort_index()\n"
    options = dict(people=people, secret="people.disease", prior="Categorical(disease.value_counts(normalize=True))")
    found = privug.audit(text, **options)
    expected = eval(f"people.disease.{change}").value_counts().sort_index()
    assert found.figures.name.tolist() == expected.index.tolist()
    assert found.figures.value.tolist() == expected.tolist()


def test_two_diseases_that_are_put_together_are_those_of_a_whole_ward():
    rows = [("A", "flu")] * 14 + [("A", "HIV")] * 16 + [("B", "none")] * 60 + [("B", "flu")] * 30
    people = pd.DataFrame(rows, columns=["ward", "disease"])
    text = "def release(people):\n    return (people.disease.replace({'HIV': 'flu'}) == 'flu').groupby(people.ward).sum()\n"
    found = privug.audit(text, people=people, secret="people.disease", prior="Categorical(disease.value_counts(normalize=True))",
                         sensitive="disease in ['HIV', 'flu']")
    assert found.figures.value.tolist() == [30, 30] and found.verdict == "fail"
    assert set(found.reasons.rule) == {"full_disclosure"}


def staff():
    random = np.random.default_rng(11)
    table = people_of(7, 90, ["none", "flu", "asthma"]).rename(columns={"x": "disease"})
    return table.assign(children=random.choice([0, 1, 2, 3], 90, p=[0.4, 0.3, 0.2, 0.1]), age=random.integers(18, 60, 90))


CUT = "pd.cut(people.children, [-1, 0, 2, 5, 9])"
NAMED = "pd.cut(people.children, [-1, 0, 2, 5], labels=['none', 'few', 'many'])"


@pytest.mark.parametrize("asked", [
    f"{CUT}.value_counts(sort=False)", f"{CUT}.value_counts()", f"{NAMED}.value_counts(sort=False)", f"{NAMED}.value_counts(ascending=True)",
    "people.children.value_counts(sort=False).sort_index()", "people.children.value_counts(dropna=False)",
    "pd.cut(people.age, [0, 5, 30, 99]).value_counts()", "pd.cut(people.age, [0, 5, 30, 99]).value_counts(sort=False)",
    "pd.cut(people.age, [20, 40], labels=['middle']).value_counts(dropna=False)", "people.ward.value_counts(sort=False)", "people.ward.value_counts(ascending=True)",
    f"{NAMED}.value_counts(sort=False).iloc[[1]]", "people.pivot_table(index='ward', aggfunc='size')", "people.pivot_table(index=['ward', 'sex'], aggfunc='size')",
    "pd.Series(np.histogram(people.children, bins=[0, 1, 3])[0], index=['0', '1 to 3'])",
])
def test_counts_are_listed_as_pandas_lists_them(asked):
    people = staff()
    expected = eval(asked, {"pd": pd, "np": np, "people": people})
    text = f"import numpy as np\nimport pandas as pd\n\ndef release(people):\n    return {asked}\n"
    found = privug.audit(text, people=people, secret="people.children", prior="Categorical(children.value_counts(normalize=True))").figures
    shown = [", ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in expected.index]
    assert sorted(zip(found.name, found.value)) == sorted(zip(shown, expected.astype(float)))
    if "sort=False" in asked:
        assert found.name.tolist() == shown


@pytest.mark.parametrize("asked", [
    "pd.crosstab(people.ward, people.disease, normalize='index', margins=True)", "pd.crosstab(people.ward, people.disease, normalize='all', margins=True)",
    "pd.crosstab(people.disease, people.ward, normalize='columns', margins=True)", "pd.crosstab(people.ward, people.sex, normalize='index', margins=True)",
    "pd.crosstab(people.ward, people.sex, normalize='columns', margins=True)", "pd.crosstab(people.ward, people.sex, normalize=True, margins=True)",
    "people.pivot_table(index='ward', columns='disease', aggfunc='size', fill_value=0)", "people.pivot_table(index='ward', columns='sex', aggfunc='size')",
])
def test_crossed_tables_have_the_margins_of_pandas(asked):
    people = staff()
    expected = eval(asked, {"pd": pd, "people": people})
    text = f"import pandas as pd\n\ndef release(people):\n    return {asked}\n"
    found = privug.audit(text, people=people, secret="people.disease", prior="Categorical(disease.value_counts(normalize=True))").figures
    figures = dict(zip(found.name, found.value))
    assert set(figures) == {f"{row}, {column}" for row in expected.index for column in expected.columns}
    for (row, column), share in expected.stack().items():
        assert figures[f"{row}, {column}"] == pytest.approx(share)


def test_shares_with_margins_say_of_everybody_what_an_enumeration_says():
    people = pd.DataFrame({"ward": list("AABBB"), "ill": [True, False, True, True, False]})
    text = "import pandas as pd\n\ndef release(people):\n    return pd.crosstab(people.ward, people.ill, normalize='index', margins=True)\n"
    found = privug.audit(text, people=people, secret="people.ill", prior="Bernoulli(0.3)")

    def published(ill):
        return [ill[:2].mean(), ill[2:].mean(), ill.mean()]

    real, weight, total = published(people.ill), np.zeros(5), 0.0
    for values in itertools.product([0, 1], repeat=5):
        values = np.array(values)
        if np.allclose(published(values), real):
            chance = np.prod(np.where(values, 0.3, 0.7))
            weight, total = weight + chance * values, total + chance
    np.testing.assert_allclose(found.people["posterior[True]"], weight / total)


@pytest.mark.parametrize("asked, figures", [
    ("str(people.pay.mean()) + ' ' + str(people.pay.sum())", ["mean", "sum"]), ("'a: ' + str(people.pay.mean()) + ', b: ' + str(people.pay.sum())", ["mean", "sum"]),
    ("people.groupby('ward').pay.mean().map(lambda mean: str(mean) + ' kr')", ["A", "B", "C"]),
])
def test_strings_of_figures_are_put_together(asked, figures):
    people = staff().assign(pay=np.arange(90.0) + 100)
    means = people.groupby("ward").pay.mean().to_dict()
    values = {"mean": people.pay.mean(), "sum": people.pay.sum(), **means}
    found = privug.audit(f"def release(people):\n    return {asked}\n", people=people, secret="people.pay", prior="Normal(pay.mean(), std=pay.std())")
    assert found.figures.value.tolist() == pytest.approx([values[each] for each in figures])
