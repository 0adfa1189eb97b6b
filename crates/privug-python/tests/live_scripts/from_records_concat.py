# table: Salaries, secret: salary
import pandas as pd


def release(df):
    parts = []
    for by in ("rank", "sex", "discipline"):
        part = df.groupby(by)["salary"].mean().rename_axis("group").reset_index(name="mean")
        part.insert(0, "variable", by)
        parts.append(part)
    total = pd.DataFrame([{"variable": "all", "group": "", "mean": df["salary"].mean()}])
    return pd.concat(parts + [total], ignore_index=True)
