# table: SLID, secret: wages
import pandas as pd


def release(df):
    mask = df["language"].isin(["English", "French"]) & df["education"].notna() & ~df["wages"].isna()
    clean = df.loc[mask, ["language", "sex", "wages"]]
    return clean.groupby(["language", "sex"]).mean().squeeze()
