# release: the mean over 50 households whose members have much in common
# why: one household is a fiftieth of the mean.
# analyze: --set n=50 --require 'mutual_information_bits <= 0.1' --secret 'people[0]'
# cli, source, live: passes
from privug import Normal


def release(n):
    homes = Normal(50, std=10, size=n)
    people = [Normal(home, std=2) for home in homes]
    return sum(people) / n
