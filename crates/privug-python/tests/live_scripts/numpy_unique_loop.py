# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    ranks, codes = np.unique(df["rank"], return_inverse=True)
    salary = df["salary"].to_numpy()
    out = np.zeros(len(ranks))
    for k in range(len(ranks)):
        out[k] = salary[codes == k].mean()
    return pd.Series(out, index=ranks)
