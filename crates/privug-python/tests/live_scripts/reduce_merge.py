# table: Salaries, secret: salary
from functools import reduce

import pandas as pd


def release(df):
    frames = [df[df["discipline"] == d].groupby("rank")["salary"].mean().rename(d).reset_index() for d in "AB"]
    return reduce(lambda a, b: a.merge(b, on="rank", how="outer"), frames).set_index("rank")
