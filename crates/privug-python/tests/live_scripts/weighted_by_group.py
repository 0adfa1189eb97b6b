# table: HI, secret: husby
import pandas as pd


def wmean(g, value, weight):
    return (g[value] * g[weight]).sum() / g[weight].sum()


def release(df):
    by_region = df.groupby("region").apply(wmean, "husby", "wght")
    df["wx"] = df["husby"] * df["wght"]
    s = df.groupby("race")[["wx", "wght"]].sum()
    by_race = s["wx"] / s["wght"]
    return {"region": by_region, "race": by_race}
