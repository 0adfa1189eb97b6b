# table: Salaries, secret: salary
import pandas as pd
df = pd.read_csv("Salaries.csv")
with open("report.txt", "w") as f:
    for rank, mean in df.groupby("rank")["salary"].mean().items():
        f.write(f"{rank}: {mean:.0f}\n")
