"""Privacy programs of the kinds that other tools ship as examples, as a newcomer would write them in plain Python."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["shipped_cryptographers_coins"] = """
def f():
    payer = DiscreteUniform(0, 3)
    coins = [Bernoulli(0.5) for _ in range(3)]
    said = []
    for i in range(3):
        same = coins[i] == coins[(i + 1) % 3]
        said.append(same if payer != i else not same)
    condition(said[0] != said[1])
    return payer, sum(said) % 2
"""

PROGRAMS["shipped_cryptographers_biased"] = """
N = 4
def f():
    payer = DiscreteUniform(1, N)
    coin = {i: Bernoulli(0.6) for i in range(1, N + 1)}
    announce = {}
    for i in range(1, N + 1):
        left = coin[i]
        right = coin[i % N + 1]
        announce[i] = left ^ right ^ (payer == i)
    condition(announce[1], True)
    condition(announce[2], False)
    return payer
"""

PROGRAMS["shipped_password_timing"] = """
def check(secret, guess):
    time = 0
    for s, g in zip(secret, guess):
        time += 1
        if s != g:
            return False, time
    return True, time
def f():
    secret = [DiscreteUniform(0, 2) for _ in range(4)]
    ok, time = check(secret, [0, 1, 2, 0])
    condition(time >= 2)
    return secret[0], secret[1], ok, time
"""

PROGRAMS["shipped_square_and_multiply"] = """
def modpow(base, bits, mod):
    result, steps = 1, 0
    for bit in bits:
        result = (result * result) % mod
        steps += 1
        if bit == 1:
            result = (result * base) % mod
            steps += 1
    return result, steps
def f():
    key = DiscreteUniform(0, 15)
    bits = [(key >> i) & 1 for i in (3, 2, 1, 0)]
    result, steps = modpow(3, bits, 17)
    condition(steps == 6)
    return key, result
"""

PROGRAMS["shipped_lottery"] = """
def f():
    tickets = list(range(1, 6))
    drawn = []
    for _ in range(3):
        i = DiscreteUniform(0, len(tickets) - 1)
        drawn.append(tickets.pop(i))
    condition(1 in drawn)
    return sorted(drawn)[1], 2 in drawn
"""

PROGRAMS["shipped_probabilistic_vote"] = """
from collections import Counter
def f():
    votes = [Categorical({"A": 0.5, "B": 0.3, "C": 0.2}) for _ in range(4)]
    counts = Counter(votes)
    winner = max(["A", "B", "C"], key=lambda c: counts[c])
    condition(winner == "B")
    return votes[0], counts["A"]
"""

PROGRAMS["shipped_monty"] = """
def f(strategy="switch"):
    doors = {1, 2, 3}
    car = DiscreteUniform(1, 3)
    pick = 1
    options = sorted(doors - {car, pick})
    opened = options[0] if len(options) == 1 else options[DiscreteUniform(0, 1)]
    if strategy == "switch":
        pick = [d for d in (1, 2, 3) if d not in (pick, opened)][0]
    return pick == car, opened
"""

PROGRAMS["shipped_alarm"] = """
def flip(p):
    return Bernoulli(p)
def f():
    earthquake = flip(0.02)
    burglary = flip(0.01)
    if burglary and earthquake:
        p = 0.95
    elif burglary:
        p = 0.94
    elif earthquake:
        p = 0.29
    else:
        p = 0.001
    alarm = flip(p)
    john = flip(0.9 if alarm else 0.05)
    mary = flip(0.7 if alarm else 0.01)
    radio = flip(0.98 if earthquake else 0.0001)
    condition(john and mary)
    condition(not radio)
    return burglary, earthquake
