# table: PSID, secret: earnings
import pandas as pd


def release(df):
    df["band"] = pd.cut(df["age"], bins=[0, 34, 39, 44, 120], labels=["-34", "35-39", "40-44", "45+"], right=True)
    df["quarter"] = pd.qcut(df["hours"], 4, labels=False, duplicates="drop")
    return df.groupby("band", observed=True)["earnings"].mean(), df.groupby("quarter")["earnings"].mean()
