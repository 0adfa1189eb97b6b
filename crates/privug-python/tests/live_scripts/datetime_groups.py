# table: spells, secret: benefit
import pandas as pd


def release(df):
    df["start"] = pd.to_datetime(df["start"], errors="coerce")
    df = df.sort_values("start").set_index("start")
    yearly = df["benefit"].groupby(df.index.year).sum()
    by_month = df.groupby([df.index.year, df.index.month])["benefit"].sum().rename_axis(["year", "month"])
    window = df.loc["2020-01":"2020-06", "benefit"].sum()
    return {"yearly": yearly, "by_month": by_month, "window": window}
