# release: a harmless total, and a pandas table that holds everybody's value
# why: the table is published too.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.01'
# cli, source, live: fails
import pandas as pd


def release(x):
    return {"total": x[1] + x[2], "table": pd.DataFrame({"income": x})}
