# table: PSID, secret: earnings
import pandas as pd

df = pd.read_csv("in/PSID.csv", usecols=["married", "earnings", "hours"], dtype={"married": "category"})
out = df.groupby("married", observed=True).sum()
out.to_csv("out/sums.csv")
