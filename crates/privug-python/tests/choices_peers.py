"""Programs of the kinds that other tools for probabilistic programs and for information flow have among their examples."""

from __future__ import annotations

from typing import Dict

from choices_structures import PROGRAMS as WITH_STRUCTURES

PROGRAMS: Dict[str, str] = dict(WITH_STRUCTURES)

PROGRAMS["peer_sealed_auction"] = """
def f():
    bids = {name: DiscreteUniform(1, 4) for name in ("ann", "bob", "cy")}
    winner = max(bids, key=lambda name: (bids[name], name))
    price = sorted(bids.values())[-2]
    condition(winner == "bob")
    return bids["bob"] - price
"""

PROGRAMS["peer_all_pay_rounds"] = """
def f():
    price = 0
    active = ["a", "b", "c"]
    limit = {"a": DiscreteUniform(1, 3), "b": DiscreteUniform(1, 3), "c": 2}
    while len(active) > 1 and price < 4:
        price += 1
        active = [who for who in active if limit[who] >= price]
    condition(len(active) <= 1)
    return price, len(active)
"""

PROGRAMS["peer_runoff"] = """
from collections import Counter
def f():
    ballots = [Categorical({"abc": 0.4, "bca": 0.35, "cba": 0.25}) for _ in range(4)]
    first = Counter(b[0] for b in ballots)
    out = min("abc", key=lambda c: (first[c], c))
    second = [next(c for c in b if c != out) for b in ballots]
    tally = {c: second.count(c) for c in "abc" if c != out}
    return out, max(tally.values())
"""

PROGRAMS["peer_borda"] = """
def f():
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    points = [0, 0, 0]
    for _ in range(3):
        order = orders[Categorical([0.5, 0.3, 0.2])]
        for place, candidate in enumerate(order):
            points[candidate] += 2 - place
    best = max(points)
    condition(points.count(best) == 1)
    return points.index(best)
"""

PROGRAMS["peer_password_prefix"] = """
def check(secret, guess):
    steps = 0
    for a, b in zip(secret, guess):
        steps += 1
        if a != b:
            return False, steps
    return True, steps
def f():
    secret = [Categorical({"a": 0.5, "b": 0.3, "c": 0.2}) for _ in range(3)]
    ok, steps = check(secret, "abc")
    condition(not ok)
    condition(steps == 2)
    return "".join(secret)
"""

PROGRAMS["peer_password_hash"] = """
def digest(word):
    h = 7
    for c in word:
        h = (h * 31 + ord(c)) % 101
    return h % 4
def f():
    word = Categorical({"summer": 0.4, "winter": 0.3, "qwerty": 0.2, "letmein": 0.1})
    condition(digest(word) != digest("winter"))
    return word
"""

PROGRAMS["peer_lockout"] = """
def f():
    pin = DiscreteUniform(0, 9)
    tries = 0
    for guess in (3, 1, 4, 1, 5):
        if tries == 3:
            return "locked"
        if guess == pin:
            return tries
        tries += 1
    return "unreached"
"""

PROGRAMS["peer_timing_pad"] = """
def f():
    key = [Bernoulli(0.5) for _ in range(6)]
    time = 0
    for bit in key:
        time += 2 if bit else 1
    time = max(time, 9) + DiscreteUniform(0, 1)
    condition(time, 10)
    return sum(key)
"""

PROGRAMS["peer_cache_lines"] = """
def f():
    key = DiscreteUniform(0, 15)
    table = list(range(16))
    touched = set()
    for step in range(3):
        index = (key * (step + 1) + 5 * step) % 16
        touched.add(table[index] // 4)
    condition(len(touched) == 2)
    condition(0 in touched)
    return key
"""

PROGRAMS["peer_padding_oracle"] = """
def f():
    block = [DiscreteUniform(0, 3) for _ in range(3)]
    for guess in range(4):
        if block[-1] ^ guess == 1:
            break
    pad = guess ^ 1
    condition(block[0] ^ block[1], 2)
    return pad == block[2], block[0] | block[1]
"""

PROGRAMS["peer_bits"] = """
def f():
    x = DiscreteUniform(0, 31)
    weight = bin(x).count("1")
    parity = 0
    y = x
    while y:
        parity ^= y & 1
        y >>= 1
    condition(weight >= 2)
    return weight, parity, x << 1 & 7
"""

