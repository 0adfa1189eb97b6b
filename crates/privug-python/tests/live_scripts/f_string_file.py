# table: Salaries, secret: salary
import pandas as pd

df = pd.read_csv("Salaries.csv")
with open("report.txt", "w", encoding="utf-8") as out:
    out.write("Report\n")
    for (rank, sex), part in df.groupby(["rank", "sex"]):
        out.write(f"{rank}\t{sex}\t{part['salary'].mean():.2f}\n")
    print(f"mean: {df['salary'].mean()}", file=out)
