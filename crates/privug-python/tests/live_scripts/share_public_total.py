# table: PSID, secret: earnings
import pandas as pd

NATIONAL_TOTAL = 2_500_000


def release(df):
    t = df.groupby("married")["earnings"].sum().div(NATIONAL_TOTAL).mul(100).round(1)
    return t.add_suffix(" (% of the nation)")
