# release: the median number of children in each ward
# why: of thirty households in a ward the one in the middle says little about each.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: passes
def release(people):
    return people.groupby("ward").children.median()