PROGRAMS["peer_montgomery"] = """
def f():
    bits = [Bernoulli(0.5) for _ in range(5)]
    r0, r1, extra = 1, 3, 0
    for b in bits:
        if b:
            r0, r1 = r0 * r1 % 7, r1 * r1 % 7
        else:
            r1, r0 = r0 * r1 % 7, r0 * r0 % 7
        extra += r0 > 4
    condition(extra == 2)
    return r0
"""

PROGRAMS["peer_anonymous_broadcast"] = """
from itertools import combinations
def f():
    n = 4
    payer = DiscreteUniform(0, n)
    coins = {pair: Bernoulli(0.5) for pair in combinations(range(n), 2)}
    said = []
    for i in range(n):
        bit = i == payer
        for pair, coin in coins.items():
            if i in pair:
                bit ^= coin
        said.append(bit)
    condition(sum(said) % 2 == 1)
    condition(said[0])
    return payer
"""

PROGRAMS["peer_mix_network"] = """
from itertools import permutations
def f():
    orders = list(permutations("abc"))
    first = orders[DiscreteUniform(0, 5)]
    second = orders[Categorical([0.3, 0.3, 0.1, 0.1, 0.1, 0.1])]
    last = [first["abc".index(c)] for c in second]
    condition(last[0] != "a")
    return "".join(last)
"""

PROGRAMS["peer_crowd_path"] = """
def forward(at, hops):
    if hops == 0 or Bernoulli(0.25):
        return at, hops
    return forward(DiscreteUniform(0, 3), hops - 1)
def f():
    start = DiscreteUniform(0, 2)
    end, left = forward(start, 3)
    condition(end == 1)
    return start
"""

PROGRAMS["peer_ring_election"] = """
def f():
    ids = [DiscreteUniform(1, 3) for _ in range(3)]
    leaders = []
    for i, own in enumerate(ids):
        if all(own > other for j, other in enumerate(ids) if j != i):
            leaders.append(i)
    return leaders[0] if leaders else -1
"""

PROGRAMS["peer_gossip_sets"] = """
def f():
    knows = [{i} for i in range(4)]
    for _ in range(3):
        a = DiscreteUniform(0, 3)
        b = (a + 1) % 4
        both = knows[a] | knows[b]
        knows[a] = both
        knows[b] = set(both)
    return max(len(k) for k in knows)
"""

PROGRAMS["peer_hmm"] = """
def f():
    state = "rain" if Bernoulli(0.5) else "sun"
    seen = ["wet", "dry", "wet"]
    stay = {"rain": 0.7, "sun": 0.8}
    wet = {"rain": 0.9, "sun": 0.2}
    for s in seen:
        if not Bernoulli(stay[state]):
            state = {"rain": "sun", "sun": "rain"}[state]
        condition(Bernoulli(wet[state]) == (s == "wet"))
    return state
"""

PROGRAMS["peer_clinical_trial"] = """
def f():
    works = Bernoulli(0.5)
    if works:
        control, treated = Categorical({0.2: 0.5, 0.6: 0.5}), Categorical({0.3: 0.5, 0.9: 0.5})
    else:
        control = treated = Categorical({0.2: 0.5, 0.6: 0.5})
    for healed in (False, False, True):
        condition(Bernoulli(control) == healed)
    for healed in (True, True):
        condition(Bernoulli(treated) == healed)
    return works
"""

PROGRAMS["peer_tug_of_war"] = """
def f():
    strength = {name: DiscreteUniform(1, 3) for name in "abc"}
    def pull(name):
        lazy = Bernoulli(1 / 3)
        return strength[name] // 2 if lazy else strength[name]
    def wins(x, y):
        return pull(x) > pull(y)
    condition(wins("a", "b"))
    condition(wins("b", "c"))
    return strength["a"]
"""

PROGRAMS["peer_coin_bias_urn"] = """
def f():
    red, black = 1, 1
    for _ in range(6):
        if Bernoulli(red / (red + black)):
            red += 1
        else:
            black += 1
    condition(red != black)
    return red
"""

