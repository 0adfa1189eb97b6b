# table: Treatment, secret: re78
import pandas as pd


def release(df):
    t = df.pivot_table(index="ethn", columns=["treat", "married"], values="re78", aggfunc="sum", fill_value=0)
    return t.T.groupby(level="treat").sum().T
