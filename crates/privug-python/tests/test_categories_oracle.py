"""Random small tables of texts, booleans and integers with random releases, as pandas computes them, against an enumeration
of everything that people could have. A release is refused, or everybody's posterior is that of the enumeration."""

import itertools
import os
import warnings

import numpy as np
import pandas as pd
import privug
import pytest

CASES = 24 * int(os.environ.get("PRIVUG_TESTS_TIMES", "1"))
VALUES = {"text": ["A", "B", "C"], "bool": [False, True], "int": [0, 1, 2, 4]}
DTYPES = {"text": object, "bool": bool, "int": int}
TABLES = ["people", "people[people.a == 'x']", "people[people.b == 'p']", "people[people.a != 'x']"]

#: What depends on which rows pandas shows of a table, and in which order; `T` is such a table.
SHAPED = ["T.head(1)", "T.tail(1)", "T.iloc[0]", "T.iloc[-1]", "T[:1]", "len(T)", "T.size", "T.shape[0]", "T.mean()",
          "T.count()", "T.cumsum()", "T.values[0]", "list(T)", "T.sort_index().head(1)", "T.reset_index().iloc[0, -1]",
          "T.round(1).tail(1)", "(T + 1).iloc[0]", "T.to_frame().iloc[0, 0]", "sorted(T)", "T.tolist()", "T.index[0]",
          "np.array(T)[0]", "[v for v in T][0]", "next(iter(T.to_dict().values()))", "T.reset_index(drop=True)[0]"]
COUNTS = ["people.s.value_counts()", "people.groupby('a').s.value_counts()", "people.groupby(['a', 's']).size()",
          "pd.crosstab(people.a, people.s).loc[people.a[0]]", "pd.crosstab(people.s, people.b)[people.b[0]]"]


def figure(random, kind, values):
    """One figure of a release."""
    keys = [["a"], ["b"], ["a", "b"]][random.integers(3)]
    by, rows, value = repr(keys if len(keys) > 1 else keys[0]), TABLES[random.integers(4)], repr(values[random.integers(len(values))])
    if kind == "text":
        forms = [f"{rows}.s.value_counts().sort_index()", f"people.groupby({by}).s.value_counts().sort_index()", f"pd.crosstab({rows}.{keys[0]}, {rows}.s)",
                 f"pd.crosstab({rows}.{keys[0]}, {rows}.s, margins=True)", f"({rows}.s == {value}).sum()", f"({rows}.s == {value}).mean()",
                 f"people.assign(t=people.s == {value}).groupby({by}).t.mean()", f"people.groupby({keys + ['s']!r}).size()",
                 f"{rows}.s.value_counts(normalize=True).sort_index()", f"pd.crosstab({rows}.{keys[0]}, {rows}.s, normalize='index')"]
    elif kind == "bool":
        forms = [f"{rows}.s.mean()", f"{rows}.s.sum()", f"people.groupby({by}).s.mean()", f"people.groupby({by}).s.sum()",
                 f"(~{rows}.s).sum()", f"pd.crosstab({rows}.{keys[0]}, {rows}.s, margins=True)", f"{rows}.s.value_counts().sort_index()"]
    else:
        forms = [f"{rows}.s.sum()", f"{rows}.s.mean()", f"people.groupby({by}).s.sum()", f"people.groupby({by}).s.mean()",
                 f"({rows}.s >= {value}).sum()", f"({rows}.s * 2 + 1).sum()", f"{rows}.s.value_counts().sort_index()", f"people.groupby({by}).s.median()"]
    return forms[random.integers(len(forms))]


def told(result):
    """Everything that somebody sees of a release."""
    if isinstance(result, dict):
        return [(str(key), told(value)) for key, value in result.items()]
    if isinstance(result, (list, tuple)):
        return [told(value) for value in result]
    if isinstance(result, pd.DataFrame):
        return [[str(label) for label in result.index], [str(label) for label in result.columns], told(result.to_numpy().ravel().tolist())]
    if isinstance(result, pd.Series):
        return [(str(key), told(value)) for key, value in result.items()]
    if isinstance(result, (int, float, np.number, np.bool_)):
        return None if result != result else round(float(result), 9)
    return str(result)


