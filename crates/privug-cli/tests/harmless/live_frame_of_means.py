# release: a pandas table of the means of two groups of thirty
# why: each person is in one mean of thirty.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
import pandas as pd


def release(x):
    return pd.DataFrame({"mean": [sum(x[:30]) / 30, sum(x[30:]) / 30]}, index=["first", "second"])
