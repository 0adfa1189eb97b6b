# A survey publishes a weighted mean of its answers, computed with numpy.
#
# run: --secret 'answers[2]' --observe 6.5
# expect: prior mean 5 variance 4
# expect: posterior mean 7.25 variance 2.5
# expect: mutual_information_bits 0.33903595255631887
# expect: exact mean 29/4 variance 5/2
import numpy as np
from privug import Normal


def weighted_mean():
    weights = np.array([1, 2, 3, 2, 2, 1, 1])
    answers = np.array([Normal(5, 4) for _ in weights])
    return weights @ answers / np.sum(weights)
