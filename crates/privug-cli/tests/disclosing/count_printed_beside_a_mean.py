# release: for each occupation, the number of the oldest and a mean, printed
# why: The number of those over 89 is one in some occupations.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: review
def release(people):
    p = people[people.id != 50]
    for j, g in p.groupby("job"):
        if len(g) >= 10:
            print(j, len(g[g.age > 89]), g.income.mean())
