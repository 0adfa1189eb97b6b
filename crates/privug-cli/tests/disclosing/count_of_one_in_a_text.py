# release: the mean of everybody, and in the lines beside it how many people a small region has
# why: a count of one is published in a text, and a text is published with all numbers in it.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails minimum_frequency
import pandas as pd

people = pd.read_csv("people.csv")
few = len(people[people.name == "Ane"])
lines = ["Incomes"]
lines.append(f"{few} of them")
lines.append(f"mean: {people.income.mean():.1f}")
print("\n".join(lines))
