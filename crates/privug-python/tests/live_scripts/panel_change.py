# table: Treatment, secret: re78
import pandas as pd


def release(df):
    df["change"] = df["re78"] - df[["re74", "re75"]].mean(axis=1)
    return df.groupby("treat")["change"].agg(["mean", "count"]).T
