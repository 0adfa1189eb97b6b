# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    codes, labels = pd.factorize(df["rank"], sort=True)
    totals = np.bincount(codes, weights=df["salary"])
    counts = np.bincount(codes)
    return dict(zip(labels, totals / counts))
