# table: Salaries, secret: salary
import json

import pandas as pd

df = pd.read_csv("Salaries.csv")
result = {"by rank": df.groupby("rank")["salary"].mean().to_dict(), "all": df["salary"].mean()}
with open("result.json", "w") as file:
    json.dump(result, file, indent=2)
