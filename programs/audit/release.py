"""What a statistical office publishes about the incomes in incomes.csv.

    privug audit release.py --table people=incomes.csv --secret people.income \\
        --prior 'Normal(prior_mean, prior_variance)'
"""


def release(people):
    young = people[people.age_group == "21-30"]
    return {
        "men 21-30": young[young.sex == "male"].income.mean(),
        "all 21-30": young.income.mean(),
        "men": people[people.sex == "male"].income.mean(),
        "by group": people.groupby(["age_group", "sex"]).income.mean(),
    }
