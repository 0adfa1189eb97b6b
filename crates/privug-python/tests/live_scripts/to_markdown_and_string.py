# table: PSID, secret: earnings
import pandas as pd

df = pd.read_csv("PSID.csv")
t = df.groupby("married")["earnings"].agg(["mean", "count"]).round(0)
print(t.to_markdown())
print(t.to_string())
t.to_html("report.html")
