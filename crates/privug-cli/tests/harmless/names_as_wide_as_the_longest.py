# release: means by age, with names that are padded to the longest
# why: the width is that of a name.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# live: passes
import pandas as pd

people = pd.read_csv("people.csv")
means = people.groupby("band").income.mean()
width = max(map(len, means.index)) + 2
for band, mean in means.items():
    print(band.ljust(width) + f"{mean:.1f}".rjust(10))
