# table: Salaries, secret: salary
import pandas as pd


def release(df):
    df["order"] = df.groupby("rank")["yrs.service"].rank(method="first")
    df["third"] = pd.qcut(df["order"], 3, labels=["low", "mid", "high"])
    return df.groupby(["rank", "third"], observed=True)["salary"].mean()
