# table: spells, secret: benefit
import pandas as pd


def release(df):
    monthly = df.assign(start=pd.to_datetime(df["start"])).set_index("start").resample("MS")["benefit"].sum()
    smooth = monthly.rolling(window=3, center=True).mean()
    return pd.DataFrame({"monthly": monthly, "smooth": smooth})
