# release: by the toss of a coin, the mean of everybody or the income of one person
# why: one time in two the income itself is published. An audit does not know random numbers that decide.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: refused
import random


def release(people):
    if random.random() < 0.5:
        return people.income.mean()
    return people.income.iloc[0]
