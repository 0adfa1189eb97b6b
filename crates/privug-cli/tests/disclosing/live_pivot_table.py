# release: a pivot table with one person in each cell
# why: a sum over one row is that row.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
import pandas as pd


def release(x):
    table = pd.DataFrame({"income": list(x), "sex": ["f", "f", "m", "m"], "town": ["a", "b", "a", "b"]})
    return table.pivot_table(values="income", index="sex", columns="town", aggfunc="sum")
