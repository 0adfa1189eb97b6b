# release: a plot that is as wide as there are people over 60 in the west
# why: the width of the picture is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review
# live: review unexamined
import matplotlib.pyplot as plt
import pandas as pd

people = pd.read_csv("people.csv")
number = len(people[(people.age > 60) & (people.region == "west")])
figure, axes = plt.subplots(figsize=(number, 4))
means = people.groupby("sex").income.mean()
axes.bar(["women", "men"], [means["female"], means["male"]])
figure.savefig("means.png")
