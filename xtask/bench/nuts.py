"""NUTS on n people whose average is known, through PyMC with nutpie if it is installed. The average is observed with a
hundredth of its own deviation, because a sampler cannot observe exactly. Usage: nuts.py N"""

import json
import logging
import sys
import time

import numpy as np
import pymc as pm

logging.getLogger("pymc").setLevel(logging.ERROR)
n = int(sys.argv[1])
index = np.arange(n)
start = time.perf_counter()
with pm.Model():
    people = pm.Normal("people", 30.0 + index % 40, np.sqrt(1.0 + index % 9), shape=n)
    spread = float(np.sqrt(np.sum(1.0 + index % 9)) / n)
    pm.Normal("average", people.mean(), 0.01 * spread, observed=50.0)
    try:
        import nutpie  # noqa: F401

        sampler = "nutpie"
    except ImportError:
        sampler = "pymc"
    trace = pm.sample(draws=1000, tune=1000, chains=2, cores=1, random_seed=1, progressbar=False, nuts_sampler=sampler,
                      compute_convergence_checks=False)
samples = np.asarray(trace.posterior["people"])[..., 0].reshape(-1)
print(json.dumps({
    "seconds": time.perf_counter() - start, "mean": float(samples.mean()), "variance": float(samples.var()), "sampler": sampler,
}))
