# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    dummies = pd.get_dummies(df["rank"], dtype=float)
    totals = dummies.T.dot(df["salary"])
    return totals / dummies.sum()
