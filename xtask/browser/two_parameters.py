# A program with two parameters, for the page of a sweep over both.
from privug import Normal, observe


def average(people, noise):
    incomes = [Normal(500, 2500) for _ in range(int(people))]
    return sum(incomes) / len(incomes) + Normal(0, noise**2)
