# table: CPSch3, secret: ahe, refused: P306 at 6
import pandas as pd


def release(df):
    return df.groupby("year")["ahe"].mean().ewm(span=3).mean()
