# table: Salaries, secret: salary
import pandas as pd


def release(df):
    top = df.sort_values(["yrs.service", "yrs.since.phd"], ascending=[False, True]).head(25)
    return top["salary"].mean(), df.nsmallest(25, "yrs.service")["salary"].mean()