PROGRAMS["peer_gambler"] = """
def play(money, rounds):
    if money in (0, 4) or rounds == 0:
        return money
    return play(money + (1 if Bernoulli(0.4) else -1), rounds - 1)
def f():
    end = play(2, 7)
    condition(end > 0)
    return end
"""

PROGRAMS["peer_dice_sum_max"] = """
def f():
    rolls = [DiscreteUniform(1, 6) for _ in range(3)]
    keep = sorted(rolls, reverse=True)[:2]
    condition(sum(keep) >= 9)
    return min(rolls)
"""

PROGRAMS["peer_exploding_die"] = """
def f():
    total = 0
    for _ in range(4):
        roll = DiscreteUniform(1, 4)
        total += roll
        if roll < 4:
            break
    else:
        total = -1
    return total
"""

PROGRAMS["peer_two_truths"] = """
def f():
    a, b = Bernoulli(0.25), Bernoulli(0.25)
    at_least = a or b
    both = a and b
    condition(at_least)
    return both, a ^ b, a <= b
"""

PROGRAMS["peer_binomial_count"] = """
def f():
    clients = Binomial(6, 0.3)
    served = sum(Bernoulli(0.5) for i in range(6) if i < clients)
    condition(served <= 1)
    return clients - served
"""

PROGRAMS["peer_population_estimate"] = """
def f():
    population = DiscreteUniform(3, 6)
    marked = 2
    caught = Binomial(3, marked / population)
    condition(caught, 1)
    return population
"""

PROGRAMS["peer_random_response_bits"] = """
def f():
    true = DiscreteUniform(0, 3)
    vector = [int(true == j) for j in range(4)]
    noisy = [v if Bernoulli(0.75) else 1 - v for v in vector]
    condition(noisy == [0, 1, 1, 0])
    return true
"""

PROGRAMS["peer_truncated_geometric"] = """
def noise(p, most):
    count = 0
    while count < most and Bernoulli(p):
        count += 1
    return count
def f():
    answer = Binomial(4, 0.5)
    told = min(4, max(0, answer + noise(0.5, 3) - noise(0.5, 3)))
    condition(told, 3)
    return answer
"""

PROGRAMS["peer_above_threshold"] = """
def f():
    data = [Bernoulli(0.5), Bernoulli(0.3), Bernoulli(0.9)]
    threshold = 1 + Categorical({-1: 0.25, 0: 0.5, 1: 0.25})
    out = []
    for i in range(1, 4):
        if sum(data[:i]) + Categorical({-1: 0.25, 0: 0.5, 1: 0.25}) >= threshold:
            out.append("T")
            break
        out.append("F")
    condition(len(out) == 2)
    return "".join(out), data[0]
"""

PROGRAMS["peer_noisy_max"] = """
def f():
    votes = [Binomial(2, 0.5), Binomial(2, 0.25), 1]
    noisy = [v + DiscreteUniform(0, 2) for v in votes]
    winner = noisy.index(max(noisy))
    condition(winner == 2)
    return votes[0]
"""

PROGRAMS["peer_subsample"] = """
def f():
    rows = [Bernoulli(0.2), Bernoulli(0.5), Bernoulli(0.8), True]
    sample = [r for r in rows if Bernoulli(0.5)]
    if not sample:
        return "none"
    condition(sum(sample) / len(sample) >= 0.5)
    return rows[0]
"""

PROGRAMS["peer_k_anonymity"] = """
from collections import defaultdict
def f():
    people = [("4%d" % DiscreteUniform(0, 1), Categorical({"flu": 0.7, "hiv": 0.3})) for _ in range(4)]
    groups = defaultdict(list)
    for zip_code, illness in people:
        groups[zip_code].append(illness)
    shown = {z: sorted(groups[z]) for z in sorted(groups) if len(groups[z]) >= 2}
    condition("40" in shown)
    condition(len(set(shown["40"])) == 1)
    return people[0][1]
"""

PROGRAMS["peer_l_diversity"] = """
def f():
    rows = [(DiscreteUniform(20, 23), Bernoulli(0.3)) for _ in range(3)]
    buckets = {}
    for age, ill in rows:
        buckets.setdefault(age // 2 * 2, set()).add(ill)
    condition(all(len(buckets[b]) == 2 for b in sorted(buckets)) or len(buckets) == 2)
    return sum(ill for _, ill in rows)
"""

