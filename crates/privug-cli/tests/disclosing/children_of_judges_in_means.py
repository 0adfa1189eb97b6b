# release: mean numbers of children by occupation
# why: There are two judges and one pilot.
# audit: --table people=../tables/residents.csv --secret people.children --person id --prior
#   'DiscreteUniform(0, 4)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    return people.groupby("job").children.mean().round(2)
