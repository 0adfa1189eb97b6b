# What programs reveal, in the manner of the examples of QUAIL and HyLeak (project.inria.fr/quail), LeakWatch, F-BLEAU,
# SPIRE (github.com/plum-umd) and Privug: voting, anonymity, passwords, timing, auctions, places and published counts, written
# anew. The probabilities are counted: CPython ran each program once for each combination of its choices, in fractions.
from collections import Counter, defaultdict
from functools import reduce
from itertools import combinations, permutations, product
from operator import xor

from privug import Bernoulli, Categorical, DiscreteUniform, condition


# run: :single_preference
# expect: probabilities ann 15/79 bob 48/79 cem 16/79
def single_preference():
    votes = [Categorical({"ann": 0.5, "bob": 0.3, "cem": 0.2}) for _ in range(4)]
    tally = {"ann": 0, "bob": 0, "cem": 0}
    for vote in votes:
        tally[vote] += 1
    condition(max(tally, key=tally.get), "bob")
    return votes[0]


# run: :ranked_ballot
# expect: probabilities 0 2/3 1 1/3
def ranked_ballot():
    ballots = list(permutations(["ann", "bob", "cem"]))
    chosen = [ballots[DiscreteUniform(0, 5)] for _ in range(3)]
    points = {"ann": 0, "bob": 0, "cem": 0}
    for ballot in chosen:
        for place, name in enumerate(ballot):
            points[name] += 2 - place
    condition(points["ann"], 5)
    return chosen[0].index("ann")


# run: :runoff
# expect: probabilities 0 10007/21075 1 9388/21075 2 112/1405
def runoff():
    firsts = [Categorical([0.4, 0.35, 0.25]) for _ in range(5)]
    counts = Counter(firsts)
    last = min(range(3), key=lambda k: counts[k])
    condition(last, 2)
    return firsts[0]


# run: :dining_cryptographers
# expect: probabilities 0 1/4 1 1/4 2 1/4 3 1/4
def dining_cryptographers():
    n = 4
    payer = DiscreteUniform(0, n)
    coins = [Bernoulli(0.5) for _ in range(n)]
    said = [coins[i] ^ coins[(i + 1) % n] ^ (payer == i) for i in range(n)]
    condition(reduce(xor, said))
    return payer


# run: :dining_biased
# expect: probabilities 0 7/10 1 3/20 2 3/20
def dining_biased():
    payer = Categorical([0.5, 0.25, 0.25])
    coins = [Bernoulli(0.75) for _ in range(3)]
    said = [coins[i] ^ coins[i - 1] ^ (payer == i) for i in range(3)]
    condition(said, [True, False, False])
    return payer


# run: :crowds_bounded
# expect: probabilities 0 5539/8425 1 1443/8425 2 1443/8425
def crowds_bounded():
    initiator = DiscreteUniform(0, 2)
    holder, seen = initiator, None
    hops = 0
    while seen is None and hops < 4:
        to = DiscreteUniform(0, 3)
        if to == 3:
            seen = holder
        elif Bernoulli(0.75):
            holder = to
        else:
            break
        hops += 1
    condition(seen == 0)
    return initiator


# run: :mix_of_messages
# expect: probabilities 1 3/7 2 2/7 3 2/7
def mix_of_messages():
    waiting = ["a", "b", "c", "d"]
    sent = []
    while waiting:
        sent.append(waiting.pop(DiscreteUniform(0, len(waiting) - 1)))
    condition(sent[0] != "a")
    condition(sent[1] != "b")
    return sent.index("a")


# run: :onion_route
# expect: probabilities False 2/3 True 1/3
def onion_route():
    relays = ["r0", "r1", "r2", "r3"]
    route = []
    for _ in range(3):
        relay = relays[DiscreteUniform(0, len(relays) - 1)]
        route.append(relay)
        relays.remove(relay)
    bad = {"r0", "r1"}
    condition(route[0] in bad)
    return route[-1] in bad


# run: :password_by_time
# expect: probabilities aab 1
def password_by_time():
    password = Categorical({"aab": 0.4, "abb": 0.3, "bbb": 0.2, "aba": 0.1})
    steps = 0
    for mine, guess in zip(password, "abb"):
        if mine != guess:
            break
        steps += 1
    condition(steps, 1)
    return password


# run: :pin_with_three_guesses
# expect: probabilities 1 2/9 2 4/9 3 1/3
def pin_with_three_guesses():
    pin = Categorical([0.3, 0.1, 0.2, 0.15, 0.25])
    tried = []
    for guess in [0, 4, 2]:
        tried.append(guess)
        if guess == pin:
            break
    condition(len(tried) == 3)
    return pin


# run: :square_and_multiply
# expect: probabilities 5 1/3 6 1/3 8 1/3
def square_and_multiply():
    key = DiscreteUniform(0, 15)
    time, left = 0, key
    while left > 0:
        left, bit = divmod(left, 2)
        time += 2 if bit else 1
    condition(time, 5)
    return key


# run: :modular_power
# expect: probabilities 3 1/3 4 1/3 5 1/3
def modular_power():
    exponent = DiscreteUniform(1, 11)
    condition(pow(2, exponent, 11) in {8, 5, 10})
    return exponent


# run: :one_time_pad
# expect: probabilities 0 1/2 1 1/4 2 1/8 3 1/8
def one_time_pad():
    message = Categorical([0.5, 0.25, 0.125, 0.125])
    key = DiscreteUniform(0, 3)
    condition(message ^ key, 2)
    return message


# run: :reused_pad
# expect: probabilities 0 8/17 1 2/17 2 4/17 3 3/17
def reused_pad():
    first, second = Categorical([0.5, 0.25, 0.125, 0.125]), Categorical([0.1, 0.2, 0.3, 0.4])
    key = DiscreteUniform(0, 3)
    condition((first ^ key) ^ (second ^ key), 1)
    return first


