# table: SLID, secret: wages
import pandas as pd


def release(df):
    df["wages"] = df["wages"].fillna(df.groupby("sex")["wages"].transform("mean"))
    return df.groupby("language", dropna=False)["wages"].mean()
