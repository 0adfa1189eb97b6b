# table: Salaries, secret: salary
import pandas as pd


def release(df):
    t = df.groupby("rank")["salary"].agg(["sum", "count"])
    t.loc["Total"] = t.sum()
    t["mean"] = t["sum"] / t["count"]
    return t
