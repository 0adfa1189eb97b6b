# table: Salaries, secret: salary
import pandas as pd


def release(df):
    t = df.groupby("discipline").agg({"salary": ["mean", "sum", "count"], "yrs.service": ["mean", "max"]})
    t.columns = ["_".join(c).strip("_") for c in t.columns.to_flat_index()]
    return t.reset_index()
