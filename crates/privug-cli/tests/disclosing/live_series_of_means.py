# release: a pandas series of group means, of which one is of one person
# why: the mean of one is that one.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
import pandas as pd


def release(x):
    table = pd.DataFrame({"town": ["a", "b", "b", "b"], "income": list(x)})
    return table.groupby("town").income.agg(lambda group: sum(group) / len(group))
