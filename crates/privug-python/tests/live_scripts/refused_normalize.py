# table: Salaries, secret: salary, refused: P302 at 6
import pandas as pd


def release(df):
    return pd.crosstab(df["rank"], df["sex"], values=df["salary"], aggfunc="sum", normalize=True)
