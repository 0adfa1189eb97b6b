# table: Salaries, secret: salary
import pandas as pd


def release(df):
    t = df.groupby(["rank", "discipline", "sex"])["salary"].sum()
    return t.xs("A", level="discipline").swaplevel().sort_index()
