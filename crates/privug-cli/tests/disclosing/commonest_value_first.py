# release: the commonest number of children, and how many have it
# why: pandas lists the commonest first, so that which row comes first tells that no other count is larger.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: refused P802


def release(people):
    return people.children.value_counts().head(1)
