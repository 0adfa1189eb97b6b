# The paper's example of conditioning: the sum of two variables is seen.
#
# The covariance printed in the paper starts with 8/3; by its own rule it is 2 - 4/3 = 2/3.
#
# expect: posterior mean [4.333333333333333, -3.3333333333333335] covariance [[0.6666666666666666, -0.6666666666666666], [-0.6666666666666666, 0.6666666666666666]]
# expect: exact mean [13/3, -10/3] covariance [[2/3, -2/3], [-2/3, 2/3]]
from privug import Normal, condition


def conditioned_sum():
    x = Normal(15, 2)
    y = Normal(2, 1)
    z = x + y
    condition(z, 1)
    return x, y
