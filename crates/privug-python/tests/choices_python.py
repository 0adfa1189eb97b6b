"""Small programs in which Python's own rules matter; they are analysed as text and run live."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["py_inventory"] = """
from collections import namedtuple

Item = namedtuple("Item", "name price stock")

def f():
    items = [Item("pen", 2, DiscreteUniform(0, 2)), Item("cup", 5, DiscreteUniform(0, 2)), Item("bag", 9, 1)]
    there = [item for item in items if item.stock]
    cheapest = sorted(there, key=lambda item: (-item.stock, item.price))[0]
    condition(cheapest.name != "bag")
    return cheapest.name, cheapest._replace(stock=0).price
"""

PROGRAMS["py_state_dict"] = """
def f():
    log = []
    def idle(msg):
        log.append("i")
        return "busy" if msg == "go" else "idle"
    def busy(msg):
        log.append("b")
        return "idle" if msg == "stop" else "busy"
    handlers = {"idle": idle, "busy": busy}
    state = "idle"
    for _ in range(3):
        state = handlers[state](Categorical({"go": 0.5, "stop": 0.25, "x": 0.25}))
    condition(state, "busy")
    return "".join(log)
"""

PROGRAMS["py_matrix_rank"] = """
from itertools import combinations

def f():
    word = [DiscreteUniform(0, 1) for _ in range(4)]
    checks = [(0, 1, 2), (1, 2, 3)]
    for check in checks:
        condition(sum(word[i] for i in check) % 2 == 0)
    return sum(word), any(word[i] and word[j] for i, j in combinations(range(4), 2))
"""

PROGRAMS["py_while_else"] = """
def f():
    tries = 0
    while (throw := DiscreteUniform(1, 4)) != 4:
        tries += 1
        if tries == 3:
            break
    else:
        return f"hit after {tries}"
    return f"missed, last {throw}"
"""

PROGRAMS["py_groupby_lengths"] = """
from itertools import groupby

def f():
    tosses = [Categorical({"H": 0.5, "T": 0.5}) for _ in range(5)]
    runs = []
    for t in tosses:
        if runs and runs[-1][0] == t:
            runs[-1][1] += 1
        else:
            runs.append([t, 1])
    return max(n for _, n in runs), len(runs)
"""

PROGRAMS["py_queue"] = """
from collections import deque

class Desk:
    def __init__(self):
        self.waiting = deque()
        self.served = []

    def arrive(self, who):
        self.waiting.append(who)

    def serve(self):
        if self.waiting:
            self.served.append(self.waiting.popleft())

def f():
    desk = Desk()
    for who in "abc":
        if Bernoulli(0.5):
            desk.arrive(who)
        if Bernoulli(0.75):
            desk.serve()
    return "".join(desk.served), len(desk.waiting)
"""

PROGRAMS["py_intervals"] = """
def f():
    spans = sorted((a, a + DiscreteUniform(1, 3)) for a in (0, 2, 5))
    merged = [spans[0]]
    for start, end in spans[1:]:
        if start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return len(merged), merged[-1][1]
"""

PROGRAMS["py_mixture_salary"] = """
def f():
    role = Categorical({"nurse": 0.5, "doctor": 0.25, "chief": 0.25})
    table = {"nurse": (30, 16), "doctor": (60, 64), "chief": (90, 100)}
    mean, variance = table[role]
    salary = Normal(mean, variance)
    condition(salary, 55)
    return role
"""

PROGRAMS["py_mixture_gap"] = """
def f():
    first = Normal(10, 4) if Bernoulli(0.5) else Normal(20, 4)
    second = Normal(10, 4) if Bernoulli(0.25) else Normal(30, 9)
    condition(first + second, 35)
    return first
"""

PROGRAMS["py_clutter"] = """
def f():
    x = Normal(0, 100)
    broken = [Bernoulli(0.2) for _ in range(3)]
    for bad, y in zip(broken, [1, 1.5, 30]):
        seen = Normal(0, 400) if bad else Normal(x, 1)
        condition(seen, y)
    return broken[2]
"""

PROGRAMS["py_cache_lru"] = """
def f():
    cache = []
    hits = 0
    for _ in range(4):
        page = Categorical({"a": 0.5, "b": 0.25, "c": 0.25})
        if page in cache:
            hits += 1
            cache.remove(page)
        elif len(cache) == 2:
            cache.pop(0)
        cache.append(page)
    return hits, cache[-1]
