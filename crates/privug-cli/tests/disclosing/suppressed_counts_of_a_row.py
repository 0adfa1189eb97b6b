# release: people by ward and sex with margins, two small cells of a row suppressed
# why: the margin of the row less its other cells is the number of both together: 7 people, fewer than 10.
# audit: --table people=../tables/ill.csv --secret people.ill --prior 'Bernoulli(0.3)' --suppress 'table[B, north]'
#   --suppress 'table[B, south]' --suppress 'table[C, north]' --suppress 'table[C, south]'
# verdict: fails minimum_frequency
import pandas as pd


def release(people):
    return {"table": pd.crosstab(people.ward, people.part, margins=True)}
