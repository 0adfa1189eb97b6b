# release: sums of incomes less their ward's mean, of 12 people and of 11
# why: the difference is one person's income less the mean of the ward.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'Normal(mean=450, std=200)'
# verdict: fails relative_std
def release(people):
    centred = people.income - people.groupby("ward").income.transform("mean")
    return {"12": centred[people.id <= 12].sum(), "11": centred[people.id <= 11].sum()}
