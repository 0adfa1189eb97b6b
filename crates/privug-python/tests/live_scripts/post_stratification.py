# table: PSID, secret: earnings
import pandas as pd

POPULATION = {"married": 60_000, "divorced": 20_000, "never married": 20_000}


def release(df):
    df = df[df["married"].isin(POPULATION)].copy()
    sample = df["married"].value_counts()
    df["weight"] = df["married"].map(POPULATION) / df["married"].map(sample)
    return {"total": (df["weight"] * df["earnings"]).sum(), "mean": (df["weight"] * df["earnings"]).sum() / df["weight"].sum()}
