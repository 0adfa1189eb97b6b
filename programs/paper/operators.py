# The paper's example of operations between a random variable and a number.
#
# expect: posterior mean [1, 3, 6] covariance [[1, 1, 2], [1, 1, 2], [2, 2, 4]]
from privug import Normal


def operations():
    x = Normal(1, 1)
    y = x + 2
    z = y * 2
    return x, y, z
