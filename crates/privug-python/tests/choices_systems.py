"""Systems that leak: schedulers, channels, ballots, classes of one's own."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["system_sched_round_robin"] = """
from collections import deque
def f():
    queue = deque((name, DiscreteUniform(1, 3)) for name in "ab")
    finished = []
    clock = 0
    while queue:
        name, left = queue.popleft()
        clock += 1
        if left > 1:
            queue.append((name, left - 1))
        else:
            finished.append((name, clock))
    condition(finished[0][0] == "b")
    return clock
"""

PROGRAMS["system_tcp_exponential_backoff"] = """
def f():
    window, sent = 1, 0
    for rtt in range(4):
        lost = Bernoulli(min(1, window / 10))
        if lost:
            window = max(1, window // 2)
        else:
            sent += window
            window *= 2
    condition(sent > 3)
    return window
"""

PROGRAMS["system_ethernet_collision"] = """
def f():
    slots = {s: DiscreteUniform(0, 3) for s in ("A", "B", "C")}
    taken = list(slots.values())
    success = {s: t for s, t in slots.items() if taken.count(t) == 1}
    condition(len(success) == 1)
    (station, slot), = success.items()
    return station, slot
"""

PROGRAMS["system_cache_prime_probe"] = """
def f():
    key = [Bernoulli(0.5) for _ in range(4)]
    cache = ["attacker"] * 4
    for i, bit in enumerate(key):
        line = 2 * (i % 2) + bit
        cache[line] = "victim"
    misses = [i for i, owner in enumerate(cache) if owner == "victim"]
    condition(misses == [0, 1, 3])
    return "".join("1" if b else "0" for b in key)
"""

PROGRAMS["system_rsa_square_multiply_trace"] = """
def modexp(base, bits, n):
    acc, trace = 1, ""
    for b in bits:
        acc = acc * acc % n
        trace += "S"
        if b:
            acc = acc * base % n
            trace += "M"
    return acc, trace
def f():
    bits = [Bernoulli(0.5) for _ in range(4)]
    value, trace = modexp(3, bits, 11)
    condition(len(trace) == 6)
    return value
"""

PROGRAMS["system_hash_commitment"] = """
def commit(value, nonce):
    return (7 * value + 3 * nonce) % 8
def f():
    value, nonce = DiscreteUniform(0, 3), DiscreteUniform(0, 3)
    c = commit(value, nonce)
    condition(c, 5)
    return value, nonce
"""

PROGRAMS["system_secret_sharing"] = """
def shares(secret, p=5):
    a = DiscreteUniform(0, p - 1)
    return [(secret + a * x) % p for x in (1, 2, 3)]
def f():
    secret = Categorical([0.5, 0.2, 0.1, 0.1, 0.1])
    s = shares(secret)
    condition(s[0] == 2)
    condition(s[1] in {2, 3})
    return secret, s[2]
"""

PROGRAMS["system_mpc_salary_sum"] = """
def f():
    salaries = [DiscreteUniform(1, 3) for _ in range(3)]
    r = DiscreteUniform(0, 9)
    running = r
    messages = []
    for s in salaries:
        running = (running + s) % 10
        messages.append(running)
    total = (messages[-1] - r) % 10
    condition(total, 6)
    condition(messages[0] == 4)
    return salaries[0], r
"""

PROGRAMS["system_millionaires_order"] = """
def f():
    wealth = {"ann": DiscreteUniform(1, 5), "bea": DiscreteUniform(1, 5), "cat": DiscreteUniform(1, 5)}
    ranking = sorted(wealth, key=lambda n: (-wealth[n], n))
    condition(ranking[0] == "bea")
    return ">".join(ranking), wealth["ann"] >= 3
"""

PROGRAMS["system_voting_schulze_pairs"] = """
from itertools import combinations, permutations
ORDERS = list(permutations("xyz"))
def f():
    ballots = [ORDERS[DiscreteUniform(0, 5)] for _ in range(3)]
    def prefers(a, b):
        return sum(o.index(a) < o.index(b) for o in ballots)
    wins = {c: 0 for c in "xyz"}
    for a, b in combinations("xyz", 2):
        wins[a if prefers(a, b) > prefers(b, a) else b] += 1
    condorcet = [c for c, w in wins.items() if w == 2]
    condition(condorcet == ["y"])
    return ballots[0][0]
"""

PROGRAMS["system_voting_borda_tiebreak"] = """
def f():
    points = {"p": 0, "q": 0, "r": 0}
    first = []
    for _ in range(3):
        ranking = Categorical({("p", "q", "r"): 0.5, ("q", "r", "p"): 0.3, ("r", "p", "q"): 0.2})
        first.append(ranking[0])
        for place, c in enumerate(ranking):
            points[c] += 2 - place
    best = max(points.values())
    winner = min(c for c in points if points[c] == best)
    condition(winner, "q")
    return first.count("q")
"""

PROGRAMS["system_voting_approval_sets"] = """
def f():
    approvals = [frozenset(c for c in "abc" if Bernoulli(0.5)) for _ in range(3)]
    score = {c: sum(c in ballot for ballot in approvals) for c in "abc"}
    condition(score["a"] == 3)
    return len(approvals[0]), score["b"]
"""

PROGRAMS["system_voting_weighted_quota"] = """
def f():
    weights = {"big": 3, "mid": 2, "small": 1}
    vote = {p: Bernoulli(0.5) for p in weights}
    passed = sum(w for p, w in weights.items() if vote[p]) * 2 > sum(weights.values())
    critical = [p for p in weights if vote[p] and passed and (sum(w for q, w in weights.items() if vote[q] and q != p)) * 2 <= sum(weights.values())]
    condition(passed)
    return critical
"""

PROGRAMS["system_class_bank_exceptions"] = """
class InsufficientFunds(Exception):
    pass
class Account:
    def __init__(self, balance):
        self.balance = balance
    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(f"{amount} > {self.balance}")
        self.balance -= amount
def f():
    account = Account(DiscreteUniform(0, 3))
    errors = []
    for _ in range(2):
        try:
            account.withdraw(DiscreteUniform(1, 2))
        except InsufficientFunds as e:
            errors.append(str(e))
    condition(len(errors) == 1)
    return errors[0]
"""
