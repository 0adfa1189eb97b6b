# table: spells, secret: benefit
import pandas as pd


def release(df):
    df["year"] = pd.to_datetime(df["start"]).dt.year
    df = df.sort_values("start")
    df["running"] = df.groupby("year")["benefit"].cumsum()
    last = df.groupby("year")["running"].last()
    return last
