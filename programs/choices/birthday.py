# An advertisement is shown to people whose birthday is in the next week. Who sees it shown to somebody knows that the
# birthday is one of seven days: no more may be believed about it than 1/5.
#
#   privug analyze programs/choices/birthday.py --secret birthday --require 'max_posterior <= 0.2'
#
# The posterior is uniform over 7 days or over 358: max_posterior is 1/7, and 365/7 times as likely: log2(365/7) bits.
#
# run: --secret birthday --require 'max_posterior <= 0.2'
# expect: max_posterior 0.14285714285714285
# expect: max_kl_bits 5.704397731709775
# expect: mutual_information_bits 0.1368005093427029
from privug import DiscreteUniform


def advertisement(today=260):
    birthday = DiscreteUniform(0, 364)
    return today <= birthday and birthday < today + 7
