"""Everybody's posterior after a published count, by numpy: n people with n different priors, k of them said yes.
The distribution of the count one person after the other, then each person divided out again, from the end that is stable.
Usage: counts.py N K"""

import json
import sys
import time

import numpy as np

n, k = int(sys.argv[1]), int(sys.argv[2])
start = time.perf_counter()
p = np.array([0.02 + 0.9 * (i * 7919 % n) / n for i in range(n)])
q = 1.0 - p
# The count of those so far, scaled so that nothing underflows near k.
odds = 1.0
for _ in range(60):
    tilted = p * odds / (q + p * odds)
    odds *= np.exp((k - tilted.sum()) / (tilted * (1.0 - tilted)).sum())
p, q = p * odds / (q + p * odds), q / (q + p * odds)
count = np.zeros(n + 2)
count[0] = 1.0
for i in range(n):
    count[1 : i + 2] = count[1 : i + 2] * q[i] + count[: i + 1] * p[i]
    count[0] *= q[i]
# Without person i: others[j] = (count[j] - p·others[j - 1]) / q upwards, the mirror image downwards.
low = p <= 0.5
others = np.zeros(n)
part = np.zeros(low.sum())
for j in range(k):
    part = (count[j] - p[low] * part) / q[low]
others[low] = part
part = np.zeros((~low).sum())
for j in range(n, k - 1, -1):
    part = (count[j] - q[~low] * part) / p[~low]
others[~low] = part
posterior = p * others / count[k]
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "first": posterior[1], "total": float(posterior.sum())}))
