# release: numbers of people and means by age, in columns of a text
# why: the columns are as wide whoever is in the table.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
import pandas as pd

people = pd.read_csv("people.csv")
print("Income by age")
print("=" * 26)
for band, rows in people.groupby("band"):
    print(f"{band:<10}{len(rows):>6}{rows.income.mean():>10.1f}")
print("-" * 26)
print(f"All {len(people)} people")
