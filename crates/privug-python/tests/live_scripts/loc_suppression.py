# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    g = df.groupby(["rank", "sex"]).agg(n=("salary", "count"), total=("salary", "sum")).reset_index()
    g.loc[g["n"] < 8, "total"] = np.nan
    return g.dropna(subset=["total"])[["rank", "sex", "total"]]
