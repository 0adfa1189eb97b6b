# table: Salaries, secret: salary, refused: P306 at 6
import pandas as pd


def release(df):
    return df.groupby("rank").agg(mean=("salary", "mean"), median=("salary", "median"))
