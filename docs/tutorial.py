# %% [markdown]
# # How much do published figures tell about one person?
#
# Privug answers this in five steps:
#
# 1. **Prior**: what does the attacker believe beforehand?
# 2. **Program**: which figures are computed from the data?
# 3. **Observations**: what was published?
# 4. **Inference**: what does the attacker believe afterwards?
# 5. **Analysis**: how much is that?
#
# This engine takes all of them exactly: beliefs are Gaussian, programs are linear, and there is no sampling.

# %%
import time

import numpy as np

import privug

# %% [markdown]
# ## The average age
#
# ### Step 1: the prior
#
# A hundred people; the attacker believes that each is about 35 years old, give or take 2. The second positional
# argument of `Normal` is a variance, so a standard deviation is given by its name.

# %%
ages = privug.Normal(35, std=2, size=100)
ages

# %% [markdown]
# ### Step 2: the program
#
# An ordinary Python function. Privug runs it on random variables that record what is done to them.


# %%
def average_age(ages):
    return sum(ages) / len(ages)


# %% [markdown]
# ### Steps 3 and 4: observation and inference
#
# The average was published as 44, seen through noise with a standard deviation of 0.1. What does that say about the
# first person?

# %%
start = time.perf_counter()
found = privug.analyze(average_age, ages=ages, observe="44±0.1", secret="ages[0]")
seconds = time.perf_counter() - start
found

# %% [markdown]
# The exact answer is a mean of 42.2 and a variance of 3.968. The tutorial of the existing tool, which samples with
# MCMC, takes 392 seconds for this example and gets a mean of 42.01.

# %%
print(f"mean {found.posterior.mean[0]:.12g}, variance {found.posterior.var[0]:.12g}, in {seconds * 1000:.1f} ms")

# %% [markdown]
# By hand: the average of 100 people has prior variance 4/100, and with the noise 0.04 + 0.01 = 0.05. Each person's
# covariance with it is 4/100, so the mean moves by 0.04/0.05 · (44 − 35) = 7.2, and the variance shrinks by
# 0.04²/0.05 = 0.032.

# %%
assert np.isclose(found.posterior.mean[0], 42.2, rtol=1e-13)
assert np.isclose(found.posterior.var[0], 3.968, rtol=1e-13)

# %% [markdown]
# ### Step 5: the analysis
#
# Every measure has the name that it has in the JSON. The mutual information is tiny (one person hardly moves an
# average), but the attacker's belief has moved far, because 44 is absurd under this prior. The report says so.

# %%
found.leakage.mutual_information_bits, found.leakage.kl_posterior_prior_bits, found.notes

# %%
found.posterior.interval(0.95), found.posterior.prob("x > 40"), found.prior.prob("x > 40")

# %%
found.plot();

# %% [markdown]
# ## The case study: public statistics
#
# A statistics agency publishes the average income of ten men aged 21 to 30. The attacker has an idea of everyone's
# income (variance 100) and wants to know that of the first man. Here the function is written in the style of the
# paper: priors and observations are inside, and it returns the secret.

# %%
from privug import Normal, condition, gaussian_mechanism

BELIEFS = [480_000, 490_000, 440_000, 420_000, 490_000, 490_000, 520_000, 490_000, 470_000, 400_000]


def agg():
    male_21_30 = [Normal(mean, 100) for mean in BELIEFS]
    male_21_30_average = sum(male_21_30) / len(male_21_30)
    condition("male_21_30_average", 472_000)
    return male_21_30[0]


case1 = privug.analyze(agg, truth=500_000)
case1

# %% [markdown]
# The same with the Gaussian mechanism of differential privacy: noise calibrated to ε = 0.9 and δ = 0.01, for incomes
# between 410 000 and 520 000.


# %%
def agg_dp(epsilon=0.9):
    male_21_30 = [Normal(mean, 100) for mean in BELIEFS]
    male_21_30_average = sum(male_21_30) / len(male_21_30)
    published = gaussian_mechanism(
        male_21_30_average, sensitivity=11_000, epsilon=epsilon, delta=0.01, calibration="classic"
    )
    condition(published, 472_000)
    return male_21_30[0]


dp_case1 = privug.analyze(agg_dp, truth=500_000)
privug.compare(plain=case1, private=dp_case1)

# %% [markdown]
# ### Choosing ε
#
# How does the leak grow with ε, and which ε keeps it below a limit?


# %%
def release(incomes, epsilon):
    average = sum(incomes) / len(incomes)
    return gaussian_mechanism(average, sensitivity=20, epsilon=epsilon, delta=0.01)


incomes = privug.Normal(470, std=50, size=10)
privug.sweep(release, {"epsilon": (0.1, 10)}, steps=5, log=True, incomes=incomes, secret="incomes[0]")

# %%
privug.calibrate(
    release, "epsilon", (0.1, 10), incomes=incomes, secret="incomes[0]", require="mutual_information_bits <= 0.02"
)

# %% [markdown]
# ### Exactly
#
# With `exact=True` everything is computed in rationals.

# %%
privug.analyze(agg, exact=True).exact

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
    publish, people=privug.Normal(35, std=2, size=1_000_000), secret="people[0]", observe=[35.1, 35.2, 35.0]
)
print(f"{time.perf_counter() - start:.2f} s")
million.posterior

# %% [markdown]
# ## What is not Gaussian
#
# A function that leaves the Gaussian world is refused, with the reason.

# %%
try:
    privug.analyze(lambda x, y: x * y, x=Normal(0, 1), y=Normal(0, 1))
except privug.NotGaussianError as error:
    print(error)
