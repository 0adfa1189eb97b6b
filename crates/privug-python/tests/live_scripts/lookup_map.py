# table: Salaries, secret: salary
import pandas as pd

GROUP = {"AsstProf": "junior", "AssocProf": "senior", "Prof": "senior"}


def release(df):
    df["group"] = df["rank"].map(GROUP).fillna("other")
    t = df.groupby(["group", "sex"])["salary"].mean().unstack("sex")
    return t.assign(difference=t["Male"].sub(t["Female"])).round(0).astype(float)
