# release: a file of means with as many columns as there are people over 60 in the west
# why: the number of columns is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review
# live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.age > 60) & (people.region == "west")])
table = people.pivot_table(index="sex", columns="region", values="income", aggfunc="mean")
table.to_csv("means.csv", columns=list(table.columns)[:number])
