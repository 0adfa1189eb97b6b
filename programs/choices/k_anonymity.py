# A record is published with its age in bands of ten years and two digits of its zip code: does it still tell the illness?
#
# The illness depends on the age: the band tells as much of it as the age would if it depended on the band alone.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret ill
# expect: mutual_information_bits 0.119906088737667
# expect: bayes_vulnerability_prior 0.78125
# expect: bayes_vulnerability_posterior 0.78125
# expect: guessing_entropy_prior 1.21875
# expect: guessing_entropy_posterior 1.21875
# expect: max_posterior 0.95
# expect: max_kl_bits 0.274394444083836
# run: --secret age
# expect: mutual_information_bits 2
# expect: bayes_vulnerability_prior 0.025
# expect: bayes_vulnerability_posterior 0.1
# expect: guessing_entropy_prior 20.5
# expect: guessing_entropy_posterior 5.5
# expect: max_posterior 0.1
# expect: max_kl_bits 2
from privug import Bernoulli, DiscreteUniform


def release():
    age = DiscreteUniform(20, 59)
    zip_code = DiscreteUniform(0, 3)
    if age >= 50:
        ill = Bernoulli(0.5)
    elif age >= 35:
        ill = Bernoulli(0.2)
    else:
        ill = Bernoulli(0.05)
    return [age // 10, zip_code // 2]
