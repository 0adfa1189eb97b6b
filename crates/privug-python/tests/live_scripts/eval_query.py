# table: PSID, secret: earnings
import pandas as pd


def release(df):
    df = df.eval("monthly = earnings / 12")
    df.eval("weekly = earnings / 52", inplace=True)
    limit = 30
    young = df.query("age <= @limit and hours > 0")
    return young[["monthly", "weekly"]].mean()
