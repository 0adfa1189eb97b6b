# table: Salaries, secret: salary
import numpy as np
import pandas as pd


from dataclasses import dataclass, asdict

@dataclass
class Row:
    rank: str
    n: int
    mean: float

def release(df):
    rows = [Row(rank, len(g), g["salary"].mean()) for rank, g in df.groupby("rank")]
    return pd.DataFrame([asdict(r) for r in rows])
