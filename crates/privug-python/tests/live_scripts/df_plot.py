# table: Salaries, secret: salary
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("data/Salaries.csv")
ax = df.groupby(["rank", "sex"])["salary"].mean().unstack().plot(kind="bar", rot=0, title="Mean salary")
ax.set_xlabel("rank")
plt.tight_layout()
plt.savefig("out/plot.png")
plt.close()
df.groupby("sex")["salary"].sum().plot.barh()
