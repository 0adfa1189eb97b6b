# table: SLID, secret: wages
import pandas as pd


def release(df):
    df = df.convert_dtypes() if False else df.astype({"age": "Int64", "sex": "string"})
    df["older"] = (df["age"] >= 40).astype("boolean")
    return df.groupby(["sex", "older"], observed=True, dropna=True)["wages"].mean().unstack("older")
