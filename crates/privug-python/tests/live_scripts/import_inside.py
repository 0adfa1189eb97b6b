# table: Salaries, secret: salary
import pandas as pd


def release(df):
    import statsmodels.formula.api as smf
    from scipy.stats import linregress

    fit = smf.ols("salary ~ C(sex)", data=df).fit()
    line = linregress(df["yrs.service"], df["salary"])
    at = fit.predict(pd.DataFrame({"sex": ["Female", "Male"]}))
    return {"fit": fit.params, "at": at, "slope": line.slope, "intercept": line.intercept}
