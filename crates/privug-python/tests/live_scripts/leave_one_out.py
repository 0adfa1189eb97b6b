# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    g = df.groupby("rank")["salary"]
    loo = (g.transform("sum") - df["salary"]) / (g.transform("count") - 1)
    return loo.groupby(df["sex"]).mean()
