# table: PSID, secret: earnings
import pandas as pd


def release(df):
    totals = {}
    for row in df.itertuples(index=False):
        totals[row.married] = totals.get(row.married, 0) + row.earnings
    return totals
