# table: PSID, secret: earnings
import pandas as pd


def release(df):
    rows = []
    for status in sorted(df["married"].unique()):
        part = df[df["married"] == status]
        rows.append({"status": status, "n": len(part), "mean": part["earnings"].mean(), "total": part["earnings"].sum()})
    return pd.DataFrame(rows).set_index("status")
