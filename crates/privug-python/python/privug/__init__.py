"""Privug tells, exactly, how much published statistics reveal about the people in the data.

>>> import privug
>>> def average_age(ages):
...     return sum(ages) / len(ages)
>>> found = privug.analyze(average_age, ages=privug.Normal(35, std=2, size=100), observe=44, secret="ages[0]")
>>> found.posterior.mean, found.posterior.var
(array([44.]), array([3.96]))
"""

from ._analysis import Analysis, Leakage, measure_names
from ._analyze import Calibration, analyze, calibrate, check, compare, sweep
from ._audit import Audit, audit
from ._beliefs import Belief
from ._discrete import Bernoulli, Binomial, Categorical, DiscreteUniform, Geometric, Poisson
from ._distribution import Distribution
from ._ledger import Ledger, Publication
from ._observed import noisy
from ._privug import (
    InternalError,
    NotGaussianError,
    ProgramError,
    Random,
    RandomVector,
    __version__,
    explain,
    measures,
)
from ._random import MultivariateNormal, Normal, Prior, condition, gaussian_mechanism, observe

__all__ = [
    "Analysis",
    "Audit",
    "Belief",
    "Bernoulli",
    "Binomial",
    "Calibration",
    "Categorical",
    "DiscreteUniform",
    "Distribution",
    "Geometric",
    "InternalError",
    "Leakage",
    "Ledger",
    "MultivariateNormal",
    "Normal",
    "NotGaussianError",
    "Poisson",
    "Prior",
    "ProgramError",
    "Publication",
    "Random",
    "RandomVector",
    "__version__",
    "analyze",
    "audit",
    "calibrate",
    "check",
    "compare",
    "condition",
    "explain",
    "gaussian_mechanism",
    "measure_names",
    "measures",
    "noisy",
    "observe",
    "sweep",
]
