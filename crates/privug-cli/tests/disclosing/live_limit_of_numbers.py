# release: how many numbers of a table are above 95
# why: the values are objects to pandas, and numbers on the real table: there the count tells whether anybody has more.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import pandas as pd


def release(x):
    table = pd.DataFrame({"age": [20, 30, 40, 50], "income": list(x)})
    return {"total": x[1] + x[2], "rich": int((table.select_dtypes("number") > 95).sum().sum())}