"""

PROGRAMS["py_try_parse"] = """
def parse(text):
    try:
        value = int(text)
    except ValueError:
        return -1
    else:
        if value < 0:
            raise OverflowError("negative")
        return value
    finally:
        pass

def f():
    text = Categorical({"12": 0.5, "-3": 0.25, "x": 0.25})
    try:
        got = parse(text)
    except OverflowError as e:
        got = str(e)
    condition(got != -1)
    return got
"""

PROGRAMS["py_bisect_rank"] = """
from bisect import bisect_left, insort

def f():
    xs = []
    for _ in range(3):
        insort(xs, DiscreteUniform(1, 4))
    condition(xs[0] < xs[2])
    return bisect_left(xs, 3)
"""

PROGRAMS["py_zip_star"] = """
def f():
    rows = [[DiscreteUniform(0, 1) for _ in range(2)] for _ in range(3)]
    columns = [sum(column) for column in zip(*rows)]
    condition(columns[0] > columns[1])
    return columns
"""

PROGRAMS["left_with_a_value"] = """
def r(x, log):
    try:
        if x == 0:
            return 100 // x
        if x == 1:
            return x
        log.append("b")
    except ZeroDivisionError:
        return -1
    finally:
        x = 50
        log.append("f")
    return x
def f():
    log = []
    x = DiscreteUniform(0, 2)
    y = r(x, log)
    return str(y) + "".join(log)
"""

PROGRAMS["left_loops"] = """
def loop(n):
    log = []
    for i in range(4):
        try:
            try:
                if i == n:
                    break
                if i == 1:
                    continue
                log.append(i)
            finally:
                log.append("a")
        finally:
            log.append("b")
    else:
        log.append("else")
    return "".join(str(x) for x in log)
def f():
    return loop(DiscreteUniform(0, 4))
"""

PROGRAMS["left_for_another_value"] = """
def over(x):
    try:
        return 1
    finally:
        if x:
            return 2
def f():
    return over(Bernoulli(0.25))
"""

PROGRAMS["left_and_failed"] = """
def inner(x):
    log = []
    try:
        try:
            return log
        finally:
            10 // x
    except ZeroDivisionError:
        log.append("caught")
    finally:
        log.append("end")
    return log
def f():
    return "".join(inner(DiscreteUniform(0, 1)))
"""

PROGRAMS["left_while"] = """
def f():
    n = 0
    while True:
        try:
            n += 1
            if n == 3 or Bernoulli(0.5):
                break
        finally:
            n += 10
        if n > 40:
            return -1
    return n
"""

PROGRAMS["left_twice"] = """
def nested(x):
    for i in range(3):
        try:
            for j in range(3):
                try:
                    if j == x:
                        break
                    if i == x:
                        return f"{i}{j}"
                finally:
                    x += 1
        finally:
            x += 10
    return str(x)
def f():
    return nested(DiscreteUniform(0, 2))
"""

PROGRAMS["methods_of_types"] = """
def f():
    word = Categorical({" yes": 0.5, "no ": 0.25, "maybe": 0.25})
    votes = dict.fromkeys(["yes", "no"], 0)
    said = str.strip(word)
    if said in votes:
        votes[said] += 1
    return str.upper(said)[0], votes["yes"] - votes["no"]
"""

PROGRAMS["own_names_in_inner_functions"] = """
def f():
    total = 0
    def some(xs):
        return any(i > 1 for i in xs) and [i for i in xs][-1] > 0
    for i in range(3):
        if some([DiscreteUniform(0, 2) for j in range(2)]):
            total += i
    return total
"""

PROGRAMS["own_equality_inside"] = """
class Card:
    def __init__(self, rank, suit):
        self.rank = rank
        self.suit = suit
    def __eq__(self, other):
        return self.rank == other.rank
def f():
    mine = [Card(DiscreteUniform(1, 3), "h"), Card(2, "s")]
    yours = [Card(DiscreteUniform(1, 2), "d"), Card(DiscreteUniform(1, 2), "c")]
    condition(mine == yours or (mine[0], 1) != (yours[1], 1))
    return mine[0].rank, yours[1].rank
"""

PROGRAMS["live_texts"] = """
def f():
    vote = Categorical({"ann": 0.25, "bob": 0.75})
    ann = 3
    said = vote if Bernoulli(0.5) else "ann"
    condition(said, "ann")
    return vote
"""

PROGRAMS["unlikely_count"] = """
def f():
    is_fair = Bernoulli(0.5)
    heads = [Bernoulli(0.5 if is_fair else 0.75) for _ in range(7)]
    condition(sum(heads) == 0)
    return is_fair
"""
