# table: Treatment, secret: re78
import pandas as pd


def release(df):
    g = df.groupby("treat")[["re75", "re78"]].mean()
    return (g.loc[True, "re78"] - g.loc[True, "re75"]) - (g.loc[False, "re78"] - g.loc[False, "re75"])
