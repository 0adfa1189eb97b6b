# release: means of age groups whose labels are made of their limits
# why: the limits stand in the program, and do not depend on the people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: passes
def release(people):
    found = {}
    for low, high in [(18, 40), (40, 70)]:
        found[f"{low}-{high - 1}"] = people[(people.age >= low) & (people.age < high)].income.mean()
    return found
