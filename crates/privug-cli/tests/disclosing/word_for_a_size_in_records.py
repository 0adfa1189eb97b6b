# release: records with a word for how large each group is
# why: `under three` is said of the judges and of the pilot.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: review unexamined
# live: review
def release(people):
    p = people[people.id != 50]
    return [{"job": j, "size": "under three" if len(g) < 3 else "three or more", "mean": g.income.mean() if len(g) >= 10 else None} for j, g in p.groupby("job")]
