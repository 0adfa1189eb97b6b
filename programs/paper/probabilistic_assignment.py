# The paper's example of independent and dependent assignments.
#
# expect: posterior mean [15, 20, 30] covariance [[2, 0, 4], [0, 1, 0], [4, 0, 9]]
# expect: note nothing was observed
from privug import Normal


def assignments():
    x = Normal(15, 2)
    y = Normal(20, 1)
    z = Normal(2*x, 1)
    return x, y, z
