# release: means by a mask of numpy's
# why: each mean is of thirty people.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
import numpy as np


def release(x):
    design = np.array([[1 if i % 2 == k else 0 for i in range(60)] for k in range(2)])
    return design @ x / 30
