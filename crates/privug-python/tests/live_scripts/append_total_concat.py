# table: Salaries, secret: salary
import pandas as pd


def release(df):
    t = df.pivot_table(index="rank", columns="sex", values="salary", aggfunc="sum", observed=False)
    total = t.sum().to_frame("Total").T
    t = pd.concat([t, total])
    t["Both"] = t.sum(axis=1)
    return t
