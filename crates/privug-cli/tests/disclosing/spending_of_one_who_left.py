# release: total spending, with and without those who are not there every year
# why: One person is missing in two years.
# audit: --table panel=../tables/spending.csv --secret panel.spent --person nr --prior 'Normal(mean=220,
#   std=110)'
# verdict: fails full_disclosure
# live: fails
def release(panel):
    stay = panel.groupby("nr").filter(lambda g: len(g) == 4)
    return panel.spent.sum(), stay.spent.sum()
