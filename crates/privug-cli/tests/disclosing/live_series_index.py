# release: a series of counts, under the labels of one person's value
# why: labels are published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import pandas as pd


def release(x):
    return {"total": x[1] + x[2], "counts": pd.Series([1, 1], index=[x[0], x[3]])}
