# Crowds: a message goes from one member of a crowd to another until somebody sends it to the server. One of five is an
# attacker, who notes from whom the message came. Who started it?
#
# A member forwards with probability 3/4, to anybody. Paths end after six hops here.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret sender
# expect: mutual_information_bits 0.153556343326979
# expect: bayes_vulnerability_prior 0.25
# expect: bayes_vulnerability_posterior 0.4
# expect: guessing_entropy_prior 2.5
# expect: guessing_entropy_posterior 2.2
# expect: max_posterior 0.56468179377014
# expect: max_kl_bits 0.322142570419447
from privug import Bernoulli, DiscreteUniform


def route():
    sender = DiscreteUniform(0, 3)
    holder = sender
    for _ in range(6):
        receiver = DiscreteUniform(0, 4)
        if receiver == 4:
            return holder
        holder = receiver
        if not Bernoulli(0.75):
            return "nobody"
    return "nobody"
