# table: PSID, secret: earnings
import numpy as np
import pandas as pd


def release(df):
    X = df[["age", "kids"]].to_numpy(dtype=float)
    X = np.c_[np.ones(len(X)), X]
    y = df["earnings"].to_numpy(dtype=float)
    return np.linalg.solve(X.T @ X, X.T @ y)
