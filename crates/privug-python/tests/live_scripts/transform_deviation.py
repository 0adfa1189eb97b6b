# table: Salaries, secret: salary
import pandas as pd


def release(df):
    df["dev"] = df.groupby(["rank", "discipline"])["salary"].transform(lambda s: s - s.mean())
    df["n"] = df.groupby("rank")["salary"].transform("count")
    return df[df["n"] > 20].groupby("sex")["dev"].mean()
