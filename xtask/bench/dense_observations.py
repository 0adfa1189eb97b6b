"""The posterior of n people after k overlapping sums, with LAPACK: Gram matrix, Cholesky, everybody's mean and variance.
Usage: dense_observations.py N K"""

import json
import sys
import time

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

n, k = int(sys.argv[1]), int(sys.argv[2])
i = np.arange(n, dtype=np.int64)
mean, variance = (30 + i % 40).astype(float), (1 + i % 9).astype(float)
members = np.empty((k, n))
for t in range(k):
    members[t] = (i * i * (7919 * t + 104_729) + i * (31 * t + 17) + t * t) % 1_000_003 % 2
values = members @ mean + 10.0 * (np.arange(k) % 7 - 3)

start = time.perf_counter()
weighted = members * variance
gram = weighted @ members.T
factor = cho_factor(gram, lower=True, overwrite_a=True, check_finite=False)
posterior_mean = mean + weighted.T @ cho_solve(factor, values - members @ mean, check_finite=False)
half = solve_triangular(factor[0], weighted, lower=True, overwrite_b=True, check_finite=False)
posterior_variance = variance - np.einsum("ki,ki->i", half, half)
seconds = time.perf_counter() - start
print(json.dumps({
    "seconds": seconds, "sum_mean": posterior_mean.sum(), "sum_variance": posterior_variance.sum(), "solver": "LAPACK",
}))
