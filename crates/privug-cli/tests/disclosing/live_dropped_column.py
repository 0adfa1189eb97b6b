# release: means of a table by group, of its numeric columns alone
# why: the values are objects to pandas, which drops their column without a word; on the real table the column is
#   numeric, and is published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
import pandas as pd


def release(x):
    table = pd.DataFrame({"town": ["a", "b", "c", "d"], "age": [20, 30, 40, 50], "income": list(x)})
    return {"total": x[1] + x[2], "means": table.groupby("town").mean(numeric_only=True)}
