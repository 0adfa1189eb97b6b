# table: spells, secret: benefit
import pandas as pd


def release(df):
    df["start"] = pd.to_datetime(df["start"])
    quarterly = df.groupby(pd.Grouper(key="start", freq="QS"))["benefit"].agg(["sum", "mean"])
    quarterly.index = quarterly.index.strftime("%Y-%m")
    return quarterly
