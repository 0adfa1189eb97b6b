# Averages that were estimated from samples need not fit together to the last digit. Seen exactly, these three would
# contradict each other; seen through the error of the estimate (here a variance of 1/12) they do not.
#
# expect: posterior mean [43.15688282222599, 38.17349411790705] variance [0.06924442545542943, 0.06924442545542943]
# expect: status used used used
from privug import Normal, observe


def measured():
    women = Normal(40, 25)
    men = Normal(40, 25)
    observe(women, 43, variance=1/12)
    observe(men, 38, variance=1/12)
    observe((women + men) / 2, 41, variance=1/12)
    return women, men