"""

PROGRAMS["shipped_digits"] = """
TEMPLATES = {0: "11110111", 1: "01001010", 7: "11100100"}
def f():
    digit = Categorical([1 / 3, 1 / 3, 1 / 3])
    digit = [0, 1, 7][digit]
    pixels = TEMPLATES[digit]
    seen = "11101100"
    for p, s in zip(pixels, seen):
        noisy = p if Bernoulli(0.9) else ("1" if p == "0" else "0")
        condition(noisy == s)
    return digit
"""

PROGRAMS["shipped_markov"] = """
def step(state):
    return {
        "sunny": lambda: Categorical({"sunny": 0.8, "rain": 0.2}),
        "rain": lambda: Categorical({"sunny": 0.4, "rain": 0.6}),
    }[state]()
def f():
    day = "sunny"
    history = []
    for _ in range(4):
        day = step(day)
        history.append(day)
    condition(history[2] == "rain")
    return history[0], history[-1]
"""

PROGRAMS["shipped_coupon"] = """
def f():
    seen = set()
    draws = 0
    while len(seen) < 3 and draws < 6:
        seen.add(DiscreteUniform(1, 3))
        draws += 1
    return draws, len(seen) == 3
"""

PROGRAMS["shipped_crowds"] = """
def f():
    initiator = DiscreteUniform(0, 3)
    corrupt = {3}
    condition(initiator not in corrupt)
    holder = initiator
    last = None
    observed = -1
    for hop in range(4):
        nxt = DiscreteUniform(0, 3)
        if nxt in corrupt:
            observed = holder
            break
        holder = nxt
        if Bernoulli(0.5):
            break
    condition(observed >= 0)
    return initiator, observed
"""

PROGRAMS["shipped_rr_chain"] = """
def respond(truth, p=0.75):
    if Bernoulli(p):
        return truth
    return Bernoulli(0.5)
def f():
    truth = Bernoulli(0.1)
    reports = [respond(truth) for _ in range(3)]
    twice = respond(respond(truth))
    condition(sum(reports) >= 2)
    return truth, twice
"""

PROGRAMS["shipped_birthday"] = """
def f():
    days = [DiscreteUniform(1, 8) for _ in range(4)]
    collision = len(set(days)) < len(days)
    condition(not collision)
    return days[0], any(d == 1 for d in days)
"""

PROGRAMS["shipped_onion"] = """
import itertools
def f():
    relays = ["r1", "r2", "r3", "bad"]
    routes = list(itertools.permutations(relays, 2))
    client = Categorical({"alice": 0.5, "bob": 0.25, "carol": 0.25})
    route = routes[DiscreteUniform(0, len(routes) - 1)]
    entry, exit = route
    leak = client if entry == "bad" else None
    site = Categorical({"x": 0.9, "y": 0.1}) if client == "alice" else Categorical({"x": 0.3, "y": 0.7})
    sees = (leak, site if exit == "bad" else None)
    condition(sees[0] is None)
    condition(sees[1] == "y")
    return client
"""

PROGRAMS["shipped_pin"] = """
def f():
    pin = [DiscreteUniform(0, 3) for _ in range(3)]
    tries = [[0, 0, 0], [1, 2, 3], [3, 3, 1]]
    feedback = []
    for guess in tries:
        feedback.append(sum(a == b for a, b in zip(pin, guess)))
    condition(feedback[:2] == [1, 1])
    return (*pin, feedback[2])
"""

PROGRAMS["shipped_timing"] = """
def f():
    high = DiscreteUniform(0, 7)
    clock = 0
    for i in range(8):
        if i > high:
            break
        clock += 2 if i % 2 else 1
    noise = Binomial(2, 0.5)
    observed = clock + noise
    condition(observed == 6)
    return high
"""

PROGRAMS["shipped_reservoir"] = """
def f():
    stream = ["a", "b", "c", "d"]
    sample = []
    for i, x in enumerate(stream):
        if i < 2:
            sample.append(x)
        else:
            j = DiscreteUniform(0, i)
            if j < 2:
                sample[j] = x
    condition("d" in sample)
    return "".join(sorted(sample))
