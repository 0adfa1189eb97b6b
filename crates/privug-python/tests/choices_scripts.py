"""Programs as researchers and students write them for themselves: counters in dictionaries, small classes, helper functions."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["script_password_checker"] = """
SECRET_ALPHABET = "ab"
def draw_password(length):
    return "".join(Categorical({c: 0.5 for c in SECRET_ALPHABET}) for _ in range(length))
def check(password, attempt):
    for i, (p, a) in enumerate(zip(password, attempt), 1):
        if p != a:
            return {"ok": False, "time": i}
    return {"ok": True, "time": len(attempt)}
def f():
    password = draw_password(4)
    result = check(password, "abba")
    condition(result["time"] >= 2)
    return f"{password}:{result['time']:02d}"
"""

PROGRAMS["script_plurality_dict"] = """
def tally(ballots):
    counts = {}
    for b in ballots:
        counts[b] = counts.get(b, 0) + 1
    return counts
def f():
    ballots = [Categorical({"red": 0.5, "green": 0.3, "blue": 0.2}) for _ in range(5)]
    counts = tally(ballots)
    winner = max(counts, key=counts.get)
    condition(winner != "red")
    return winner, counts[winner]
"""

PROGRAMS["script_counter_most_common"] = """
from collections import Counter
def f():
    draws = [DiscreteUniform(1, 3) for _ in range(5)]
    (value, times), *rest = Counter(draws).most_common()
    condition(times >= 3)
    return value, len(rest)
"""

PROGRAMS["script_most_common_two"] = """
from collections import Counter
def f():
    words = [Categorical({"to": 0.4, "be": 0.4, "or": 0.2}) for _ in range(4)]
    top = Counter(words).most_common(2)
    return [w for w, n in top if n > 1]
"""

PROGRAMS["script_unique_in_order"] = """
def f():
    visits = [Categorical({"home": 0.5, "work": 0.3, "gym": 0.2}) for _ in range(4)]
    distinct = list(dict.fromkeys(visits))
    condition(len(distinct) >= 2)
    return distinct[1]
"""

PROGRAMS["script_first_seen"] = """
def f():
    first = {}
    for day in range(4):
        who = Categorical({"ann": 0.25, "bob": 0.25, "cy": 0.5})
        if who not in first:
            first[who] = day
    condition("bob" in first)
    names = [f"{who}@{day}" for who, day in first.items()]
    return "/".join(names)
"""

PROGRAMS["script_group_by_dict"] = """
def f():
    people = [("ann", DiscreteUniform(20, 22)), ("bob", DiscreteUniform(20, 22)), ("cy", 21)]
    groups = {}
    for name, age in people:
        groups.setdefault(age, []).append(name)
    smallest = min(len(members) for members in groups.values())
    condition(smallest >= 1)
    return [len(m) for m in groups.values()]
"""

PROGRAMS["script_invert_dict"] = """
def f():
    seat = {name: Categorical({"window": 0.5, "aisle": 0.5}) for name in ("ann", "bob", "cy")}
    by_seat = {}
    for name, where in seat.items():
        by_seat.setdefault(where, set()).add(name)
    return [(where, len(names)) for where, names in sorted(by_seat.items())]
"""

PROGRAMS["script_k_anonymity_counter"] = """
from collections import Counter
from dataclasses import dataclass

@dataclass
class Person:
    zip: int
    age: int

