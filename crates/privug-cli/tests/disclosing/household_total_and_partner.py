# release: the income of a household of two, and one of the two
# why: the difference is the other.
# analyze: --secret 'people[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
from privug import Normal


def release():
    home = Normal(50, std=10)
    people = [Normal(home, std=3), Normal(home, std=3)]
    return people[0] + people[1], people[1]
