# table: CPSch3, secret: ahe
import pandas as pd

BASE = 12.5


def release(df):
    means = df.groupby("year")["ahe"].mean()
    index = (means / BASE * 100).rename("index")
    change = index.diff().dropna()
    return pd.concat([means, index, change.rename("change")], axis=1)
