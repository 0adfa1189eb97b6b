"""What tables of means that cross tell about everybody, by a dense eigendecomposition of the figures' covariances: the
pseudo-inverse leaves out what is redundant, by a tolerance. Prints sums over all people of posterior means and variances.
Usage: crossing_tables.py PEOPLE.csv KEY*KEY …"""

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


def tables(keys):
    """The figure of each table that each person is in."""
    cells, first = [], 0
    for key in keys:
        cell = people.groupby(key.split("*")).ngroup().to_numpy()
        cells.append(cell + first)
        first += cell.max() + 1
    return np.array(cells), first


def by_tables(keys):
    cells, k = tables(keys)
    code = cells[0].astype(np.int64)
    for cell in cells[1:]:
        code = code * k + cell
    # People in the same cells of all tables are told the same about.
    _, first, group_of, count = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
    groups = cells[:, first]
    covariance = np.zeros((k, k))
    for one in groups:
        for other in groups:
            np.add.at(covariance, (one, other), count)
    sizes = np.bincount(cells.ravel(), minlength=k).astype(float)
    sums = np.bincount(cells.ravel(), weights=np.tile(truth, len(keys)), minlength=k)
    root = np.sqrt(sizes)
    values, vectors = np.linalg.eigh(covariance / np.outer(root, root))
    is_new = values > 1e-10 * values[-1]
    half = vectors[:, is_new] / np.sqrt(values[is_new]) / root[:, None]
    seen = sum(half[cell] for cell in groups)
    explained = np.einsum("gj,gj->g", seen, seen)
    shift = seen @ (half.T @ (sums - sizes * MEAN))
    return explained[group_of], shift[group_of], k, int(is_new.sum())


explained, shift, figures, rank = by_tables(sys.argv[2:])
left = VARIANCE * (1.0 - explained)
print(json.dumps({
    "figures": int(figures), "rank": rank, "disclosed": int((left < 1e-6 * VARIANCE).sum()),
    "sum_variance": left.sum(), "sum_mean": (MEAN + shift).sum(),
}))
