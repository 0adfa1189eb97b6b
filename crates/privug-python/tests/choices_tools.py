"""Programs in the manner of the examples that tools for probabilistic programs and for information flow ship."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["tools_psi_two_envelopes"] = """
import itertools
def f():
    amounts = [10, 20, 40]
    small = amounts[DiscreteUniform(0, 2)]
    envelopes = (small, 2 * small)
    picked = int(Bernoulli(0.5))
    seen = envelopes[picked]
    condition(seen == 40)
    return envelopes[1 - picked] > seen
"""

PROGRAMS["tools_psi_coupon_album"] = """
def f():
    album = set()
    packs = 0
    for _ in range(5):
        packs += 1
        album |= {DiscreteUniform(1, 3)}
        if album == {1, 2, 3}:
            break
    return packs, len(album)
"""

PROGRAMS["tools_psi_urn_replacement"] = """
def f():
    urn = {"red": 3, "blue": 2}
    drawn = []
    for _ in range(3):
        total = sum(urn.values())
        colour = Categorical({c: n / total for c, n in urn.items()})
        urn[colour] += 1
        drawn.append(colour)
    condition(drawn[-1] == "red")
    return drawn[0], urn["blue"]
"""

PROGRAMS["tools_psi_elections_leaders"] = """
from dataclasses import dataclass

@dataclass
class Node:
    ident: int
    active: bool = True
    bit: int = 0

def round_(nodes):
    alive = [n for n in nodes if n.active]
    for n in alive:
        n.bit = DiscreteUniform(0, 1)
    if any(n.bit for n in alive):
        for n in alive:
            if not n.bit:
                n.active = False

def f():
    nodes = [Node(i) for i in range(3)]
    for _ in range(2):
        round_(nodes)
    leaders = [n.ident for n in nodes if n.active]
    condition(len(leaders) == 1)
    return leaders[0]
"""

PROGRAMS["tools_psi_three_prisoners"] = """
def f():
    prisoners = ["A", "B", "C"]
    pardoned = prisoners[DiscreteUniform(0, 2)]
    candidates = [p for p in prisoners if p not in ("A", pardoned)]
    named = candidates[DiscreteUniform(0, len(candidates) - 1)]
    condition(named == "B")
    return pardoned
"""

PROGRAMS["tools_dice_yahtzee_pairs"] = """
from collections import Counter
def f():
    dice = [DiscreteUniform(1, 6) for _ in range(4)]
    counts = Counter(dice)
    pattern = tuple(sorted(counts.values(), reverse=True))
    match pattern:
        case (4,):
            return "four"
        case (3, 1):
            return "three"
        case (2, 2):
            return "two pairs"
        case (2, *_):
            return "pair"
        case _:
            return "nothing"
"""

PROGRAMS["tools_dice_pool_successes"] = """
def f():
    pool = [DiscreteUniform(1, 6) for _ in range(4)]
    hits = sum(1 for d in pool if d >= 5)
    glitch = sum(d == 1 for d in pool) * 2 > len(pool)
    return f"{hits}{'!' if glitch else ''}"
"""

PROGRAMS["tools_genfer_two_flips_until"] = """
def f():
    n = 0
    streak = 0
    while n < 6 and streak < 2:
        streak = streak + 1 if Bernoulli(0.5) else 0
        n += 1
    condition(streak, 2)
    return n
"""

PROGRAMS["tools_genfer_branching"] = """
def f():
    population = 1
    sizes = [population]
    for generation in range(3):
        population = sum(Categorical([0.25, 0.5, 0.25]) for _ in range(population)) if population else 0
        sizes.append(population)
    condition(sizes[-1] > 0)
    return sizes[1]
"""

PROGRAMS["tools_genfer_dutch_book"] = """
def f():
    x = Binomial(3, 0.5)
    y = Binomial(x, 0.3)
    z = x - y
    observe_total = y * 2 + z
    condition(observe_total in (2, 3))
    return y, z
"""

PROGRAMS["tools_sppl_student"] = """
from enum import Enum
class Country(Enum):
    INDIA = "India"
    USA = "USA"
def f():
    country = Country.INDIA if Bernoulli(0.5) else Country.USA
    if country is Country.INDIA:
        perfect = Bernoulli(0.1)
        gpa = 10 if perfect else DiscreteUniform(5, 9)
    else:
        perfect = Bernoulli(0.15)
        gpa = 4 if perfect else DiscreteUniform(1, 3)
    condition((country is Country.USA and gpa > 2) or (country is Country.INDIA and 8 < gpa <= 10))
    return country.name
