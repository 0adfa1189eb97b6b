# Case 1: the average income of men aged 21 to 30 is published.
# Each average is published through the Gaussian mechanism.
#
# The attacker wants to know the income of the first man aged 21 to 30, which is 500 000 DKK a year. The priors are
# those of incomes.csv.
#
# The noise has the variance 2 Δ² ln(1.25/δ) / ε² with Δ = (520 000 - 410 000) / 10, δ = 1 / 10² and ε = 0.9.
#
# expect: posterior mean 480000.00002079674767 variance 99.99999993067750778
# expect: mutual_information_bits 5.0005607891153271e-10
# expect: kl_posterior_prior_bits 3.1198621998292953e-12
# expect: exact mean 2769663840120/5770133 variance 2885066498/28850665
from privug import Normal, condition


def agg_dp():
    male_21_30 = [
        Normal(480_000, 100), Normal(490_000, 100),
        Normal(440_000, 100), Normal(420_000, 100),
        Normal(490_000, 100), Normal(490_000, 100),
        Normal(520_000, 100), Normal(490_000, 100),
        Normal(470_000, 100), Normal(400_000, 100),
    ]

    male_21_30_total = sum(male_21_30)
    male_21_30_average = male_21_30_total / 10

    noise = Normal(0, 1442533240)
    male_21_30_average_dp = male_21_30_average + noise

    condition("male_21_30_average_dp", 472_000)
    return male_21_30[0]
