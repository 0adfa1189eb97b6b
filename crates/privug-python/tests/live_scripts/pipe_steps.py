# table: Salaries, secret: salary
import pandas as pd


def add_bands(frame, width):
    return frame.assign(band=(frame["yrs.service"] // width * width).astype(int))


def summarise(frame, by):
    return frame.groupby(by)["salary"].agg(["sum", "count", "mean"])


def release(df):
    return df.pipe(add_bands, width=15).pipe(summarise, by=["band", "sex"])