"""

PROGRAMS["shipped_walk"] = """
def f():
    x, steps = 0, 0
    while -2 < x < 2 and steps < 6:
        x += 1 if Bernoulli(0.6) else -1
        steps += 1
    return x, steps
"""

PROGRAMS["shipped_sprinkler"] = """
def f():
    cloudy = Bernoulli(0.5)
    sprinkler = Bernoulli(0.1) if cloudy else Bernoulli(0.5)
    rain = Bernoulli({True: 0.8, False: 0.2}[cloudy])
    wet = Bernoulli([[0.0, 0.9], [0.9, 0.99]][sprinkler][rain])
    condition(wet)
    return rain, sprinkler
"""

PROGRAMS["shipped_noisy_or"] = """
import math
def f():
    causes = [Bernoulli(p) for p in (0.1, 0.2, 0.3)]
    q = math.prod(1 - 0.8 if c else 1 for c in causes)
    effect = Bernoulli(1 - q)
    condition(effect)
    return causes
"""

PROGRAMS["shipped_grades"] = """
def f():
    difficulty = Bernoulli(0.4)
    intelligence = Bernoulli(0.3)
    match (intelligence, difficulty):
        case (True, False):
            grade = Categorical({"A": 0.9, "B": 0.08, "C": 0.02})
        case (True, True):
            grade = Categorical({"A": 0.5, "B": 0.3, "C": 0.2})
        case (False, False):
            grade = Categorical({"A": 0.3, "B": 0.4, "C": 0.3})
        case _:
            grade = Categorical({"A": 0.05, "B": 0.25, "C": 0.7})
    letter = Bernoulli({"A": 0.9, "B": 0.6, "C": 0.01}[grade])
    sat = Bernoulli(0.8 if intelligence else 0.05)
    condition(not letter)
    return intelligence, grade, sat
"""

PROGRAMS["shipped_trueskill"] = """
class Player:
    def __init__(self, name):
        self.name = name
        self.skill = DiscreteUniform(1, 4)
    def perform(self):
        return self.skill + DiscreteUniform(-1, 1)
    def __gt__(self, other):
        return self.perform() > other.perform()
def f():
    a, b, c = Player("a"), Player("b"), Player("c")
    condition(a > b)
    condition(b > c)
    return a.skill
"""

PROGRAMS["shipped_deck"] = """
from dataclasses import dataclass
@dataclass(frozen=True)
class Card:
    rank: int
    suit: str
DECK = [Card(r, s) for r in (1, 2, 3) for s in "hs"]
def f():
    first = DECK[DiscreteUniform(0, 5)]
    rest = [c for c in DECK if c != first]
    second = rest[DiscreteUniform(0, 4)]
    condition(first.rank == second.rank or first.suit == "h")
    return first.rank, second.suit
"""

PROGRAMS["shipped_rps"] = """
BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
def f():
    bias = Categorical({"rock": 0.6, "paper": 0.2, "scissors": 0.2})
    wins = 0
    for _ in range(2):
        me = Categorical({"rock": 1 / 3, "paper": 1 / 3, "scissors": 1 / 3})
        if BEATS[me] == bias:
            wins += 1
        elif BEATS[bias] == me:
            wins -= 1
    return bias, wins
"""

PROGRAMS["shipped_gossip"] = """
def f():
    knows = {0}
    for _ in range(2):
        new = set(knows)
        for person in sorted(knows):
            new.add((person + 1 + DiscreteUniform(0, 1)) % 4)
        knows = new
    return len(knows), 3 in knows
"""

PROGRAMS["shipped_evidence_order"] = """
def f():
    weights = [0.1, 0.2, 0.3, 0.4]
    total = sum(weights)
    user = Categorical([w / total for w in weights])
    seen = []
    for query in ("q1", "q2"):
        likes = user % 2 == 0
        p = 0.7 if likes else 0.2
        seen.append(query if Bernoulli(p) else None)
    condition(seen == ["q1", None])
    return user
