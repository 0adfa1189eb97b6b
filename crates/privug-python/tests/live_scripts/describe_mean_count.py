# table: Salaries, secret: salary
import pandas as pd


def release(df):
    return df.groupby("rank")["salary"].describe()[["count", "mean"]]
