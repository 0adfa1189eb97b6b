# release: the size and the mean of each town with 20 people or more
# why: the number beside a mean is that of its people.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people, least=20):
    found = {}
    for town, rows in people.groupby("town"):
        if len(rows) < least:
            continue
        found[town] = {"people": len(rows), "mean": rows.income.mean()}
    return found
