# table: Treatment, secret: re78
import pandas as pd


def release(df):
    long = df.melt(id_vars=["id", "treat"], value_vars=["re74", "re75", "re78"], var_name="year", value_name="earnings")
    long["year"] = 1900 + long["year"].str[2:].astype(int)
    wide = long.pivot_table(index="year", columns="treat", values="earnings", aggfunc="mean")
    wide["difference"] = wide[True] - wide[False]
    return wide
