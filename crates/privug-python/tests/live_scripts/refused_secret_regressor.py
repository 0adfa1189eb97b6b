# table: PSID, secret: earnings, refused: P301 at 7
import pandas as pd
import statsmodels.api as sm


def release(df):
    return sm.OLS(df["hours"], sm.add_constant(df[["earnings", "age"]])).fit().params
