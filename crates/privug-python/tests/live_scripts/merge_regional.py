# table: Salaries, secret: salary
import pandas as pd

names = pd.DataFrame({"discipline": ["A", "B"], "name": ["theoretical", "applied"], "staff": [1810, 2160]})


def release(df):
    totals = df.groupby("discipline", as_index=False)["salary"].sum()
    out = totals.merge(names, how="left", on="discipline", validate="one_to_one")
    out["per_head"] = out["salary"] / out["staff"]
    return out[["name", "per_head"]].set_index("name")
