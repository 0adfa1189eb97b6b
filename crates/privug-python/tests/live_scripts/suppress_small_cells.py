# table: Salaries, secret: salary
import numpy as np
import pandas as pd


def release(df):
    table = df.groupby(["rank", "discipline", "sex"])["salary"].agg(["count", "mean"])
    table["mean"] = table["mean"].where(table["count"] >= 10)
    table["count"] = table["count"].mask(table["count"] < 10)
    return table
