# release: means by age group with labels of one's own
# why: All groups have many people.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
import pandas as pd
def release(people):
    people["group"] = pd.cut(people.age, bins=[0, 30, 50, 70, 120], labels=["<30", "30-49", "50-69", "70+"], right=False)
    return people.groupby("group", observed=True).income.mean()
