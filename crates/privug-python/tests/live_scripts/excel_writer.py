# table: Salaries, secret: salary
import pandas as pd

df = pd.read_csv("data/Salaries.csv")
by_rank = df.groupby("rank")["salary"].mean()
by_sex = df.pivot_table(index="sex", columns="discipline", values="salary", aggfunc="sum")
with pd.ExcelWriter("out/tables.xlsx") as writer:
    by_rank.to_excel(writer, sheet_name="By rank")
    by_sex.to_excel(writer, sheet_name="By sex", float_format="%.0f")
