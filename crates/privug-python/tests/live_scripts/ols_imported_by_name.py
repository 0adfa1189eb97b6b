# table: Salaries, secret: salary
import pandas as pd
from statsmodels.api import OLS, add_constant


def release(df):
    X = add_constant(pd.get_dummies(df[["sex", "discipline"]], drop_first=True).astype(float))
    return OLS(df["salary"], X).fit().params
