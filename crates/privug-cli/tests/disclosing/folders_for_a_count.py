# release: means, and a folder for everybody over 60 in the west
# why: the number of folders is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# live: review unexamined
import os

import pandas as pd

people = pd.read_csv("people.csv")
print(people.groupby("sex").income.mean())
for place in range(len(people[(people.age > 60) & (people.region == "west")])):
    os.makedirs(f"folder{place}", exist_ok=True)
