# table: PSID, secret: earnings, refused: P306 at 6
import pandas as pd


def release(df):
    return df["earnings"].quantile([0.1, 0.5, 0.9])
