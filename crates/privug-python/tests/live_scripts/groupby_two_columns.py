# table: Treatment, secret: re78
import pandas as pd


def release(df):
    return df.groupby(["ethn", "married"])[["re74", "re75", "re78"]].mean()
