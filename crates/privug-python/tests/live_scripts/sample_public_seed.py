# table: Salaries, secret: salary
import pandas as pd


def release(df):
    part = df.sample(n=20, random_state=42)
    return part["salary"].mean(), df.drop(part.index)["salary"].mean()
