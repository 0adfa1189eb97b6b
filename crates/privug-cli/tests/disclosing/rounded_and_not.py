# release: what rounding cuts off a mean, which is not zero
# why: beside the rounded mean it is the mean itself; by itself it tells all digits but the first.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused rounded
def release(people):
    mean = people.income.mean()
    return {"cut off": mean - round(mean, -2)}
