# release: by the toss of a coin, the income of one person is printed beside the mean
# why: one time in two the income itself is published.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: refused
import random


def release(people):
    if random.random() < 0.5:
        print(people.income.iloc[0])
    return people.income.mean()
