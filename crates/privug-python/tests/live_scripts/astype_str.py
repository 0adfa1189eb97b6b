# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    t = df.groupby("rank")["salary"].mean()
    return t.round(1).astype(str)
