# table: Treatment, secret: re78
import pandas as pd


def release(df):
    out = {}
    for by in ["treat", "ethn", "married"]:
        for year in (74, 78):
            column = f"re{year}"
            df[f"{column}_k"] = df[column] / 1000
            out[f"mean_{column}_by_{by}"] = df.groupby(by)[f"{column}_k"].mean().round(2)
    return out
