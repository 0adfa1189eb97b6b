# table: SLID, secret: wages
import pandas as pd


def stats(g):
    return pd.Series({"n": len(g), "valid": g["wages"].notna().sum(), "mean": g["wages"].mean(), "age": g["age"].mean()})


def release(df):
    return df.groupby("language").apply(stats)
