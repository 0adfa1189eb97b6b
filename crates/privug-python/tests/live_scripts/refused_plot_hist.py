# table: Salaries, secret: salary, refused: P802 at 5
import pandas as pd

df = pd.read_csv("Salaries.csv")
df["salary"].plot.hist(bins=30)
