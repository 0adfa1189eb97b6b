# table: Treatment, secret: re78
import pandas as pd


def release(df):
    t = df.pivot_table(index="ethn", columns="treat", values=["re75", "re78"], aggfunc=["mean", "count"])
    t.columns = ["_".join(map(str, c)) for c in t.columns]
    return t.round(1)