def table(random, kind, values, count):
    laws = np.round(random.dirichlet(np.full(len(values), 2.0), 2) * 0.9 + 0.1 / len(values), 3)
    laws[:, -1] = np.round(1 - laws[:, :-1].sum(axis=1), 3)
    people = pd.DataFrame({"a": random.choice(["x", "y"], count), "b": random.choice(["p", "q"], count), "k": random.integers(0, 2, count)})
    people["s"] = pd.Series([values[place] for place in random.integers(0, len(values), count)], dtype=DTYPES[kind])
    for place in range(len(values)):
        people[f"p{place}"] = laws[people.k.to_numpy(), place]
    probabilities = ", ".join(f"{value!r}: p{place}" for place, value in enumerate(values))
    return people, "Bernoulli(p1)" if kind == "bool" else f"Categorical({{{probabilities}}})"


def compare(text, people, prior, kind, values):
    """Whether the release was audited; it then agrees with the enumeration."""
    try:
        found = privug.audit(text, people=people, secret="people.s", prior=prior).to_dict()
    except privug.ProgramError:
        return False
    scope = {}
    exec(text, scope)

    def seen(assignment):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return told(scope["release"](people.assign(s=pd.Series(assignment, dtype=DTYPES[kind]))))

    real, weights = seen(list(people.s)), np.zeros((len(people), len(values)))
    for places in itertools.product(range(len(values)), repeat=len(people)):
        if seen([values[place] for place in places]) == real:
            weight = np.prod([people[f"p{place}"][row] for row, place in enumerate(places)])
            weights[np.arange(len(people)), places] += weight
    posteriors = weights / weights.sum(axis=1, keepdims=True)
    for person in found["people"]:
        row, known = person["row"] - 1, person["distribution"]
        if known["posterior"] is None:
            assert found["verdict"] != "pass", text
            continue
        got = {str(one["value"]): one["probability"] for one in known["posterior"]}
        for place, value in enumerate(values):
            assert got.get(str(value), 0.0) == pytest.approx(posteriors[row, place], abs=1e-9 + (known["bound"] or 0)), (text, row, value)
        if posteriors[row].max() > 1 - 1e-12:
            assert found["verdict"] == "fail", text
    return True


@pytest.mark.parametrize("seed", range(CASES))
def test_posteriors_are_those_of_an_enumeration(seed):
    random = np.random.default_rng(seed)
    kind = list(VALUES)[seed % 3]
    values = VALUES[kind][: 2 + int(random.integers(len(VALUES[kind]) - 1))]
    people, prior = table(random, kind, values, int(random.integers(3, 7 if len(values) < 4 else 5)))
    figures = ", ".join(figure(random, kind, values) for _ in range(random.integers(1, 4)))
    assert compare(f"import pandas as pd\ndef release(people):\n    return [{figures}]\n", people, prior, kind, values), figures


@pytest.mark.parametrize("counts", COUNTS)
def test_the_shape_of_a_table_of_counts_is_not_taken_for_public(counts):
    audited = set()
    for seed, form in enumerate(["T", "T.sort_index()", *SHAPED]):
        random = np.random.default_rng(seed)
        people, prior = table(random, "text", ["A", "B", "C"], 4)
        text = f"import numpy as np\nimport pandas as pd\ndef release(people):\n    T = {counts}\n    return [{form}]\n"
        if compare(text, people, prior, "text", ["A", "B", "C"]):
            audited.add(form)
    # What is refused cannot be wrong: of all of these only the table itself may be published, if it is a whole one.
    assert audited <= {"T", "T.sort_index()"}


def test_labels_are_looked_up_whatever_the_shape():
    for seed, form in enumerate(["people.s.value_counts()['A']", "people.s.value_counts().sum()", "people.s.value_counts().get('B', 0)",
                                 "pd.crosstab(people.a, people.s)['A']", "pd.crosstab(people.a, people.s).loc['x', 'A']",
                                 "people.groupby(['a', 's']).size().unstack(fill_value=0)", "people.s.value_counts().sort_index().reset_index()",
                                 "people.s.value_counts().sort_index()", "people.s.value_counts().sort_index() / len(people)"]):
        people, prior = table(np.random.default_rng(seed), "text", ["A", "B", "C"], 5)
        people.loc[:2, "s"], people.loc[:1, "a"] = ["A", "B", "C"], ["x", "y"]
        people.loc[0, "a"] = "x"
        text = f"import pandas as pd\ndef release(people):\n    return {form}\n"
        found = privug.audit(text, people=people, secret="people.s", prior=prior)
        scope = {}
        exec(text, scope)
        real = scope["release"](people)
        numbers = [real] if np.isscalar(real) else np.ravel(real.select_dtypes("number") if isinstance(real, pd.DataFrame) else real)
        assert sorted(found.figures.published.dropna().tolist()) == pytest.approx(sorted(float(number) for number in numbers)), form
