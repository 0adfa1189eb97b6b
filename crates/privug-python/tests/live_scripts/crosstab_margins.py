# table: Salaries, secret: salary
import pandas as pd


def release(df):
    t = pd.crosstab([df["rank"], df["discipline"]], df["sex"], values=df["salary"], aggfunc="sum", margins=True, margins_name="Total")
    return t.fillna(0)