"""

PROGRAMS["shipped_typing"] = """
from typing import List, Optional, Tuple
def noisy(x: int, lo: int = 0, hi: int = 3) -> int:
    return max(lo, min(hi, x + DiscreteUniform(-1, 1)))
def f() -> Tuple[int, Optional[int]]:
    loc: int = DiscreteUniform(0, 3)
    readings: List[int] = [noisy(loc) for _ in range(2)]
    condition(readings[0] == 3)
    return loc, readings[1] if readings[1] != 0 else -1
"""

PROGRAMS["shipped_genetic"] = """
def child(m, d):
    return (m[DiscreteUniform(0, 1)], d[DiscreteUniform(0, 1)])
def f():
    mum = tuple(Categorical({"A": 0.7, "a": 0.3}) for _ in range(2))
    dad = tuple(Categorical({"A": 0.7, "a": 0.3}) for _ in range(2))
    kids = [child(mum, dad) for _ in range(2)]
    ill = [k.count("a") == 2 for k in kids]
    condition(ill[0])
    return ill[1], mum.count("a")
"""

PROGRAMS["shipped_elevator"] = """
def f():
    floors = [DiscreteUniform(0, 2) for _ in range(3)]
    stops = {fl: [] for fl in range(3)}
    for person, fl in enumerate(floors):
        stops[fl].append(person)
    visited = [fl for fl, people in stops.items() if people]
    condition(len(visited) == 2)
    return floors[0], len(stops[0])
"""

PROGRAMS["shipped_exp_mech"] = """
import math
def f():
    votes = [Categorical({"x": 0.5, "y": 0.5}) for _ in range(3)]
    scores = {c: sum(v == c for v in votes) for c in ("x", "y")}
    n = scores["x"]
    weight = {0: 1, 1: 2, 2: 4, 3: 8}
    z = weight[n] + weight[3 - n]
    winner = "x" if Bernoulli(weight[n] / z) else "y"
    condition(winner == "x")
    return votes[0]
"""

PROGRAMS["shipped_recursive"] = """
def hanoi_like(n):
    if n == 0:
        return 0
    if Bernoulli(0.5):
        return 1 + hanoi_like(n - 1)
    return hanoi_like(n - 1)
def f():
    k = hanoi_like(5)
    condition(k % 2 == 1)
    return k
"""

PROGRAMS["shipped_string_build"] = """
def f():
    msg = ""
    for _ in range(4):
        msg += "ab"[Bernoulli(0.5)]
    runs = max(len(r) for r in msg.replace("a", " ").split()) if "b" in msg else 0
    condition(msg[0] == msg[-1])
    return runs, msg.count("ab")
"""

PROGRAMS["shipped_dict_update"] = """
def f():
    profile = {"age": DiscreteUniform(20, 22), "city": Categorical({"x": 0.5, "y": 0.5})}
    public = {**profile}
    if profile["age"] > 20:
        public.pop("city")
    else:
        del public["age"]
    return "city" in public, public.get("age", -1)
"""

PROGRAMS["shipped_lambda_sort"] = """
def f():
    people = [{"name": n, "score": DiscreteUniform(1, 3)} for n in ("u", "v", "w")]
    people.sort(key=lambda p: (-p["score"], p["name"]))
    podium = [p["name"] for p in people[:2]]
    return "".join(podium), people[0]["score"]
"""

PROGRAMS["shipped_nested_loops"] = """
def f():
    grid = [[Bernoulli(0.3) for _ in range(3)] for _ in range(2)]
    count = 0
    for r in range(2):
        for c in range(3):
            if not grid[r][c]:
                continue
            neighbours = sum(grid[a][b] for a in range(2) for b in range(3) if abs(a - r) + abs(b - c) == 1)
            if neighbours == 0:
                count += 1
    condition(count >= 1)
    return grid[0][0], count
"""
