# table: Salaries, secret: salary, refused: P306 at 8
import numpy as np
import pandas as pd


def release(df):
    g = df.groupby("rank")["salary"]
    return g.mean() + 1.96 * g.std() / np.sqrt(g.count())
