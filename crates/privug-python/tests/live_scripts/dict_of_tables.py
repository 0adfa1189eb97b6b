# table: Salaries, secret: salary
import pandas as pd


class Report:
    def __init__(self, frame):
        self.frame = frame

    def table(self, *by):
        return self.frame.groupby(list(by))["salary"].mean()


def release(df):
    report = Report(df)
    return {" × ".join(by): report.table(*by) for by in [("rank",), ("sex",), ("rank", "sex")]}
