# release: a table as the text of a CSV file
# why: the text holds everybody's value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import pandas as pd


def release(x):
    return {"total": x[1] + x[2], "csv": pd.DataFrame({"income": x}).to_csv()}