# run: :caching
# expect: probabilities 1 1/2 2 1/2
def caching():
    secret = DiscreteUniform(0, 3)
    cache = []
    for page in [0, 1, secret, 2]:
        if page in cache:
            cache.remove(page)
        elif len(cache) == 2:
            cache.pop(0)
        cache.append(page)
    condition(1 in cache)
    return secret


# run: :smart_grid
# expect: probabilities 0 1/4 1 1/2 2 1/4
def smart_grid():
    homes = [Categorical([0.5, 0.3, 0.2]) for _ in range(4)]
    used = [[0, 2, 5][kind] for kind in homes]
    condition(sum(used), 9)
    return homes[0]


# run: :sealed_auction
# expect: probabilities 1 5/37 2 5/37 3 17/37 4 5/37 5 5/37
def sealed_auction():
    bids = [DiscreteUniform(1, 5) for _ in range(3)]
    first, second, *rest = sorted(bids, reverse=True)
    condition(second, 3)
    return bids[0]


# run: :auction_winner
# expect: probabilities 2 1/14 3 2/7 4 9/14
def auction_winner():
    bids = {"ann": DiscreteUniform(1, 4), "bob": DiscreteUniform(1, 4), "cem": DiscreteUniform(2, 4)}
    winner, price = max(bids.items(), key=lambda bid: bid[1])
    condition(winner, "cem")
    return price


# run: :location_by_distance
# expect: probabilities 1 1/5 2 3/5 3 1/5
def location_by_distance():
    x, y = DiscreteUniform(0, 4), DiscreteUniform(0, 4)
    near = [(a, b) for a, b in product(range(5), repeat=2) if abs(a - 2) + abs(b - 2) <= 1]
    condition((x, y) in near)
    return x


# run: :trilateration
# expect: probabilities 13 1/3 23 1/3 33 1/3
def trilateration():
    x, y = DiscreteUniform(0, 4), DiscreteUniform(0, 4)
    for post in [(0, 0), (4, 0)]:
        condition(max(abs(x - post[0]), abs(y - post[1])), 3)
    return 10 * x + y


# run: :birthday_queries
# expect: probabilities 0 3/14 2 2/7 3 1/2
def birthday_queries():
    day = DiscreteUniform(0, 27)
    for today in (3, 10):
        condition(not today <= day < today + 7)
    return day // 7


# run: :shared_birthdays
# expect: probabilities False 5/6 True 1/6
def shared_birthdays():
    days = [DiscreteUniform(0, 5) for _ in range(4)]
    pairs = sum(a == b for a, b in combinations(days, 2))
    condition(pairs, 1)
    return days[0] == days[1]


# run: :k_anonymous
# expect: probabilities 20 1/3 21 1/3 22 1/9 23 1/9 24 1/9
def k_anonymous():
    ages = [DiscreteUniform(20, 24) for _ in range(3)]
    groups = defaultdict(int)
    for age in ages:
        groups[age // 2] += 1
    condition(groups[10] == 2)
    return ages[0]


# run: :census_block
# expect: probabilities 1 6/13 2 6/13 3 1/13
def census_block():
    ages = [DiscreteUniform(1, 5) for _ in range(3)]
    ages.sort()
    condition(sum(ages), 9)
    condition(ages[1], 3)
    return ages[0]


# run: :randomized_response_twice
# expect: probabilities False 1/10 True 9/10
def randomized_response_twice():
    truth = Bernoulli(0.3)
    def told(p):
        return truth if Bernoulli(p) else Bernoulli(0.5)
    answers = [told(0.5), told(0.75)]
    condition(sum(answers), 2)
    return truth


# run: :geometric_noise
# expect: probabilities 0 6/11 1 4/11 2 1/11
def geometric_noise():
    count = Categorical([0.25, 0.5, 0.25])
    noise = 0
    for _ in range(3):
        if Bernoulli(0.5):
            noise += 1
        else:
            break
    noisy = count + (noise if Bernoulli(0.5) else -noise)
    condition(max(0, noisy), 0)
    return count


# run: :exponential_mechanism
# expect: probabilities False 207/469 True 262/469
def exponential_mechanism():
    votes = [Bernoulli(0.4) for _ in range(3)]
    yes = sum(votes)
    weights = {"yes": 2 ** yes, "no": 2 ** (3 - yes)}
    total = sum(weights.values())
    published = Categorical({name: weight / total for name, weight in weights.items()})
    condition(published, "yes")
    return votes[0]


# run: :bit_by_bit
# expect: probabilities 3 1/3 5 1/3 6 1/3
def bit_by_bit():
    secret = DiscreteUniform(0, 7)
    bits = [secret >> k & 1 for k in range(3)]
    seen = "".join("1" if bit else "0" for bit in reversed(bits))
    condition(seen.count("1"), 2)
    return secret


# run: :checksum
# expect: probabilities 0 1/5 1 1/5 2 1/5 3 1/5 4 1/5
def checksum():
    digits = [DiscreteUniform(0, 4) for _ in range(3)]
    condition(sum((k + 1) * digit for k, digit in enumerate(digits)) % 5, 0)
    condition(digits[2] != 0)
    return digits[0]


# run: :shuffled_answers
# expect: probabilities False 41/87 True 46/87
def shuffled_answers():
    answers = [Bernoulli(0.2), Bernoulli(0.5), Bernoulli(0.9)]
    for last in range(2, 0, -1):
        other = DiscreteUniform(0, last)
        answers[last], answers[other] = answers[other], answers[last]
    condition(answers[0])
    condition(not answers[1])
    return answers[2]
