# release: a file of means in which a count is told by what is between columns
# why: whoever knows the program reads the count from it.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.age > 60) & (people.region == "west")])
people.groupby("sex").income.mean().to_csv("means.csv", sep=[",", ";", "|", "\t"][number % 4])
