# release: how many have each number of children, unsorted
# why: pandas lists first whichever number appears first in the table, which is that of the first person.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: refused P802


def release(people):
    return people.children.value_counts(sort=False)
