# table: spells, secret: benefit
import numpy as np
import pandas as pd


def release(df):
    df["start"] = pd.to_datetime(df["start"])
    df["month"] = df["start"].dt.to_period("M")
    return df.groupby("month")["benefit"].agg(["sum", "count"])
