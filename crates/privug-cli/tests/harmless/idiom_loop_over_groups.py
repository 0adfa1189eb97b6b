# release: means by region and sex from a loop over the groups
# why: 12 people in each group.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: passes
def release(people):
    means = {}
    for (region, sex), group in people.groupby(["region", "sex"]):
        means[f"{region}, {sex}"] = group.income.sum() / len(group)
    return means
