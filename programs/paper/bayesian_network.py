# The paper's example of a Gaussian Bayesian network: a chain of three variables, then the last one is seen.
#
# expect: prior mean [50, 95] covariance [[2, 4], [4, 9]]
# expect: posterior mean [50, 95] covariance [[0.7692307692307693, 1.2307692307692308], [1.2307692307692308, 2.769230769230769]]
# expect: exact mean [50, 95] covariance [[10/13, 16/13], [16/13, 36/13]]
from privug import Normal, condition


def chain():
    x1 = Normal(50, 2)
    x2 = Normal(2*x1 - 5, 1)
    x3 = Normal(x2 - 10, 4)
    condition(x3, 85)
    return x1, x2
