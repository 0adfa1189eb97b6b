# table: PSID, secret: earnings
import numpy as np
import pandas as pd


def release(df):
    conditions = [df["age"] < 35, df["age"].between(35, 44), df["age"] >= 45]
    df["ageband"] = np.select(conditions, ["<35", "35-44", "45+"], default="unknown")
    return df.groupby("ageband").agg(people=("earnings", "size"), total=("earnings", "sum"))
