# table: Salaries, secret: salary, refused: P205 at 9
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.patches import Rectangle

df = pd.read_csv("Salaries.csv")
fig, ax = plt.subplots()
total = df["salary"].sum()
ax.add_patch(Rectangle((0, 0), 1, 1, label="total"))
