# table: Salaries, secret: salary, refused: P802 at 6
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("Salaries.csv")
df["salary"].hist(bins=20)
plt.savefig("hist.png")
