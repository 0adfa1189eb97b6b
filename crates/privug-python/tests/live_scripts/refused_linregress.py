# table: Salaries, secret: salary, refused: P306 at 8
import pandas as pd
from scipy.stats import linregress


def release(df):
    line = linregress(df["yrs.service"], df["salary"])
    return {"slope": line.slope, "p": round(line.pvalue, 3)}
