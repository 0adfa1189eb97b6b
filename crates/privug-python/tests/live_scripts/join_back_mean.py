# table: Salaries, secret: salary
import pandas as pd


def release(df):
    means = df.groupby("rank")["salary"].mean().rename("rank_mean").reset_index()
    df = df.merge(means, on="rank", how="left")
    df["gap"] = df["salary"] - df["rank_mean"]
    return df.groupby("sex")["gap"].mean()
