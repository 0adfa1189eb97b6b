# table: PSID, secret: earnings, refused: P302 at 6
import pandas as pd


def release(df):
    return df.loc[df["married"] == "married", "earnings"].mean() / df["earnings"].mean()
