# release: means, and a star for each head in the east
# why: the stars are a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
# live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
print("*" * len(people[(people.role == "head") & (people.region == "east")]))
print(people.groupby("sex").income.mean())
