# table: PSID, secret: earnings
import pandas as pd


def release(df):
    return df.groupby("married").agg(
        mean=("earnings", lambda s: s.sum() / len(s)),
        per_kid=("earnings", lambda s: s.sum() / max(df.loc[s.index, "kids"].sum(), 1)),
        n=("earnings", "count"),
    )
