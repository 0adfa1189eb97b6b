# release: twenty means of bootstrap samples of four people
# why: twenty different sums of four people give each of them; which sums they are was decided by this run's dice.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import numpy as np


def release(x):
    samples = np.random.randint(0, 4, size=(20, 4))
    return [sum(x[i] for i in sample) / 4 for sample in samples]
