# table: Salaries, secret: salary
import pandas as pd


def release(df):
    return df["salary"].describe().loc[["count", "mean"]]
