# %% [markdown]
# # May this table be published?
#
# An office wants to publish mean incomes by region, age and sex. Nobody should be able to work out from the table what
# any one person earns. This notebook starts with a DataFrame, a function that computes the table, and an assumption about
# what an attacker already knows. It ends with a decision.

# %%
import tempfile
import time

import numpy as np
import pandas as pd

import privug

# %% [markdown]
# ## The data
#
# There are four hundred people. The attacker is assumed to know everything about them except their income.

# %%
generator = np.random.default_rng(2)
size = 400
people = pd.DataFrame(
    {
        "id": np.arange(1, size + 1),
        "region": generator.choice(["north", "south", "east", "west"], size, p=[0.3, 0.3, 0.25, 0.15]),
        "sex": generator.choice(["f", "m"], size),
        "age": generator.integers(20, 66, size),
    }
)
people["income"] = np.round(generator.normal(340 + 2.2 * people["age"], 60))
people.head()

# %% [markdown]
# ## The release
#
# The release is ordinary pandas code, written without privug in mind.


# %%
def release(people):
    people["band"] = pd.cut(people["age"], [19, 34, 49, 66], labels=["20-34", "35-49", "50-65"])
    return people.groupby(["region", "band", "sex"], observed=True)["income"].agg(["count", "mean"])


release(people.copy()).head()

# %% [markdown]
# ## The prior: what does the attacker believe beforehand?
#
# The prior is an expression in which the table's columns can be used. Older people earn more, and the attacker knows by how
# much, but not who is above or below the average for their age. A prior is an assumption, and a poor one makes every number
# that follows worthless. So the audit checks whether the data refute it, and would say so in its notes. (Try `std=5`.)

# %%
PRIOR = "Normal(340 + 2.2 * age, std=60)"
options = dict(people=people, secret="people.income", prior=PRIOR, person="id")
found = privug.audit(release, **options)
assert not any("refute" in note for note in found.notes)
found.notes

# %% [markdown]
# ## The verdict
#
# pandas itself ran the function: on a column of incomes whose values cannot be read, which shows how each figure
# depends on them, and on the real incomes.

# %%
found.verdict, found.reasons["message"].tolist()

# %%
found

# %% [markdown]
# Figures and people are DataFrames, with the field names of the JSON. These are the figures that must not be published as
# they are, and the people about whom most is learned:

# %%
found.figures.query("verdict == 'fail'")[["name", "value", "contributors", "rules"]]

# %%
columns = ["person", "prior_mean", "posterior_mean", "relative_std", "mutual_information_bits", "verdict"]
found.people.sort_values("relative_std")[columns].head()

# %%
found.plot();

# %% [markdown]
# ## The decision
#
# There are three ways out: suppress the figures about small groups, use wider age bands, or use none at all. A release with
# suppressed figures is audited like any other, because it may be possible to compute them from the rest.

# %%
small = found.figures.query("verdict == 'fail'")["name"].tolist()
suppressed = found.without(*small)


# %%
def wider(people):
    people["band"] = np.where(people["age"] < 43, "20-42", "43-65")
    return people.groupby(["region", "band", "sex"])["income"].agg(["count", "mean"])


def no_bands(people):
    return people.groupby(["region", "sex"])["income"].agg(["count", "mean"])


versions = {
    "as planned": found,
    "without small groups": suppressed,
    "wider bands": privug.audit(wider, **options),
    "no bands": privug.audit(no_bands, **options),
}
pd.DataFrame(
    {
        name: {
            "verdict": version.verdict,
            "figures": len(version.figures),
            "fewest people behind a figure": version.people["smallest_frequency"].min(),
            "uncertainty left at least": version.people["relative_std"].min(),
        }
        for name, version in versions.items()
    }
).T

# %% [markdown]
# Wider bands keep most of what readers want to know, and nobody is at risk. This version is published.

# %%
decision = versions["wider bands"]
assert decision.verdict == "pass"
decision.verdict

# %% [markdown]
# ## Next month
#
# A release that is safe on its own may not be safe together with earlier ones. A ledger keeps track of them. This month's
# total, and next month's total after one person has left, are each harmless, but together they reveal one income exactly.

# %%
ledger = tempfile.mkdtemp() + "/ledger.json"
with privug.Ledger(ledger, **options) as book:
    first = book.publish("May", book.people["income"].sum())
with privug.Ledger(ledger, **options) as book:
    second = book.publish("June", book.people[book.people["id"] != 17]["income"].sum())
assert (first.verdict, second.verdict) == ("pass", "fail")
second.audit.disclosed_by

# %% [markdown]
# ## What is refused
#
# Sums, means, differences and least-squares coefficients are linear, and everything about them is computed exactly. A
# median is not linear. It is refused at the line that computes it, with the reason; no number is made up.

# %%
try:
    privug.audit(lambda people: people.groupby("region")["income"].median(), **options)
except privug.ProgramError as error:
    print(error)

# %% [markdown]
# Part of a summary can be published even if all of it cannot:

# %%
privug.audit(lambda people: people.groupby("region")["income"].describe()[["count", "mean"]], **options).verdict

# %% [markdown]
# ## Checking a result by hand
#
# Take one mean of a hundred people, published with a little noise. The second argument of `Normal` is a variance; a standard
# deviation is given as `std=`.

# %%
ages = privug.Normal(35, std=2, size=100)


def average_age(ages):
    return sum(ages) / len(ages)


one = privug.analyze(average_age, ages=ages, observe="35.2±0.1", secret="ages[0]")
one

# %% [markdown]
# The mean of 100 people has prior variance 4/100 = 0.04, or 0.04 + 0.01 = 0.05 with the noise, and each person's covariance
# with it is 4/100. So one person's mean moves by 0.04/0.05 · 0.2 = 0.16, and the variance shrinks by 0.04²/0.05 = 0.032.

# %%
assert np.isclose(one.posterior.mean[0], 35.16, rtol=1e-13)
assert np.isclose(one.posterior.var[0], 3.968, rtol=1e-13)
one.leakage.mutual_information_bits, one.posterior.interval(0.95)

# %%
one.plot();

# %% [markdown]
# ## How much noise?
#
# The Gaussian mechanism of differential privacy adds noise. How does the leakage grow with ε, and which ε keeps it below a
# limit?


# %%
def noisy(incomes, epsilon):
    average = sum(incomes) / len(incomes)
    return privug.gaussian_mechanism(average, sensitivity=20, epsilon=epsilon, delta=0.01)


incomes = privug.Normal(470, std=50, size=10)
privug.sweep(noisy, {"epsilon": (0.1, 10)}, steps=5, log=True, incomes=incomes, secret="incomes[0]")

# %%
privug.calibrate(
    noisy, "epsilon", (0.1, 10), incomes=incomes, secret="incomes[0]", require="mutual_information_bits <= 0.02"
)

# %% [markdown]
# ## A million people
#
# Vector operations run in compiled code.


# %%
def publish(people):
    women = np.arange(people.size) % 2 == 0
    return people.mean(), people[women].mean(), people[:1000].mean()


start = time.perf_counter()
million = privug.analyze(
    publish, people=privug.Normal(35, std=2, size=1_000_000), secret="people[0]", observe=[35.001, 35.002, 35.03]
)
print(f"{time.perf_counter() - start:.2f} s")
million.posterior
