"""Groups of a million rows: pandas on a column of doubles, or on a secret column of which each sum is a form over its rows.
Usage: live_groupby.py floats|secrets ROWS GROUPS"""

import json
import sys
import time

import numpy as np
import pandas as pd
import privug
from privug._privug import Forms
from privug._secret_pandas import SecretColumn

kind, rows, groups = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
generator = np.random.default_rng(1)
key, values = generator.integers(0, groups, rows), generator.normal(450_000, 60_000, rows)


def peak() -> int:
    """The peak of this program alone: that of `getrusage` begins with that of whatever started it."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024


before = peak()
column = values.copy() if kind == "floats" else SecretColumn(Forms.of_secrets(np.arange(rows)), "income")
table = pd.DataFrame({"key": key, "income": column})
best = float("inf")
for _ in range(7):
    start = time.perf_counter()
    means = table.groupby("key")["income"].mean()
    best = min(best, time.perf_counter() - start)
used = peak() - before
numbers = means.to_numpy() if kind == "floats" else means.array._forms.at(values)
total = float((numbers * np.bincount(key, minlength=groups)).sum())
print(json.dumps({"seconds": best, "bytes": used, "first": float(numbers[0]), "total": total, "version": privug.__version__}))
