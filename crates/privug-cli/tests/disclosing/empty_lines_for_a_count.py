# release: means, and an empty line for everybody over 60 in the west
# why: the empty lines are a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
print(people.groupby("sex").income.mean())
for _ in range(len(people[(people.age > 60) & (people.region == "west")])):
    print()
