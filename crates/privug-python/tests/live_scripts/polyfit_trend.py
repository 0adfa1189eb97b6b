# table: CPSch3, secret: ahe
import numpy as np
import pandas as pd


def release(df):
    yearly = df.groupby("year")["ahe"].mean()
    slope, intercept = np.polyfit(yearly.index - 1992, yearly, 1)
    return {"slope": slope, "intercept": intercept}
