# release: the total income of women and of men, in whole units, in one text
# why: each total is of many people; that it has no decimals makes it no other figure.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: passes
def release(people):
    women, men = (people[people.sex == sex].income.sum() for sex in ("female", "male"))
    return f"women {women:,.0f}, men {men:.0f}"