PROGRAMS["peer_suppressed_table"] = """
def f():
    cells = [Binomial(3, 0.3) for _ in range(3)]
    total = sum(cells)
    shown = [c if c >= 2 else None for c in cells]
    condition(total, 4)
    condition(shown.count(None) == 2)
    condition(shown[0] is not None)
    return cells[1]
"""

PROGRAMS["peer_rounded_counts"] = """
def f():
    true = Binomial(9, 0.5)
    shown = 3 * round(true / 3)
    condition(shown in (3, 6))
    return true, shown
"""

PROGRAMS["peer_smart_meter"] = """
def f():
    home = [Bernoulli(0.6) for _ in range(4)]
    watts = 0
    profile = []
    for at_home in home:
        watts = (watts // 2) + (3 if at_home else 0) + DiscreteUniform(0, 1)
        profile.append(watts)
    condition(max(profile) < 6)
    condition(sum(profile) >= 8)
    return home[0], home[-1]
"""

PROGRAMS["peer_location_walk"] = """
MOVES = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}
def f():
    x = y = 0
    path = []
    for _ in range(4):
        dx, dy = MOVES[Categorical({"n": 0.4, "s": 0.1, "e": 0.3, "w": 0.2})]
        x, y = x + dx, y + dy
        path.append((x, y))
    condition((0, 0) not in path)
    return abs(x) + abs(y)
"""

PROGRAMS["peer_nearby_friend"] = """
def f():
    me = (2, 2)
    friend = (DiscreteUniform(0, 4), DiscreteUniform(0, 4))
    d = max(abs(a - b) for a, b in zip(me, friend))
    condition(d, 1)
    condition(friend[0] + friend[1] != 4)
    return friend
"""

PROGRAMS["peer_pedigree"] = """
def child(mother, father):
    return tuple(sorted((mother[Bernoulli(0.5)], father[Bernoulli(0.5)])))
def f():
    def founder():
        return (Categorical({"A": 0.9, "a": 0.1}), Categorical({"A": 0.9, "a": 0.1}))
    mother, father = founder(), founder()
    first, second = child(mother, father), child(mother, father)
    condition(first == ("a", "a"))
    return "".join(second)
"""

PROGRAMS["peer_beacon"] = """
def f():
    inside = Bernoulli(0.5)
    frequency = [0.1, 0.5, 0.9]
    person = [Bernoulli(p) for p in frequency]
    others = [Binomial(3, p) > 0 for p in frequency]
    answers = [o or (inside and g) for o, g in zip(others, person)]
    condition(person == [True, False, True])
    condition(answers == [True, False, True])
    return inside
"""

PROGRAMS["peer_income_threshold"] = """
def f():
    income = Normal(50, 100)
    rich = income > 60
    told = rich if Bernoulli(0.75) else not rich
    condition(told)
    return rich
"""

PROGRAMS["peer_tax_brackets"] = """
def bracket(x):
    if x < 20:
        return "low"
    elif x < 60:
        return "middle"
    return "high"
def f():
    incomes = [Normal(40, 400), Normal(55, 225)]
    bands = [bracket(x) for x in incomes]
    condition(bands.count("high") == 1)
    return incomes[0]
"""

PROGRAMS["peer_sensor_mixture"] = """
def f():
    broken = Bernoulli(0.1)
    temperature = Normal(20, 4)
    reading = Normal(0, 100) if broken else temperature + Normal(0, 1)
    condition(reading, 26)
    return temperature
"""

PROGRAMS["peer_outlier_regression"] = """
def f():
    slope = Normal(0, 4)
    for x, y in ((1, 2), (2, 9)):
        if Bernoulli(0.8):
            condition(slope * x + Normal(0, 1), y)
        else:
            condition(slope * x + Normal(0, 100), y)
    return slope
"""

PROGRAMS["peer_switching_state"] = """
def f():
    x = Normal(0, 1)
    for seen in (1, None, 3):
        x = (x if Bernoulli(0.9) else -x) + Normal(0, 1)
        if seen is not None:
            condition(x + Normal(0, 2), seen)
    return x
"""
