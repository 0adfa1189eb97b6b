# release: numbers of people and means by age, row by row
# why: the groups are large.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# live: passes
import csv

import pandas as pd

people = pd.read_csv("people.csv")
with open("means.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["band", "people", "mean"])
    for band, rows in people.groupby("band"):
        writer.writerow([band, len(rows), round(rows.income.mean(), 1)])
