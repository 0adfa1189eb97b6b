# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    dummies = pd.get_dummies(df["rank"], dtype=float)
    return dummies.mul(df["salary"], axis=0).sum() / dummies.sum()
