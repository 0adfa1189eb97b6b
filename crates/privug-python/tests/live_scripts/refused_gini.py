# table: PSID, secret: earnings, refused: P802 at 7
import numpy as np
import pandas as pd


def release(df):
    x = np.sort(df["earnings"].to_numpy())
    n = len(x)
    return (2 * np.arange(1, n + 1) - n - 1) @ x / (n * x.sum())
