# release: means in a file that is named after the number of heads in the east
# why: the name of the file publishes a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.role == "head") & (people.region == "east")])
people.groupby("sex").income.mean().to_csv(f"means_{number}.csv")
