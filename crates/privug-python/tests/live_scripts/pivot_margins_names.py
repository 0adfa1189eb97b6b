# table: PSID, secret: earnings
import pandas as pd


def release(df):
    df["ten"] = df["age"] // 10 * 10
    return pd.pivot_table(df, values="earnings", index="ten", columns="married", aggfunc="sum", fill_value=0, margins=True, margins_name="All ages")
