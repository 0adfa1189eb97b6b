# release: a total of incomes, with the score of one person behind the point
# why: two secrets in one number: the decimals are one person's.
# audit: --table people=../tables/wealth.csv --secret people.income --secret people.score --person id --prior 'income=Normal(550, std=200)'
#   --prior 'score=Normal(50, std=20)'
# verdict: fails minimum_frequency
def release(people):
    return {"total": people.income.sum() + 0.0001 * people[people.id == 1].score.sum()}
