# table: Salaries, secret: salary
import pandas as pd
df = pd.read_csv("Salaries.csv")
print("mean {:.1f}".format(df["salary"].mean()))
