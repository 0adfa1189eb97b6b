# table: Salaries, secret: salary, refused: P304 at 7
import pandas as pd


def release(df):
    means = df.groupby("sex")["salary"].mean()
    if means["Male"] > means["Female"]:
        return means
    return means[::-1]
