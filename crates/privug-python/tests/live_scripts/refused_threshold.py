# table: PSID, secret: earnings, refused: P304 at 6
import pandas as pd


def release(df):
    return (df["earnings"] < 10_000).groupby(df["married"]).mean()
