# An average is published through the Gaussian mechanism, which adds noise calibrated to ε and δ.
#
# run: --prior 'incomes=[Normal(500, 2500) for _ in range(10)]' --set epsilon=0.9 --secret 'incomes[0]' --observe 512
# expect: prior mean 500 variance 2500
# expect: posterior mean 500.1552407756511 variance 2496.765817173935
# expect: mutual_information_bits 0.0009337920460546199
from privug import gaussian_mechanism


def noisy_average(incomes, epsilon):
    average = sum(incomes) / len(incomes)
    sensitivity = (700 - 300) / len(incomes)
    return gaussian_mechanism(average, sensitivity=sensitivity, epsilon=epsilon, delta=0.01, calibration="classic")
