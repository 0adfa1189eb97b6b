# table: Salaries, secret: salary
import pandas as pd

df = pd.read_csv("data/Salaries.csv")
t = df.groupby("rank")["salary"].mean().to_frame()
t.style.format("{:,.0f}").to_html("out/t.html")
