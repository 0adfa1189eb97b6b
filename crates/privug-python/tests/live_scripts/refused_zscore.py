# table: Salaries, secret: salary, refused: P306 at 6
import pandas as pd


def release(df):
    z = (df["salary"] - df["salary"].mean()) / df["salary"].std()
    return z.groupby(df["sex"]).mean()
