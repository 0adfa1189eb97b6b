# table: Salaries, secret: salary, refused: P306 at 5
import pandas as pd

df = pd.read_csv("Salaries.csv")
df["salary"].plot(kind="kde")
