# table: CPSch3, secret: ahe
import pandas as pd


def release(df):
    return df.groupby("year")["ahe"].mean().ewm(span=3).mean()
