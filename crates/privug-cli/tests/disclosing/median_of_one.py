# release: the median number of children in each ward, one of which has a single household
# why: the median of one number is that number.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: fails full_disclosure
def release(people):
    return people.groupby("house").children.median()
