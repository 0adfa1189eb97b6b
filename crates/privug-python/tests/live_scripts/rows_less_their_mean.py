# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    t = df.groupby(["rank", "discipline"])["salary"].mean().unstack()
    return t.sub(t.mean(axis=1), axis=0)
