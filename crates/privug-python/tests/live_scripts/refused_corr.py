# table: Salaries, secret: salary, refused: P306 at 6
import pandas as pd


def release(df):
    return df[["salary", "yrs.service"]].corr()
