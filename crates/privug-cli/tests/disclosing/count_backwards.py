# release: means, and a count of few people, backwards
# why: the count is printed, however it is turned.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
text = str(len(people[(people.role == "head") & (people.region == "east")]))
print(text[::-1])
print(people.groupby("sex").income.mean())
