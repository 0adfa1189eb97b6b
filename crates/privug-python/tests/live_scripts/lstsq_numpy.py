# table: PSID, secret: earnings
import numpy as np
import pandas as pd


def release(df):
    X = np.column_stack([np.ones(len(df)), df["age"], df["hours"]])
    beta, *_ = np.linalg.lstsq(X, df["earnings"].to_numpy(), rcond=None)
    return pd.Series(beta, index=["const", "age", "hours"])