def generalise(p):
    return (p.zip // 10, "young" if p.age < 30 else "old")

def f():
    people = [Person(1201, 25), Person(1202, DiscreteUniform(28, 31)), Person(DiscreteUniform(1208, 1211), 40)]
    classes = Counter(generalise(p) for p in people)
    k = min(classes.values())
    condition(k == 1)
    return people[1].age, len(classes)
"""

PROGRAMS["script_t_closeness"] = """
from fractions import Fraction
def distribution(values):
    n = len(values)
    return {v: values.count(v) / n for v in ("flu", "cold")}
def distance(p, q):
    return max(abs(p[v] - q[v]) for v in p)
def f():
    sick = [Categorical({"flu": 0.25, "cold": 0.75}) for _ in range(4)]
    overall = distribution(sick)
    group = distribution(sick[:2])
    t = distance(overall, group)
    condition(t <= 0.25)
    return sick[0]
"""

PROGRAMS["script_l_diversity"] = """
def f():
    rows = [("130**", Categorical({"heart": 0.5, "viral": 0.3, "cancer": 0.2})) for _ in range(3)]
    rows.append(("148**", Categorical({"heart": 0.5, "viral": 0.5})))
    blocks = {}
    for key, disease in rows:
        blocks.setdefault(key, []).append(disease)
    diversity = {key: len(set(values)) for key, values in blocks.items()}
    condition(diversity["130**"] >= 2)
    return rows[0][1]
"""

PROGRAMS["script_rappor"] = """
class Client:
    def __init__(self, value, k=3):
        self.bits = [i == value for i in range(k)]
        self.permanent = [self._memo(b) for b in self.bits]
    def _memo(self, bit):
        if Bernoulli(0.25):
            return Bernoulli(0.5)
        return bit
    def report(self):
        return tuple(int(Bernoulli(0.75 if b else 0.5)) for b in self.permanent)
def f():
    value = Categorical([0.5, 0.3, 0.2])
    client = Client(value)
    condition(client.report() == (0, 1, 0))
    return value
"""

PROGRAMS["script_unary_encoding"] = """
def encode(v, d):
    return [1 if i == v else 0 for i in range(d)]
def perturb(bits, p=3/4, q=1/4):
    return [Bernoulli(p) if b else Bernoulli(q) for b in bits]
def f():
    v = DiscreteUniform(0, 3)
    noisy = perturb(encode(v, 4))
    support = [i for i, b in enumerate(noisy) if b]
    condition(support == [1, 3])
    return v
"""

PROGRAMS["script_monty_class"] = """
class Game:
    def __init__(self, doors=3):
        self.doors = list(range(doors))
        self.car = DiscreteUniform(0, doors - 1)
    def host_opens(self, pick):
        closed = [d for d in self.doors if d not in (pick, self.car)]
        return closed[0] if len(closed) == 1 else closed[Categorical([0.5] * 2)]
def f():
    game = Game()
    pick = 0
    opened = game.host_opens(pick)
    other = next(d for d in game.doors if d not in {pick, opened})
    condition(opened == 2)
    return "switch" if other == game.car else "stay"
"""

PROGRAMS["script_dining_class"] = """
class Cryptographer:
    def __init__(self, name, paid):
        self.name, self.paid = name, paid
        self.left = self.right = None
    def announce(self):
        same = self.left == self.right
        return same != self.paid
def f():
    payer = Categorical({"nsa": 0.4, "a": 0.2, "b": 0.2, "c": 0.2})
    table = [Cryptographer(n, n == payer) for n in "abc"]
    for i, who in enumerate(table):
        coin = Bernoulli(0.5)
        who.right = coin
        table[(i + 1) % len(table)].left = coin
    said = [who.announce() for who in table]
    condition(said[0] and not said[1])
    return payer
"""

PROGRAMS["script_crowds_while"] = """
def route(sender, members, p_forward=3/4, limit=4):
    path = [sender]
    while len(path) <= limit:
        path.append(members[DiscreteUniform(0, len(members) - 1)])
        if path[-1] == "spy" or not Bernoulli(p_forward):
            break
    return path
def f():
    members = ["ann", "bob", "spy"]
    sender = Categorical({"ann": 0.6, "bob": 0.4})
    path = route(sender, members)
    condition("spy" in path)
    before = path[path.index("spy") - 1]
    return before, sender
"""

PROGRAMS["script_approval_voting"] = """
def f():
    candidates = ["x", "y", "z"]
    approvals = {c: 0 for c in candidates}
    for voter in range(3):
        liked = [c for c, p in zip(candidates, (0.5, 0.4, 0.3)) if Bernoulli(p)]
        for c in liked:
            approvals[c] += 1
    ranking = sorted(approvals.items(), key=lambda kv: (-kv[1], kv[0]))
    condition(ranking[0][1] > ranking[1][1])
    return ranking[0][0]
"""

PROGRAMS["script_condorcet"] = """
from itertools import combinations, permutations
def beats(profile, a, b):
    return sum(order.index(a) < order.index(b) for order in profile) * 2 > len(profile)
def f():
    orders = list(permutations("abc"))
    profile = [orders[DiscreteUniform(0, 5)] for _ in range(3)]
    wins = {c: 0 for c in "abc"}
    for a, b in combinations("abc", 2):
        wins[a if beats(profile, a, b) else b] += 1
    champions = [c for c, w in wins.items() if w == 2]
    return champions[0] if champions else None
"""

PROGRAMS["script_instant_runoff"] = """
def count_first(ballots, standing):
    votes = dict.fromkeys(standing, 0)
    for ballot in ballots:
        for choice in ballot:
            if choice in standing:
                votes[choice] += 1
                break
    return votes
def f():
    kinds = ["abc", "bca", "cba"]
    ballots = [kinds[Categorical([0.4, 0.3, 0.3])] for _ in range(4)]
    standing = list("abc")
    rounds = 0
    while len(standing) > 1:
        votes = count_first(ballots, standing)
        rounds += 1
        top = max(votes.values())
        if top * 2 > len(ballots):
            return next(c for c in standing if votes[c] == top), rounds
        loser = min(standing, key=lambda c: (votes[c], c))
        standing.remove(loser)
    return standing[0], rounds
"""

PROGRAMS["script_random_walk_walls"] = """
from collections import namedtuple
Point = namedtuple("Point", "x y")
MOVES = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0)}
def clamp(v, lo=0, hi=2):
    return max(lo, min(hi, v))
