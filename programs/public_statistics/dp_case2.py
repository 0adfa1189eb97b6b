# Case 2: the average incomes of men aged 21 to 30 and of all people aged 21 to 30 are published.
# Each average is published through the Gaussian mechanism.
#
# The attacker wants to know the income of the first man aged 21 to 30, which is 500 000 DKK a year. The priors are
# those of incomes.csv.
#
# The noise has the variance 2 Δ² ln(1.25/δ) / ε² with Δ = (520 000 - 410 000) / 10, δ = 1 / 10² and ε = 0.9.
#
# expect: posterior mean 480000.00004159349522 variance 99.999999913346884905
# expect: mutual_information_bits 6.2507009739363765e-10
# expect: kl_posterior_prior_bits 1.2479448311952881e-11
# expect: exact mean 39953321670205687299000/83236086805715849 variance 8323608673358918690/83236086805715849
from privug import Normal, condition


def agg_dp():
    male_21_30 = [
        Normal(480_000, 100), Normal(490_000, 100),
        Normal(440_000, 100), Normal(420_000, 100),
        Normal(490_000, 100), Normal(490_000, 100),
        Normal(520_000, 100), Normal(490_000, 100),
        Normal(470_000, 100), Normal(400_000, 100),
    ]
    female_21_30 = [
        Normal(450_000, 100), Normal(430_000, 100),
        Normal(410_000, 100), Normal(430_000, 100),
        Normal(470_000, 100), Normal(400_000, 100),
        Normal(490_000, 100), Normal(330_000, 100),
        Normal(350_000, 100), Normal(400_000, 100),
    ]

    male_21_30_total = sum(male_21_30)
    male_21_30_average = male_21_30_total / 10

    all_21_30_total = male_21_30_total + sum(female_21_30)
    all_21_30_average = all_21_30_total / 20

    male_21_30_noise = Normal(0, 1442533240)
    male_21_30_average_dp = male_21_30_average + male_21_30_noise
    all_21_30_noise = Normal(0, 1442533240)
    all_21_30_average_dp = all_21_30_average + all_21_30_noise

    condition("male_21_30_average_dp", 472_000)
    condition("all_21_30_average_dp", 448_500)
    return male_21_30[0]
