# release: total incomes by ward and by sex
# why: groups of 24 and more that cross in twelves.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'Normal(mean=450, std=200)'
# verdict: passes
def release(people):
    return {"wards": people.groupby("ward").income.sum(), "sexes": people.groupby("sex").income.sum()}
