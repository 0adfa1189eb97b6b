# release: means in a sheet that is named after the number of heads in the east
# why: the name of the sheet publishes a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.role == "head") & (people.region == "east")])
people.groupby("sex")[["income"]].mean().to_excel("means.xlsx", sheet_name=f"{number} heads")
