# table: PSID, secret: earnings
import pandas as pd


def release(df):
    adjusted = df["earnings"].where(df["hours"] > 0, 0).mask(df["age"] > 60, df["earnings"] * 0.5)
    return adjusted.groupby([df["married"], df["kids"].clip(upper=3)]).sum().unstack(fill_value=0)
