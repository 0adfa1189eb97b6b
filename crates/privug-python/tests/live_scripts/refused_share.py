# table: Salaries, secret: salary, refused: P302 at 7
import pandas as pd


def release(df):
    totals = df.groupby("rank")["salary"].sum()
    return totals / totals.sum() * 100
