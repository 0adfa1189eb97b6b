# table: Salaries, secret: salary
import pathlib
import sys

import pandas as pd

HERE = pathlib.Path(__file__).parent if "__file__" in globals() else pathlib.Path(".")


def load():
    return pd.read_csv(HERE / "Salaries.csv", index_col=False)


data = load()
data = data[data["yrs.service"].between(1, 40)]
result = data.groupby("discipline")["salary"].agg(n="size", mean="mean").reset_index()
result.to_csv(sys.stdout, index=False)
