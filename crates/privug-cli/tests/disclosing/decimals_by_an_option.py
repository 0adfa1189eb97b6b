# release: means with as many decimals as there are people over 60 in the west, by an option of pandas
# why: the decimals are a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.age > 60) & (people.region == "west")])
pd.set_option("display.precision", number)
print(people.groupby("sex").income.mean())
