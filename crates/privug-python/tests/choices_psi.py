"""Programs after the examples of PSI, written anew; they are analysed as text and run live."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["psi_alleles"] = """
def f():
    bob = (Bernoulli(0.9), Bernoulli(0.9))
    carol = [Bernoulli(0.5), bob[1] if Bernoulli(0.5) else bob[0]]
    condition(sorted(carol) == [False, True])
    return bob
"""

PROGRAMS["psi_casino"] = """
def draw():
    return 2 * int(Bernoulli(0.75)) + 2

def f():
    limit = 4
    dealer, hand = 0, []
    while dealer <= limit and len(hand) < 3:
        hand.append(draw())
        dealer += hand[-1]
    dealer -= hand.pop()
    player = 0
    for _ in range(3):
        if player > 2:
            break
        player += draw()
    if dealer < player <= limit:
        return "win"
    return "draw" if player == dealer else "lose"
"""

PROGRAMS["psi_chicks"] = """
def f():
    n = 8
    pecked = [False] * n
    for i in range(n):
        pecked[(i + (1 if Bernoulli(0.5) else -1)) % n] = True
    return pecked.count(False)
"""

PROGRAMS["psi_shoots"] = """
def f():
    streak = 0
    for _ in range(10):
        streak = streak + 1 if Bernoulli(0.75) else 0
        if streak == 3:
            return True
    return False
"""

PROGRAMS["psi_derangements"] = """
def f():
    n = 4
    a = [DiscreteUniform(0, n - 1) for _ in range(n)]
    condition(all(x != i for i, x in enumerate(a)))
    condition(len(set(a)) == n)
    return a[0], a[1]
"""

PROGRAMS["psi_fourcards"] = """
def f():
    cards = [0, 0, 0, 0]
    flips = 0
    while flips < 6:
        if all(cards):
            break
        cards[DiscreteUniform(0, 3)] ^= 1
        flips += 1
    return flips if all(cards) else -1
"""

PROGRAMS["psi_genome"] = """
class Patient:
    def __init__(self, alleles):
        self.alleles = list(alleles)
        if Bernoulli(0.5):
            self.alleles.reverse()

    def give(self):
        return self.alleles[int(Bernoulli(0.5))]

def f():
    alice, bob = (Patient([Bernoulli(0.77), Bernoulli(0.77)]) for _ in range(2))
    carol = Patient([alice.give(), bob.give()])
    red = sum(not a for p in [alice, bob, carol] for a in p.alleles)
    out = DiscreteUniform(4, 6) if red >= 4 else red
    condition(out == 2)
    return not any(alice.alleles)
"""

PROGRAMS["psi_hotdogs"] = """
def f():
    hotdogs = [[0, 0], [0, 1], [1, 1]]
    dog = hotdogs[DiscreteUniform(0, 2)]
    condition(dog[Bernoulli(0.5)] == 1)
    return dog == [1, 1]
"""

PROGRAMS["psi_iphone"] = """
def shuffled(n):
    r = list(range(n))
    for i in range(n):
        j = DiscreteUniform(i, n - 1)
        r[i], r[j] = r[j], r[i]
    return r

def f():
    p1, p2 = shuffled(4), shuffled(4)
    for a, b in zip(p1, p2):
        if a == b:
            return 0
    return 1
"""

PROGRAMS["psi_dollars"] = """
from collections import Counter

def f():
    got = Counter()
    for _ in range(4):
        got["abc"[DiscreteUniform(0, 2)]] += 1
    shares = [got[name] for name in "abc"]
    return max(shares) - min(shares)
"""

PROGRAMS["psi_coinsubseq"] = """
def f():
    table = {0: {0: 1, 1: 0}, 1: {1: 2, 0: 1}, 2: {1: 3, 0: 1}}
    pos = 0
    for _ in range(10):
        cur = int(Bernoulli(0.5))
        if pos == 3:
            if cur == 0:
                return True
            pos = 0
        else:
            pos = table[pos][cur]
    return False
"""

PROGRAMS["psi_bogosort"] = """
def is_sorted(a):
    return all(x <= y for x, y in zip(a, a[1:]))

def f():
    a = [3, 1, 2]
    tries = 0
    while not is_sorted(a) and tries < 3:
        b = a[:]
        for i in range(len(b) - 1):
            j = DiscreteUniform(i, len(b) - 1)
            b[i], b[j] = b[j], b[i]
        a = b
        tries += 1
    return tries, is_sorted(a)
"""

PROGRAMS["psi_foxhound"] = """
def f():
    line = list("fffhhh")
    for i in range(len(line) - 1):
        j = DiscreteUniform(i, len(line) - 1)
        line[i], line[j] = line[j], line[i]
    return "".join(line).count("fh")
"""

PROGRAMS["psi_permutation"] = """
def f():
    x, y, z = (DiscreteUniform(1, 3) for _ in range(3))
    condition(x != y and x != z and y != z)
    t = {1, 2, 3} == {x, y, z}
    r = (x, y, z)[DiscreteUniform(0, 2)]
    return r, x + y + z, t
"""

PROGRAMS["psi_roulette"] = """
class Gun:
    def __init__(self):
        self.cylinder = [True] + [False] * 5

    def shift(self, k):
        self.cylinder = self.cylinder[k:] + self.cylinder[:k]

    def shoot(self):
        fired = self.cylinder[0]
        self.shift(1)
        return fired