def f():
    at = Point(1, 1)
    log = ""
    for step in range(3):
        d = Categorical({"N": 0.25, "S": 0.25, "E": 0.25, "W": 0.25})
        dx, dy = MOVES[d]
        at = at._replace(x=clamp(at.x + dx), y=clamp(at.y + dy))
        log += d
    condition(at.x == 2)
    return log.count("E"), at.y
"""

PROGRAMS["script_tcp"] = """
MAX_TRIES = 4
class Timeout(Exception):
    pass
def send(loss):
    for attempt in range(1, MAX_TRIES + 1):
        arrived = not Bernoulli(loss)
        acked = arrived and not Bernoulli(loss / 2)
        if acked:
            return attempt
    raise Timeout(f"gave up after {MAX_TRIES}")
def f():
    loss = 0.5 if Bernoulli(0.3) else 0.25
    try:
        tries = [send(loss) for _ in range(2)]
    except Timeout:
        return "lost", loss
    condition(sum(tries) > 3)
    return "sent", loss
"""

PROGRAMS["script_alarm_network"] = """
CPT_ALARM = {(True, True): 0.95, (True, False): 0.94, (False, True): 0.29, (False, False): 0.001}
def sample():
    world = {}
    world["burglary"] = Bernoulli(0.01)
    world["earthquake"] = Bernoulli(0.02)
    world["alarm"] = Bernoulli(CPT_ALARM[world["burglary"], world["earthquake"]])
    world.update(john=Bernoulli(0.9 if world["alarm"] else 0.05), mary=Bernoulli(0.7 if world["alarm"] else 0.01))
    return world
def f():
    world = sample()
    condition(world["john"] and world["mary"])
    return world["burglary"], world["earthquake"]
"""

PROGRAMS["script_noisy_or"] = """
from functools import reduce
from operator import mul
def noisy_or(parents, leak=0.05):
    off = reduce(mul, [1 - w for on, w in parents if on], 1 - leak)
    return Bernoulli(1 - off)
def f():
    flu, covid = Bernoulli(0.1), Bernoulli(0.05)
    fever = noisy_or([(flu, 0.75), (covid, 0.5)])
    cough = noisy_or([(flu, 0.5), (covid, 0.8)], leak=0.1)
    condition(fever and not cough)
    return "flu" if flu else "covid" if covid else "none"
"""

PROGRAMS["script_coupons"] = """
def f():
    album = set()
    bought = 0
    while len(album) < 3 and bought < 6:
        album.add(DiscreteUniform(1, 3))
        bought += 1
    complete = len(album) == 3
    condition(complete)
    return bought
"""

PROGRAMS["script_hmm_class"] = """
class Weather:
    start = {"sun": 0.6, "rain": 0.4}
    move = {"sun": {"sun": 0.8, "rain": 0.2}, "rain": {"sun": 0.4, "rain": 0.6}}
    walk = {"sun": 0.9, "rain": 0.3}
    def __init__(self):
        self.today = Categorical(self.start)
        self.diary = []
    def step(self):
        self.diary.append((self.today, Bernoulli(self.walk[self.today])))
        self.today = Categorical(self.move[self.today])
def f():
    w = Weather()
    for _ in range(4):
        w.step()
    condition([walked for _, walked in w.diary] == [True, False, True, True])
    return w.diary[1][0]
"""

PROGRAMS["script_group_testing"] = """
def pooled(samples, pool, sensitivity=0.9):
    positive = any(samples[i] for i in pool)
    return Bernoulli(sensitivity) if positive else Bernoulli(0.05)
def f():
    samples = [Bernoulli(p) for p in (0.1, 0.2, 0.1, 0.3)]
    pools = [(0, 1), (2, 3), (0, 2), (1, 3)]
    results = {pool: pooled(samples, pool) for pool in pools}
    condition([int(r) for r in results.values()] == [0, 1, 1, 0])
    return [i for i, s in enumerate(samples) if s]
