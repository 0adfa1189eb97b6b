# The paper's example of a sum of random variables.
#
# expect: posterior mean [15, 2, 17] covariance [[2, 0, 2], [0, 1, 1], [2, 1, 3]]
from privug import Normal


def sum_of_two():
    x = Normal(15, 2)
    y = Normal(2, 1)
    z = x + y
    return x, y, z
