# table: Salaries, secret: salary
from pathlib import Path

import pandas as pd

df = pd.read_csv(Path("data") / "Salaries.csv")
out = df.groupby(["rank"])["salary"].mean().round(2)
out.to_json("out/means.json", orient="index")
out.to_latex("out/means.tex")