"""

PROGRAMS["tools_sppl_hmm_switch"] = """
def f():
    separated = Bernoulli(0.4)
    z = Bernoulli(0.5)
    obs = []
    p_transition = [0.2, 0.8]
    means = {False: {False: 1, True: 3}, True: {False: 1, True: 6}}
    for t in range(3):
        z = Bernoulli(p_transition[z])
        obs.append(means[separated][z] + DiscreteUniform(-1, 1))
    condition(obs[1] == 4 or obs[2] == 2)
    return separated, z
"""

PROGRAMS["tools_spire_pizza_cooperative"] = """
RESTAURANTS = {"north": (0, 2), "south": (0, -2), "east": (2, 0)}
def distance(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
def f():
    user = (DiscreteUniform(-2, 2), DiscreteUniform(-2, 2))
    nearest = min(RESTAURANTS, key=lambda name: distance(RESTAURANTS[name], user))
    condition(nearest == "south")
    return user
"""

PROGRAMS["tools_spire_ship_query"] = """
def nearby(ship, x, y, reach):
    return abs(ship["x"] - x) + abs(ship["y"] - y) <= reach
def f():
    ship = {"x": DiscreteUniform(0, 6), "y": DiscreteUniform(0, 6)}
    answers = [nearby(ship, 2, 2, 3), nearby(ship, 4, 2, 3)]
    condition(answers == [True, False])
    return ship["x"]
"""

PROGRAMS["tools_hakaru_pedigree_disease"] = """
def child(mother, father):
    return int(mother >= 1 and Bernoulli(mother / 2)) + int(father >= 1 and Bernoulli(father / 2))
def genotype(q=0.1):
    return Binomial(2, q)
def f():
    grandma, grandpa, father = genotype(), genotype(), genotype()
    mother = child(grandma, grandpa)
    kid = child(mother, father)
    condition(kid == 2)
    return grandma
"""

PROGRAMS["tools_hakaru_two_coins_bias"] = """
def f():
    bias = Categorical({0.2: 0.25, 0.5: 0.5, 0.8: 0.25})
    tosses = [Bernoulli(bias) for _ in range(4)]
    condition(sum(tosses) >= 3)
    return bias
"""

PROGRAMS["tools_quail_voting_three"] = """
def f():
    votes = [Categorical({"A": 0.4, "B": 0.35, "C": 0.25}) for _ in range(4)]
    tally = {c: votes.count(c) for c in "ABC"}
    winners = [c for c, n in tally.items() if n == max(tally.values())]
    if len(winners) > 1:
        announced = "tie: " + "/".join(winners)
    else:
        announced = winners[0]
    condition(announced.startswith("tie"))
    return votes[0]
"""

PROGRAMS["tools_quail_bit_xor_leak"] = """
def f():
    secret = DiscreteUniform(0, 15)
    mask = DiscreteUniform(0, 3)
    out = secret ^ mask
    condition(out, 0b0110)
    return secret >> 2, secret & 1
"""

PROGRAMS["tools_hyleak_window_search"] = """
def f():
    sec = DiscreteUniform(0, 31)
    low, high = 0, 31
    asked = []
    for _ in range(3):
        mid = (low + high) // 2
        asked.append(mid)
        if sec <= mid:
            high = mid
        else:
            low = mid + 1
    return low, high, len(asked)
"""

PROGRAMS["tools_leakwatch_stop_and_search"] = """
import random
def f():
    birthdays = [DiscreteUniform(0, 3) for _ in range(3)]
    order = []
    remaining = list(range(3))
    while remaining:
        k = DiscreteUniform(0, len(remaining) - 1)
        order.append(remaining.pop(k))
    first = birthdays[order[0]]
    same = [i for i in order[1:] if birthdays[i] == first]
    return first, len(same)
"""

PROGRAMS["tools_leakiest_epassport"] = """
def reader(is_mine, attempts=2):
    times = []
    for attempt in range(attempts):
        mac_ok = Bernoulli(0.9) if is_mine else Bernoulli(0.05)
        nonce_ok = mac_ok and Bernoulli(0.5)
        if not mac_ok:
            times.append(1)
        elif not nonce_ok:
            times.append(3)
        else:
            times.append(4)
    return times
def f():
    is_mine = Bernoulli(0.01)
    t = reader(is_mine)
    condition(max(t) >= 3)
    return is_mine, sum(t)
"""

PROGRAMS["tools_fbleau_geometric_noise"] = """
def truncated_geometric(x, lo, hi, alpha):
    weights = {y: alpha ** abs(y - x) for y in range(lo, hi + 1)}
    total = sum(weights.values())
    return Categorical({y: w / total for y, w in weights.items()})
def f():
    true = DiscreteUniform(0, 4)
    y = truncated_geometric(true, 0, 4, 0.5)
    condition(y, 3)
    return true
"""

PROGRAMS["tools_webppl_scalar_implicature"] = """
def literal(utterance, state):
    meanings = {"all": lambda s: s == 3, "some": lambda s: s > 0, "none": lambda s: s == 0}
    return meanings[utterance](state)
def f():
    state = DiscreteUniform(0, 3)
    utterance = Categorical({u: 1 / 3 for u in ["all", "some", "none"]})
    condition(literal(utterance, state))
    condition(utterance != "none")
    return utterance, state
"""

PROGRAMS["tools_figaro_movie_award"] = """
class Actor:
    def __init__(self):
        self.famous = Bernoulli(0.1)
class Movie:
    def __init__(self):
        self.quality = Categorical({"low": 0.3, "medium": 0.5, "high": 0.2})
class Appearance:
    def __init__(self, actor, movie):
        self.actor, self.movie = actor, movie
    @property
    def award(self):
        p = {"low": 0.001, "medium": 0.01, "high": 0.2}[self.movie.quality]
        return p * 2 if self.actor.famous else p
def f():
    actors = [Actor() for _ in range(2)]
    movie = Movie()
    appearances = [Appearance(a, movie) for a in actors]
    won = [Bernoulli(a.award) for a in appearances]
    condition(any(won))
    return movie.quality, actors[0].famous
"""

PROGRAMS["tools_figaro_firm_bids"] = """
from dataclasses import dataclass, field
@dataclass
class Firm:
    efficient: bool
    bid: int = field(default=0)
    def winning(self, bids):
        return self.bid == min(bids)
def f():
    firms = []
    for _ in range(3):
        firm = Firm(efficient=Bernoulli(0.3))
        firm.bid = DiscreteUniform(1, 3) if firm.efficient else DiscreteUniform(2, 4)
        firms.append(firm)
    winner = next(x for x in firms if x.winning([y.bid for y in firms]))
    condition(winner is firms[1])
    return firms[1].efficient, firms[0].efficient
"""

PROGRAMS["tools_problog_graph_path"] = """
EDGES = {("a", "b"): 0.6, ("b", "c"): 0.5, ("a", "c"): 0.1, ("c", "d"): 0.7, ("b", "d"): 0.2}
def f():
    present = {e: Bernoulli(p) for e, p in EDGES.items()}
    def path(x, y, seen=()):
        if x == y:
            return True
        return any(present[e] and path(e[1], y, seen + (x,)) for e in EDGES if e[0] == x and e[1] not in seen)
    condition(path("a", "d"))
    return present["a", "c"], present[("b", "d")]
"""

PROGRAMS["tools_problog_friends_smoke"] = """
def f():
    people = ["ann", "bob", "carl"]
    friends = [("ann", "bob"), ("bob", "carl")]
    stress = {p: Bernoulli(0.3) for p in people}
    influence = {pair: Bernoulli(0.2) for pair in friends}
    smokes = dict(stress)
    changed = True
    for _ in range(len(people)):
        for a, b in friends:
            smokes[b] = smokes[b] or (smokes[a] and influence[a, b])
    condition(smokes["carl"])
    return {p: smokes[p] for p in people}["ann"]
"""

PROGRAMS["tools_prism_dining_four"] = """
def f():
    n = 4
    payer = Categorical([0.4, 0.15, 0.15, 0.15, 0.15])  # 0 is the boss
    coins = [Bernoulli(0.5) for _ in range(n)]
    say = []
    for i in range(n):
        agree = coins[i] == coins[i - 1]
        say.append("agree" if agree ^ (payer == i + 1) else "disagree")
    parity = say.count("disagree") % 2
    condition(say[0] == "agree")
    return payer, parity
"""

PROGRAMS["tools_prism_dining_biased_coin"] = """
def f():
    payer = DiscreteUniform(0, 2)
    coins = [Bernoulli(0.7), Bernoulli(0.5), Bernoulli(0.5)]
    says = tuple((coins[i] != coins[(i + 1) % 3]) != (payer == i) for i in range(3))
    condition(says == (True, False, False))
    return payer
"""
