# table: Salaries, secret: salary
import pandas as pd


def release(df):
    return (
        df.rename(columns=lambda c: c.replace(".", "_"))
        .assign(
            senior=lambda d: d["yrs_service"] >= 20,
            k=lambda d: d["salary"] / 1_000,
        )
        .query("yrs_since_phd > 2")
        .groupby(["discipline", "senior"], as_index=False)
        .agg(mean_k=("k", "mean"), n=("k", "size"))
        .sort_values(["discipline", "senior"])
        .reset_index(drop=True)
    )
