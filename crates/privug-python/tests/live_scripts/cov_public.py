# table: PSID, secret: earnings
import numpy as np
import pandas as pd


def release(df):
    return {"pandas": df["earnings"].cov(df["age"]), "numpy": np.cov(df["age"], df["hours"])[0, 1]}
