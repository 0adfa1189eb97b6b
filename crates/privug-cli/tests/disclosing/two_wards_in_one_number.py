# release: the totals of two wards in one number
# why: the last five digits are one total, the digits before them another: each is large enough, but nobody looked at them.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: review unexamined
def release(people):
    first, second = people[people.ward == "A1"], people[people.ward == "A2"]
    return {"x": first.income.sum() + second.income.sum() * 100000}
