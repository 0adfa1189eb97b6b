# release: means, and a remark if a region has few heads
# why: the remark tells that a count is small.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.role == "head") & (people.region == "east")])
if number < 5:
    print("few heads in the east")
print(people.groupby("sex").income.mean())
