# The average of ten incomes, published through the Gaussian mechanism with a privacy parameter of your choice:
#
#     privug sweep programs/mechanism.py epsilon=0.05..5 --log --measure mutual_information_bits
#     privug calibrate programs/mechanism.py epsilon=0.01..1000 --require 'mutual_information_bits <= 1e-6'
#
# Without another ε it is 0.9, calibrated as in the paper: the noise has the variance 2 Δ² ln(1.25/δ) / ε².
#
# run: --set calibration=classic
# expect: mutual_information_bits 5.0005607891e-10
from privug import Normal, condition, gaussian_mechanism


def release(epsilon=0.9, calibration="analytic"):
    priors = [480_000, 490_000, 440_000, 420_000, 490_000, 490_000, 520_000, 490_000, 470_000, 400_000]
    incomes = [Normal(prior, 100) for prior in priors]
    average = sum(incomes) / len(incomes)
    sensitivity = (520_000 - 410_000) / len(incomes)
    published = gaussian_mechanism(
        average, sensitivity=sensitivity, epsilon=epsilon, delta=1 / len(incomes)**2, calibration=calibration
    )
    condition(published, 472_000)
    return incomes[0]
