# release: how many women and men are pregnant
# why: no man is, which everybody knows: the prior gives it probability 0, so that the zero tells nothing, and that somebody is
#   not pregnant is not sensitive.
# audit: --table people=../tables/expecting.csv --secret people.state --person id
#   --prior 'Categorical(pd.crosstab(sex, state, normalize="index"), by=sex)' --sensitive 'state == "pregnant"'
# verdict: passes
import pandas as pd


def release(people):
    return pd.crosstab(people.sex, people.state)
