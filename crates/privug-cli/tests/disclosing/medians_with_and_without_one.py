# release: the median number of children of a town, with and without one person
# why: What both tell together is not worked out.
# audit: --table people=../tables/residents.csv --secret people.children --person id --prior
#   'DiscreteUniform(0, 4)'
# verdict: review unknown
def release(people):
    return people[people.town == "Eid"].children.median(), people[(people.town == "Eid") & (people.id != 400)].children.median()
