# release: bars of the means by age, with the ages below them
# why: the names of the bars stand in a public column.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
import matplotlib.pyplot as plt
import pandas as pd

people = pd.read_csv("people.csv")
means = people.groupby("band").income.mean()
figure, axes = plt.subplots(figsize=(6, 4))
axes.bar(means.index, means)
axes.set_title("Mean income")
figure.savefig("bars.png", dpi=150)
