# table: Salaries, secret: salary
import pandas as pd


def release(df):
    df["rank"] = pd.Categorical(df["rank"], categories=["AsstProf", "AssocProf", "Prof", "Emeritus"], ordered=True)
    df["sex"] = df["sex"].astype("category")
    first = df.groupby(["rank", "sex"], observed=False)["salary"].sum().unstack("sex")
    second = df.groupby("rank", observed=True)["salary"].mean()
    return first, second
