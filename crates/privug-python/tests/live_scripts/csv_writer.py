# table: Salaries, secret: salary
import csv

import pandas as pd

df = pd.read_csv("Salaries.csv")
with open("result.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["rank", "mean"])
    for rank, part in df.groupby("rank"):
        writer.writerow([rank, part["salary"].mean()])
