# release: a mean, and a warning with one person's income, with the file and the line that it names
# why: what a script warns of is shown to whoever runs it.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# live: fails full_disclosure
import warnings


def release(people):
    warnings.warn_explicit(f"{people.income.iloc[0]}", UserWarning, "incomes", 1)
    return people.income.mean()
