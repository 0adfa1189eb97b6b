# table: PSID, secret: earnings
import numpy as np
import pandas as pd


def release(df):
    e = df["earnings"].values
    young = (df["age"] < 40).values
    return np.array([e[young].mean(), e[~young].mean(), e[young].sum() - e[~young].sum()])
