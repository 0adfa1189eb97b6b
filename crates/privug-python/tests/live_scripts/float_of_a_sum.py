# table: HI, secret: husby
import numpy as np
import pandas as pd


def release(df):
    w = df["wght"] / df["wght"].sum()
    return float((df["husby"] * w).sum())
