# table: PSID, secret: earnings
import pandas as pd


def release(df):
    df.columns = df.columns.str.upper()
    df["MONTHLY"] = df["EARNINGS"].div(12)
    df.loc[df["HOURS"] == 0, "MONTHLY"] = 0
    df["GROUP"] = df["KIDS"].apply(lambda k: "none" if k == 0 else "some" if k < 3 else "many")
    return df.groupby("GROUP")[["MONTHLY"]].mean().T.to_dict("records")
