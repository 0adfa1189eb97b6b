# release: a table whose column is called after one person's value
# why: the names of columns are published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import pandas as pd


def release(x):
    return {"total": x[1] + x[2], "table": pd.DataFrame({x[0]: [1, 2]})}
