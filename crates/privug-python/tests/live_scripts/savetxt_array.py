# table: Salaries, secret: salary
import numpy as np
import pandas as pd

df = pd.read_csv("Salaries.csv")
means = df.groupby("rank")["salary"].mean()
np.savetxt("means.txt", means.to_numpy(), fmt="%.1f")
print(means.to_frame().T.to_string(index=False))
