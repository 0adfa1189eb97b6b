# table: CPSch3, secret: ahe
import pandas as pd


def release(df):
    yearly = df.groupby(["sex", "year"])["ahe"].mean()
    smooth = yearly.groupby(level="sex").rolling(2, min_periods=1).mean().droplevel(0)
    return smooth.unstack("sex")
