# table: CPSch3, secret: ahe, refused: P302 at 6
import pandas as pd


def release(df):
    return df.groupby("year")["ahe"].mean().pct_change()
