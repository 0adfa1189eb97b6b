# release: a mean, and somebody's income in a list beside it
# why: whatever runs the function finds the income in the list.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: refused
KEPT = []


def release(people):
    KEPT.append(people.income.iloc[3])
    return people.income.mean()
