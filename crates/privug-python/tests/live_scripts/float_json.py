# table: Salaries, secret: salary
import json
import pandas as pd
df = pd.read_csv("Salaries.csv")
out = {k: float(v) for k, v in df.groupby("rank")["salary"].mean().items()}
json.dump(out, open("x.json", "w"))
