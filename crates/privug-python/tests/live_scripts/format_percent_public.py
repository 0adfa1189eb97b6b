# table: PSID, secret: earnings
import pandas as pd


def release(df):
    t = df.groupby("married")["earnings"].sum().to_frame("total")
    t["people"] = df.groupby("married").size()
    t["per person"] = t["total"] / t["people"]
    t.index = t.index.str.title()
    return t.sort_values("people", ascending=False)
