# Case 1: the average income of men aged 21 to 30 is published.
#
# The attacker wants to know the income of the first man aged 21 to 30, which is 500 000 DKK a year. The priors are
# those of incomes.csv.
#
# expect: posterior mean 483000 variance 90
# expect: mutual_information_bits 0.076001546722524992
# expect: kl_posterior_prior_bits 64921.280706798031
# expect: exact mean 483000 variance 90
from privug import Normal, condition


def agg():
    male_21_30 = [
        Normal(480_000, 100), Normal(490_000, 100),
        Normal(440_000, 100), Normal(420_000, 100),
        Normal(490_000, 100), Normal(490_000, 100),
        Normal(520_000, 100), Normal(490_000, 100),
        Normal(470_000, 100), Normal(400_000, 100),
    ]

    male_21_30_total = sum(male_21_30)
    male_21_30_average = male_21_30_total / 10

    condition("male_21_30_average", 472_000)
    return male_21_30[0]
