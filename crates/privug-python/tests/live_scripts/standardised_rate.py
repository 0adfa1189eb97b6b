# table: PSID, secret: earnings
import numpy as np
import pandas as pd

STANDARD = pd.Series({30: 0.4, 40: 0.35, 50: 0.25})


def release(df):
    df["band"] = np.clip(df["age"] // 10 * 10, 30, 50)
    means = df.groupby("band")["earnings"].mean()
    return means.mul(STANDARD).sum(), means.reindex(STANDARD.index).to_numpy() @ STANDARD.to_numpy()
