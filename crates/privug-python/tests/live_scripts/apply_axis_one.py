# table: Treatment, secret: re78
import pandas as pd


def monthly(row):
    if row["married"]:
        return row["re78"] / 12
    return row["re78"] / 12 * 1.5


def release(df):
    df["m"] = df.apply(monthly, axis=1)
    return df.groupby("treat")["m"].sum()
