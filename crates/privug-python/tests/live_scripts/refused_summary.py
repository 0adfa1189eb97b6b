# table: Salaries, secret: salary, refused: P306 at 7
import pandas as pd
import statsmodels.formula.api as smf


def release(df):
    return smf.ols("salary ~ sex", data=df).fit().summary()
