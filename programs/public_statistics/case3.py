# Case 3: the average incomes of men aged 21 to 30, of all people aged 21 to 30 and of all men are published.
#
# The attacker wants to know the income of the first man aged 21 to 30, which is 500 000 DKK a year. The priors are
# those of incomes.csv.
#
# The incomes are independent, so what the larger groups earn says nothing more about this man: the posterior is
# that of case 1.
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
    female_21_30 = [
        Normal(450_000, 100), Normal(430_000, 100),
        Normal(410_000, 100), Normal(430_000, 100),
        Normal(470_000, 100), Normal(400_000, 100),
        Normal(490_000, 100), Normal(330_000, 100),
        Normal(350_000, 100), Normal(400_000, 100),
    ]
    male_31_40 = [
        Normal(500_000, 100), Normal(410_000, 100),
        Normal(470_000, 100), Normal(490_000, 100),
        Normal(500_000, 100), Normal(410_000, 100),
        Normal(540_000, 100), Normal(410_000, 100),
        Normal(500_000, 100), Normal(400_000, 100),
    ]
    male_41_50 = [
        Normal(580_000, 100), Normal(530_000, 100),
        Normal(590_000, 100), Normal(510_000, 100),
        Normal(560_000, 100), Normal(590_000, 100),
        Normal(280_000, 100), Normal(500_000, 100),
        Normal(580_000, 100), Normal(600_000, 100),
    ]
    male_51_60 = [
        Normal(680_000, 100), Normal(570_000, 100),
        Normal(620_000, 100), Normal(610_000, 100),
        Normal(600_000, 100), Normal(570_000, 100),
        Normal(700_000, 100), Normal(600_000, 100),
        Normal(520_000, 100), Normal(770_000, 100),
    ]

    male_21_30_total = sum(male_21_30)
    male_21_30_average = male_21_30_total / 10

    all_21_30_total = male_21_30_total + sum(female_21_30)
    all_21_30_average = all_21_30_total / 20

    male_total = male_21_30_total + sum(male_31_40) + sum(male_41_50) + sum(male_51_60)
    male_average = male_total / 40

    condition("male_21_30_average", 472_000)
    condition("all_21_30_average", 448_500)
    condition("male_average", 559_000)
    return male_21_30[0]
