# release: the median number of children by sex
# why: The median of many people tells little about each.
# audit: --table people=../tables/residents.csv --secret people.children --person id --prior
#   'DiscreteUniform(0, 4)'
# verdict: passes
def release(people):
    return people.groupby("sex").children.median()
