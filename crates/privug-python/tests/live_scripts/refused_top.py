# table: Salaries, secret: salary, refused: P802 at 6
import pandas as pd


def release(df):
    return df.nlargest(5, "salary")[["rank", "sex"]]
