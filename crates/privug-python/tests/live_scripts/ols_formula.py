# table: Salaries, secret: salary
import pandas as pd
import statsmodels.formula.api as smf


def release(df):
    df = df.rename(columns={"yrs.service": "service"})
    fit = smf.ols("salary ~ C(sex) + service + discipline", data=df).fit()
    return fit.params.round(2)
