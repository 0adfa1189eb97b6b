"""What the means of very many overlapping queries tell about everybody: one dense matrix of who is in which query, and the
pseudo-inverse of the queries' covariances, which leaves out what is redundant by a tolerance. Prints sums over all people of
posterior means and variances. Usage: overlapping_queries.py PEOPLE.csv QUERIES"""

import json
import os
import sys

# Two threads take more processor time, and seldom less time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd

MEAN, VARIANCE = 450_000.0, 60_000.0**2
people = pd.read_csv(sys.argv[1])
truth = people.income.to_numpy(float)
key = people.key.to_numpy(np.int64)
queries = int(sys.argv[2])

# The same halves as in the script.
chosen = np.empty((queries, len(people)))
for q in range(queries):
    mixed = key * (2 * q + 1) % 1048576 * 2654435761 % 4294967296
    chosen[q] = mixed // 65536 % 2 == 0
weights = chosen / chosen.sum(axis=1, keepdims=True)
values, vectors = np.linalg.eigh(weights @ weights.T)
is_new = values > 1e-10 * values[-1]
seen = (vectors[:, is_new] / np.sqrt(values[is_new])).T @ weights
explained = np.einsum("jp,jp->p", seen, seen)
shift = seen.T @ (seen @ (truth - MEAN))
left = VARIANCE * (1.0 - explained)
print(json.dumps({"rank": int(is_new.sum()), "sum_variance": left.sum(), "sum_mean": (MEAN + shift).sum()}))
