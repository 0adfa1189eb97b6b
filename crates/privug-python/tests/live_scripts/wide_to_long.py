# table: Treatment, secret: re78
import numpy as np
import pandas as pd


def release(df):
    long = pd.wide_to_long(df[["id", "treat", "re74", "re75", "re78"]], stubnames="re", i="id", j="year").reset_index()
    return long.pivot_table(index="year", columns="treat", values="re")
