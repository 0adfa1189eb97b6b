# release: numbers of married people up to a month, and of some people by number
# why: The first three and the first four people differ by one.
# audit: --table people=../tables/residents.csv --secret people.married --person id --prior
#   'Categorical({'"'"'yes'"'"': 0.5, '"'"'no'"'"': 0.5})'
# verdict: refused P802
def release(people):
    yes = people[people.married == "yes"]
    return {m: len(yes[yes.month <= m]) for m in (10, 11)}, {m: len(people[people.household <= 3 * m]) for m in (1, 2)}, len(yes[yes.id <= 3]), len(yes[yes.id <= 4])
