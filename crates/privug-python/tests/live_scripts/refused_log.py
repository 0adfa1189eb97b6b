# table: PSID, secret: earnings, refused: P306 at 7
import numpy as np
import pandas as pd


def release(df):
    df["log"] = np.log(df["earnings"] + 1)
    return df.groupby("married")["log"].mean()
