# table: PSID, secret: earnings
from collections import defaultdict

import pandas as pd


def release(df):
    totals, counts = defaultdict(float), defaultdict(int)
    for _, row in df.iterrows():
        totals[row["kids"]] += row["earnings"]
        counts[row["kids"]] += 1
    return {k: totals[k] / counts[k] for k in sorted(totals) if counts[k] >= 5}
