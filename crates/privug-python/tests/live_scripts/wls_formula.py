# table: HI, secret: husby
import numpy as np
import pandas as pd


import statsmodels.formula.api as smf

def release(df):
    m = smf.wls("husby ~ C(region) + kids618", data=df, weights=df["wght"]).fit()
    return m.params.to_frame("coef")
