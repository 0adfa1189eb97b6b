# table: HI, secret: husby
import numpy as np
import pandas as pd


def release(df):
    f = lambda x: np.average(x, weights=df.loc[x.index, "wght"])
    return df.groupby(["region", "race"]).agg(mean=("husby", f), n=("husby", "count")).reset_index()
