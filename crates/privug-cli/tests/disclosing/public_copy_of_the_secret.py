# release: the taxes of everybody, which are two fifths of their incomes
# why: the tax is called public and tells the income; cells of one person of any column are not harmless.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review
def release(people):
    return people.groupby("id").tax.sum()
