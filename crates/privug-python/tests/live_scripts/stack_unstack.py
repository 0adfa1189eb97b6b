# table: Salaries, secret: salary
import pandas as pd


def release(df):
    wide = df.groupby(["rank", "sex"])["salary"].mean().unstack(level=-1)
    wide["gap"] = wide["Male"] - wide["Female"]
    return wide.stack().rename("value").reset_index()
