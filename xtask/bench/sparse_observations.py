"""The posterior of n people after nested and crossed group means, each published with a little noise, with a sparse
Cholesky factorisation: everybody's mean, and the variance of every (n / 1000)-th person.
Usage: sparse_observations.py N BLOCKS"""

import json
import sys
import time

import numpy as np
import scipy.sparse as sparse

INDUSTRIES = 22
NOISE_VARIANCE = 1e-4

n, blocks = int(sys.argv[1]), int(sys.argv[2])
districts, counties = blocks // 10, blocks // 100
i = np.arange(n, dtype=np.int64)
mean, variance = (30 + i % 40).astype(float), (1 + i % 9).astype(float)
block = i * blocks // n
district, county = block * districts // blocks, block * counties // blocks
industry = (i * i * 104_729 + 7 * i) % 1_000_003 % INDUSTRIES
kinds = [(block, blocks), (district, districts), (county, counties), (county * INDUSTRIES + industry, counties * INDUSTRIES),
         (industry, INDUSTRIES), (np.zeros(n, dtype=np.int64), 1)]
rows, first = [], 0
for group, count in kinds:
    rows.append(group + first)
    first += count
k = first
rows = np.concatenate(rows)
columns = np.tile(i, len(kinds))
sizes = np.bincount(rows, minlength=k).astype(float)
means = sparse.csr_matrix((1.0 / sizes[rows], (rows, columns)), shape=(k, n))
t = np.arange(k)
values = means @ mean + (t % 7 - 3) / 10.0


def cholmod_of_scikit_sparse(gram):
    from sksparse.cholmod import cholesky

    factor = cholesky(gram.tocsc())
    return "CHOLMOD (scikit-sparse)", factor, lambda right: factor(right)


def cholmod_of_cvxopt(gram):
    from cvxopt import cholmod, matrix, spmatrix

    lower = sparse.tril(gram).tocoo()
    system = spmatrix(lower.data, lower.row.astype(int), lower.col.astype(int), gram.shape)
    factor = cholmod.symbolic(system)
    cholmod.numeric(system, factor)

    def solve(right):
        solution = matrix(np.ascontiguousarray(right.T).reshape(-1), (gram.shape[0], right.size // gram.shape[0]), "d")
        cholmod.solve(factor, solution)
        return np.array(solution).reshape(right.shape)

    return "CHOLMOD (cvxopt)", factor, solve


def superlu_of_scipy(gram):
    from scipy.sparse.linalg import splu

    factor = splu(gram.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    return "SuperLU (scipy)", factor, factor.solve


def factorise(gram):
    for way in (cholmod_of_scikit_sparse, cholmod_of_cvxopt, superlu_of_scipy):
        try:
            return way(gram)
        except ImportError:
            continue
    raise SystemExit("no sparse solver")


for module in ("sksparse.cholmod", "cvxopt.cholmod", "scipy.sparse.linalg"):
    try:
        __import__(module)
    except ImportError:
        pass

start = time.perf_counter()
gram = (means.multiply(variance)) @ means.T + NOISE_VARIANCE * sparse.identity(k)
solver, factor, solve = factorise(gram)
factorised = time.perf_counter() - start
posterior_mean = mean + variance * (means.T @ solve(values - means @ mean))
means_known = time.perf_counter() - start
sample = np.arange(0, n, n // 1000)
chosen = means[:, sample].toarray()
explained = np.einsum("ks,ks->s", chosen, solve(chosen))
posterior_variance = variance[sample] - variance[sample] ** 2 * explained
sample_known = time.perf_counter() - start
print(json.dumps({
    "seconds": means_known, "factorised": factorised, "sample_known": sample_known, "k": k, "nonzeros": int(gram.nnz), "solver": solver,
    "sum_mean": posterior_mean.sum(), "sum_sampled_variance": posterior_variance.sum(),
}))
