# table: Salaries, secret: salary
import pandas as pd


def total(s):
    return s.sum()


def release(df):
    return df.groupby("rank")["salary"].agg([total, "mean", lambda s: s.mean() / 12])
