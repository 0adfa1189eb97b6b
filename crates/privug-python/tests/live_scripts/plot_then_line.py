# table: Salaries, secret: salary
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("Salaries.csv")
ax = df.groupby("rank")["salary"].mean().plot.bar(color="grey")
ax.axhline(df["salary"].mean(), color="red")
ax.set_ylim(0, 200_000)
ax.set_title("Means")
plt.ylim(0, 200_000)
plt.savefig("out.png")
