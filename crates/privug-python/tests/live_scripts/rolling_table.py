# table: spells, secret: benefit
import numpy as np
import pandas as pd


def release(df):
    df["start"] = pd.to_datetime(df["start"])
    m = df.set_index("start").resample("MS")["benefit"].agg(["sum", "count"])
    return m.rolling(3, min_periods=1).sum()
