# release: means in a column that is named after the number of heads in the east
# why: the name publishes a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    number = len(people[(people.role == "head") & (people.region == "east")])
    return people.groupby("sex").income.mean().rename(f"income of all, of the heads in the east {number}")
