"""The same elimination in Python's fractions: n people, k overlapping sums, the posterior of person 0.
Usage: exact_fractions.py N K"""

import json
import sys
import time
from fractions import Fraction

n, k = int(sys.argv[1]), int(sys.argv[2])
start = time.perf_counter()
mean = [Fraction(30 + i % 40) for i in range(n)]
variance = [Fraction(1 + i % 9, 7) for i in range(n)]
members = [[(i * i * (7919 * t + 104_729) + i * (31 * t + 17) + t * t) % 1_000_003 % 2 for i in range(n)] for t in range(k)]
# Each row: covariances with all sums, then with person 0, then value minus mean.
system = []
for t in range(k):
    chosen = [i for i in range(n) if members[t][i]]
    row = [sum((variance[i] for i in chosen if other[i]), Fraction(0)) for other in members]
    row.append(variance[0] if members[t][0] else Fraction(0))
    row.append(Fraction(10 * (t % 7 - 3)))
    system.append(row)
posterior_mean, posterior_variance = mean[0], variance[0]
for t in range(k):
    pivot, covariance, surprise = system[t][t], system[t][k], system[t][k + 1]
    posterior_mean += covariance * surprise / pivot
    posterior_variance -= covariance * covariance / pivot
    for later in range(t + 1, k):
        factor = system[later][t] / pivot
        if factor:
            for column in range(t, k + 2):
                system[later][column] -= factor * system[t][column]
print(json.dumps({"seconds": time.perf_counter() - start, "mean": str(posterior_mean), "variance": str(posterior_variance)}))
