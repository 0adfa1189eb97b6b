# table: Salaries, secret: salary, refused: P306 at 6
import pandas as pd


def release(df):
    return df["salary"].clip(upper=150_000).groupby(df["rank"]).mean()
