# table: Salaries, secret: salary
import pandas as pd

df = pd.read_csv("Salaries.csv")
with pd.ExcelWriter("out.xlsx", engine="openpyxl") as writer:
    df.groupby("rank")["salary"].mean().to_excel(writer, sheet_name="means", startrow=2)
    sheet = writer.sheets["means"]
    sheet["A1"] = df["salary"].sum()
    sheet.cell(row=1, column=2, value=df["salary"].mean())
    sheet.column_dimensions["A"].width = 20
