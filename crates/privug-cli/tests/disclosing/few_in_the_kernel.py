# release: a mean of income around one value of last year's income, with weights that fall off quickly
# why: only a few people have a weight that counts.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: fails minimum_frequency
def release(people):
    near = 1 / (1 + ((people.before - 549) / 2) ** 4)
    return {"mean": (people.income * near).sum() / near.sum()}
