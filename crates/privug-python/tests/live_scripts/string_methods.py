# table: Salaries, secret: salary
import pandas as pd


def release(df):
    df["grade"] = df["rank"].str.replace("Prof", "", regex=False).str.lower().replace("", "full")
    df["label"] = df["sex"].str[0] + "/" + df["discipline"]
    mask = df["rank"].str.contains("Ass") & ~df["label"].str.startswith("F")
    return df[mask].groupby(["grade", "label"])["salary"].mean()
