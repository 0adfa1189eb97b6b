# table: PSID, secret: earnings
import pandas as pd


def release(df):
    grouped = df.groupby(["married"])
    out = pd.DataFrame(index=grouped.groups.keys())
    out["n"] = grouped.size()
    out["earnings"] = grouped["earnings"].mean()
    out["hours"] = grouped["hours"].mean()
    out["hourly_base"] = out["earnings"] / 2000
    return out
