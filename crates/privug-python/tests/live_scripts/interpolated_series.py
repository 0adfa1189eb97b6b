# table: spells, secret: benefit
import numpy as np
import pandas as pd


def release(df):
    by = df.groupby(df["id"] // 10)["benefit"].mean()
    return np.interp([0.5, 1.5, 2.5], by.index, by.to_numpy())
