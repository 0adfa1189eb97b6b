# table: PSID, secret: earnings
import pandas as pd
from sklearn.linear_model import LinearRegression


def release(df):
    X = df[["age", "hours", "kids"]]
    model = LinearRegression().fit(X, df["earnings"])
    at40 = model.predict(pd.DataFrame({"age": [40], "hours": [2000], "kids": [2]}))
    return {"slope": dict(zip(X.columns, model.coef_)), "at40": at40[0]}
