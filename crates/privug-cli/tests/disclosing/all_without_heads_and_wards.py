# release: means by ward, of all, and of all without the four heads
# why: the four heads follow together.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'Normal(mean=450, std=200)'
# verdict: fails differencing
def release(people):
    return {
        "wards": people.groupby("ward").income.mean(),
        "all": people.income.mean(),
        "members": people[people.role == "member"].income.mean(),
    }
