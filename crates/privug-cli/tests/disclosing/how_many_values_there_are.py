# release: how many numbers of children occur in the wards
# why: a value that nobody has is no row, so that the length of the table is a statistic of the secret.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: refused P802


def release(people):
    return len(people.groupby(["ward", "children"]).size())
