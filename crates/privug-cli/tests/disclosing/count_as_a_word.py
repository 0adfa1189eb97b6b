# release: means, and the number of heads in the east as a word
# why: the word is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.role == "head") & (people.region == "east")])
print(["nobody", "one", "two", "three", "four", "five", "six", "seven", "eight"][number])
print(people.groupby("sex").income.mean())
