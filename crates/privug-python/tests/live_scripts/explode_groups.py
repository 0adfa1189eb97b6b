# table: PSID, secret: earnings
import pandas as pd


def release(df):
    df["tags"] = [["all", "married"] if m == "married" else ["all"] for m in df["married"]]
    return df.explode("tags").groupby("tags")["earnings"].agg(["mean", "size"])
