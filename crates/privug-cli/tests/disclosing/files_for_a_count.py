# release: the same file of means, as often as there are people over 60 in the west
# why: the number of files is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.age > 60) & (people.region == "west")])
for place in range(number):
    people.groupby("sex").income.mean().to_csv(f"means{place}.csv")
