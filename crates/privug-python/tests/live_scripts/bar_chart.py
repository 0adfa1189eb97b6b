# table: Salaries, secret: salary
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("data/Salaries.csv")
means = df.groupby("rank")["salary"].mean()
fig, ax = plt.subplots(figsize=(6, 4))
ax.bar(means.index, means.values)
ax.set_title("Mean salary")
ax.set_ylabel("dollars")
fig.tight_layout()
fig.savefig("out/means.png", dpi=150)
