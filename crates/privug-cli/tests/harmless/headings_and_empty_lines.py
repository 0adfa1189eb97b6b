# release: means by age under the sexes, with an empty line behind each
# why: which sexes and ages there are is known, and the lines do not depend on how many people there are.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
import pandas as pd

people = pd.read_csv("people.csv")
for sex, rows in people.groupby("sex"):
    print(sex)
    for band, inner in rows.groupby("band"):
        print(f"  {band}: {inner.income.mean():.0f}")
    print()