"""

PROGRAMS["script_randomized_response_kary"] = """
import math
def krr(value, domain, keep):
    if Bernoulli(keep):
        return value
    others = [d for d in domain if d != value]
    return others[DiscreteUniform(0, len(others) - 1)]
def f():
    domain = ("a", "b", "c")
    truth = [Categorical({"a": 0.5, "b": 0.25, "c": 0.25}) for _ in range(2)]
    told = [krr(t, domain, 0.75) for t in truth]
    condition(sorted(told) == ["a", "b"])
    return "".join(truth)
"""

PROGRAMS["script_older_than"] = """
def f():
    ages = {"alice": DiscreteUniform(18, 22), "bob": DiscreteUniform(19, 23), "carol": 20}
    oldest = [name for name, age in ages.items() if age == max(ages.values())]
    condition(oldest == ["bob"])
    condition(ages["alice"] < ages["carol"] or ages["alice"] % 2)
    return ages["bob"] - ages["alice"]
"""

PROGRAMS["script_millionaires"] = """
def compare_bits(a, b, width=3):
    for k in reversed(range(width)):
        x, y = a >> k & 1, b >> k & 1
        if x != y:
            return ("a", width - k) if x > y else ("b", width - k)
    return None, width
def f():
    a, b = DiscreteUniform(0, 7), DiscreteUniform(0, 7)
    who, rounds = compare_bits(a, b)
    condition(who == "a")
    condition(rounds == 2)
    return a
"""

PROGRAMS["script_smart_meter"] = """
from itertools import accumulate
DEVICES = {"kettle": 2, "oven": 3, "tv": 1}
def f():
    home = Bernoulli(0.6)
    readings = []
    for hour in range(2):
        load = 1
        for name, watts in DEVICES.items():
            if home and Bernoulli(0.5):
                load += watts
        readings.append(load)
    total = list(accumulate(readings))
    condition(total[-1] <= 6)
    return home, readings[0] > 3
"""

PROGRAMS["script_reservoir"] = """
def reservoir(stream, k):
    kept = []
    for n, item in enumerate(stream, start=1):
        if n <= k:
            kept.append(item)
            continue
        j = DiscreteUniform(0, n - 1)
        if j < k:
            kept[j] = item
    return kept
def f():
    kept = reservoir("abcde", 2)
    condition("e" in kept)
    return "".join(sorted(kept))
"""

PROGRAMS["script_fisher_yates"] = """
def shuffled(items):
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = DiscreteUniform(0, i)
        items[i], items[j] = items[j], items[i]
    return items
def f():
    order = shuffled(["ann", "bob", "cy", "dee"])
    fixed = sum(a == b for a, b in zip(order, ("ann", "bob", "cy", "dee")))
    condition(order[0] != "ann")
    return fixed, order.index("ann")
"""

PROGRAMS["script_truncated_geometric"] = """
def two_sided(limit, alpha=0.5):
    sign = 1 if Bernoulli(0.5) else -1
    size = 0
    while size < limit and Bernoulli(alpha):
        size += 1
    return sign * size
def f():
    count = sum(Bernoulli(0.3) for _ in range(3))
    noisy = max(0, min(3, count + two_sided(3)))
    condition(noisy, 2)
    return count
"""

PROGRAMS["script_sparse_vector"] = """
def sparse_vector(queries, threshold, budget):
    answers = []
    noisy_threshold = threshold + DiscreteUniform(-1, 1)
    spent = 0
    for q in queries:
        if spent >= budget:
            break
        above = q + Categorical({-1: 0.25, 0: 0.5, 1: 0.25}) >= noisy_threshold
        answers.append("T" if above else "F")
        spent += above
    return "".join(answers)
def f():
    secret = Bernoulli(0.5)
    told = sparse_vector([1, 2 + secret, 3, 1], 3, 1)
    condition(len(told) >= 3)
    return secret, told
"""

PROGRAMS["script_exponential_mechanism"] = """
def exponential(scores):
    weights = {name: 2 ** score for name, score in scores.items()}
    total = sum(weights.values())
    return Categorical({name: w / total for name, w in weights.items()})
def f():
    likes = [Categorical({"pizza": 0.5, "sushi": 0.5}) for _ in range(3)]
    pizza = likes.count("pizza")
    if pizza == 3:
        told = exponential({"pizza": 3, "sushi": 0})
    elif pizza == 2:
        told = exponential({"pizza": 2, "sushi": 1})
    else:
        told = exponential({"pizza": 1, "sushi": 2})
    condition(told == "sushi")
    return likes[0]
"""
