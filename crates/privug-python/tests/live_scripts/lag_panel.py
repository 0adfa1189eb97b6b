# table: CPSch3, secret: ahe
import pandas as pd


def release(df):
    t = df.groupby(["sex", "year"], as_index=False)["ahe"].mean().sort_values(["sex", "year"])
    t["previous"] = t.groupby("sex")["ahe"].shift(1)
    t["change"] = t["ahe"] - t["previous"]
    return t.dropna().set_index(["sex", "year"])["change"].unstack("sex")
