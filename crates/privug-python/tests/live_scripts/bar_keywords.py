# table: Salaries, secret: salary
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("data/Salaries.csv")
means = df.groupby("rank")["salary"].mean()
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 4), sharey=True)
left.bar(x=means.index, height=means.values, width=0.6, color="steelblue")
for place, value in enumerate(means):
    left.text(place, value, f"{value:,.0f}", ha="center")
right.axhline(y=df["salary"].mean(), color="grey", linestyle="--", label="all")
right.legend()
plt.suptitle("Salaries")
fig.savefig("out.png")