def f():
    gun = Gun()
    gun.shift(DiscreteUniform(0, 5))
    first = gun.shoot()
    if Bernoulli(0.5):
        gun.shift(DiscreteUniform(0, 5))
    second = gun.shoot()
    condition(not first)
    return second
"""

PROGRAMS["psi_snails"] = """
def f():
    pos = {name: 0 for name in ("red", "blue", "green")}
    for _ in range(7):
        snail = ["red", "blue", "green"][DiscreteUniform(0, 2)]
        pos[snail] += 1
        if pos[snail] >= 3:
            return f"{snail} {sum(pos.values())}"
    return "nobody"
"""

PROGRAMS["psi_squid"] = """
def f():
    known, fates = 0, []
    for _ in range(4):
        alive = True
        while alive and known < 6:
            alive = Bernoulli(0.5)
            known += 1
        fates.append(alive)
    return fates
"""

PROGRAMS["psi_sweets"] = """
def f():
    n = DiscreteUniform(6, 12)
    first = DiscreteUniform(1, n)
    second = DiscreteUniform(1, n)
    condition(first != second)
    condition(first <= 6 and second <= 6)
    return n
"""

PROGRAMS["psi_tree"] = """
class Tree:
    def __init__(self, value, children=()):
        self.value = value
        self.children = children

    def sum(self):
        return self.value + sum(child.sum() for child in self.children)

def f():
    leaf = Tree(3) if Bernoulli(0.25) else Tree(1, (Tree(DiscreteUniform(0, 2)),))
    root = Tree(1, [leaf, Tree(2, [leaf, leaf])])
    return root.sum()
"""

PROGRAMS["psi_hmm"] = """
class HMM:
    def __init__(self, a, b, x):
        self.a, self.b, self.x = a, b, x

    def update(self):
        self.x = Categorical(self.a[self.x])

    def predict(self):
        return Categorical(self.b[self.x])

def f():
    a = [[0.5, 0.3, 0.2], [0.4, 0.2, 0.4], [0.3, 0.2, 0.5]]
    b = [[0.5, 0.5], [0.2, 0.8], [0.1, 0.9]]
    h = HMM(a, b, 0)
    h.update()
    h.update()
    condition(h.predict() == 0)
    return h.x
"""

PROGRAMS["psi_timetotwo"] = """
def f():
    seen = set()
    for time in range(1, 5):
        k = DiscreteUniform(0, 2)
        if k in seen:
            return time
        seen.add(k)
"""

PROGRAMS["psi_synopsis"] = """
from dataclasses import dataclass

@dataclass
class Data:
    x: int
    y: int
    z: list

    def foo(self):
        self.x += 3
        return self.x - self.y if Bernoulli(0.5) else self.x + self.y

def f():
    x = int(Bernoulli(0.5))
    if x:
        return 2
    y = [DiscreteUniform(1, 3) for _ in range(2)]
    z = y
    if Bernoulli(0.5):
        z = z + [9]
    d = Data(x, 3, z)
    d.x += d.y
    return d.foo() + d.x + d.z[-1]
"""

PROGRAMS["psi_rps"] = """
def failure(pattern):
    fail = [-1]
    for c in pattern:
        j = fail[-1]
        while j >= 0 and pattern[j] != c:
            j = fail[j]
        fail.append(j + 1)
    return fail

def f():
    pattern = "RPR"
    fail = failure(pattern[:-1])
    j = 0
    for _ in range(8):
        c = "RPS"[DiscreteUniform(0, 2)]
        while j >= 0 and pattern[j] != c:
            j = fail[j]
        j += 1
        if j == len(pattern):
            return True
    return False
"""

PROGRAMS["psi_nbh"] = """
def f():
    left = {"n": 2, "b": 1, "h": 2}
    beats = {("n", "h"): "h", ("h", "b"): "b", ("b", "n"): "n"}
    for _ in range(5):
        if sum(v > 0 for v in left.values()) < 2:
            break
        pairs = [p for p in [("n", "h"), ("h", "b"), ("b", "n")]]
        weights = [left[x] * left[y] for x, y in pairs]
        at = DiscreteUniform(1, sum(weights))
        for pair, w in zip(pairs, weights):
            if at <= w:
                left[beats[pair]] -= 1
                break
            at -= w
    return left["n"] > 0, left["b"] > 0
"""

PROGRAMS["psi_entropy_pair"] = """
def f():
    return DiscreteUniform(1, 5) + DiscreteUniform(1, 3)
"""

PROGRAMS["psi_twocoins_tuple"] = """
def toss():
    first, second = Bernoulli(0.5), Bernoulli(0.5)
    return first, second, first and second

def f():
    first, _, both = toss()
    condition(both == False)
    return first
"""

PROGRAMS["psi_scalar_implicature"] = """
def f():
    state = DiscreteUniform(0, 3)
    meaning = {"all": lambda s: s == 3, "some": lambda s: s > 0, "none": lambda s: s == 0}
    words = Categorical({w: 1 / 3 for w in meaning})
    condition(meaning[words](state))
    heard = "all" if words == "all" else "not all"
    condition(heard, "not all")
    return state
"""
