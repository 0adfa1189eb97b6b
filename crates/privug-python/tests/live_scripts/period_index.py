# table: spells, secret: benefit
import pandas as pd


def release(df):
    df["month"] = pd.to_datetime(df["start"]).dt.to_period("Q").astype(str)
    return df.groupby("month")["benefit"].sum().to_dict()
