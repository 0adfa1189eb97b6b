# table: Salaries, secret: salary
import pandas as pd
df = pd.read_csv("Salaries.csv")
lines = []
for sex, part in df.groupby("sex"):
    lines.append(f"{sex};{len(part)};{part['salary'].mean():.2f}")
print("\n".join(lines))
