# release: a mean standardised to public shares of age bands
# why: three means of many people, with weights of one decimal.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: passes
def release(people):
    mean = people.groupby("band").income.mean()
    return 0.3 * mean["young"] + 0.5 * mean["mid"] + 0.2 * mean["old"]
