"""Programs after the examples of other tools, and small programs of Python's own kind, that are analysed as text and run live.

The tools: PSI (`psi_`), Dice (`dice_`), Genfer and Prodigy (`genfer_`), Hakaru, SPPL, WebPPL, ProbLog, QUAIL, LeakWatch, F-BLEAU,
leakiEst, SPIRE and Gen. All are written anew.
"""

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
            return snail, sum(pos.values())
    return "nobody", 7
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

PROGRAMS["dice_caesar"] = """
def f():
    key = DiscreteUniform(0, 3)
    for seen in [1, 2, 1]:
        letter = Categorical([0.5, 0.25, 0.125, 0.125])
        condition((key + letter) % 4 == seen)
    return "ABCD"[key]
"""

PROGRAMS["dice_list_index"] = """
def build(depth):
    if depth == 0 or Bernoulli(0.3):
        return []
    return [Bernoulli(0.6)] + build(depth - 1)

def f():
    xs = build(4)
    condition(len(xs) >= 2)
    return sum(xs), len(xs)
"""

PROGRAMS["dice_egl"] = """
def f():
    n = 2
    got = {"a": [0] * (2 * n), "b": [0] * (2 * n)}
    for pair in range(n):
        for who in ("a", "b"):
            chosen = pair + n * Bernoulli(0.5)
            got[who][chosen] = 2
    def knows(who):
        return any(got[who][i] == 2 and got[who][i + n] == 2 for i in range(n))
    for bit in range(2):
        for who in ("a", "b"):
            for i in range(2 * n):
                got[who][i] = min(2, got[who][i] + 1)
                if knows("a") != knows("b"):
                    return "a" if knows("a") else "b"
    return None
"""

PROGRAMS["dice_tuple"] = """
def f():
    a = (Bernoulli(0.3), (Bernoulli(0.8), False))
    (x, (y, z)) = a
    condition(x or y or z)
    return a[1][0]
"""

PROGRAMS["dice_diamond"] = """
def diamond(signal, fail=1 / 100):
    if not signal:
        return False
    up = Bernoulli(0.5)
    if up:
        return not Bernoulli(fail)
    return True

def f():
    signal = True
    for _ in range(6):
        signal = diamond(signal)
    return signal
"""

PROGRAMS["genfer_handicap"] = """
def f():
    best = DiscreteUniform(1, 6)
    good = Bernoulli(0.5)
    for _ in range(2):
        die = DiscreteUniform(1, 6)
        best = max(best, die) if good else min(best, die)
    condition(best == 4)
    return good
"""

PROGRAMS["genfer_lucky"] = """
def f():
    total = DiscreteUniform(3, 18)
    hand, lucky = 0, False
    for _ in range(3):
        die = DiscreteUniform(1, 6)
        lucky |= die == 6
        hand += die
    condition(hand, total)
    return lucky
"""

PROGRAMS["genfer_monty_nested"] = """
def f():
    doors = {1, 2, 3}
    prize, player = DiscreteUniform(1, 3), DiscreteUniform(1, 3)
    open_to_choose = sorted(doors - {prize, player})
    door = open_to_choose[DiscreteUniform(0, len(open_to_choose) - 1)]
    switch = (doors - {player, door}).pop()
    return switch == prize
"""

PROGRAMS["genfer_fuzzy"] = """
def f():
    parents = {"n0": [], "n4": [], "n1": ["n0"], "n2": ["n0", "n4"], "n3": ["n1", "n2", "n4"]}
    state = {}
    for node in ["n0", "n4", "n1", "n2", "n3"]:
        if not parents[node]:
            state[node] = Bernoulli(0.5)
        else:
            state[node] = any([Bernoulli(0.8 if state[p] else 0.1) for p in parents[node]])
    return state["n3"]
"""

PROGRAMS["genfer_telephone"] = """
def f():
    weekend = Bernoulli(2 / 7)
    calls = Binomial(8, 0.25) if weekend else Binomial(8, 0.75)
    condition(calls == 5)
    return weekend
"""

PROGRAMS["hakaru_burglary"] = """
def f():
    burglary = Bernoulli(0.0001)
    alarm = Bernoulli(0.95 if burglary else 0.01)
    condition(alarm)
    return burglary
"""

PROGRAMS["hakaru_tugofwar"] = """
def f():
    strength = {who: Categorical({1: 0.25, 2: 0.5, 3: 0.25}) for who in ("alice", "bob", "carol")}
    def pull(who):
        return strength[who] - (1 if Bernoulli(1 / 3) else 0)
    def beats(a, b):
        return pull(a) > pull(b)
    condition(beats("alice", "bob"))
    condition(beats("bob", "carol"))
    return beats("alice", "carol")
"""

PROGRAMS["hakaru_dice"] = """
def f():
    dice = {"four": 4, "six": 6, "eight": 8}
    name = ["four", "six", "eight"][DiscreteUniform(0, 2)]
    throws = [DiscreteUniform(1, dice[name]) for _ in range(2)]
    condition(sum(throws) == 7)
    return name
"""

PROGRAMS["sppl_gpa"] = """
def f():
    nation = Categorical({"India": 0.5, "USA": 0.5})
    if nation == "India":
        perfect = Bernoulli(0.10)
        gpa = 10 if perfect else DiscreteUniform(0, 20) / 2
    else:
        perfect = Bernoulli(0.15)
        gpa = 4 if perfect else DiscreteUniform(0, 8) / 2
    condition((nation == "USA" and gpa > 3) or (8 <= gpa <= 10))
    return nation, perfect
"""

PROGRAMS["sppl_hiring"] = """
def f():
    ethnicity = Bernoulli(0.33)
    rank = DiscreteUniform(1, 10) + (3 if ethnicity else 0)
    experience = Categorical({0: 0.25, 5: 0.5, 10: 0.25}) + (2 if not ethnicity else 0)
    hire = rank <= 5 or (experience - rank) > -2
    condition(hire)
    return ethnicity
"""

PROGRAMS["sppl_disease"] = """
def f():
    friends = {"a": "bc", "b": "acd", "c": "ab", "d": "b"}
    ill = {who: Bernoulli(0.2) for who in friends}
    for _ in range(1):
        caught = {}
        for who, others in friends.items():
            caught[who] = ill[who] or any(ill[o] and Bernoulli(0.5) for o in others)
        ill = caught
    condition(sum(ill.values()) == 2)
    return ill["d"]
"""

PROGRAMS["webppl_hmm"] = """
def hmm(n):
    prev = {"states": [True], "obs": []} if n == 1 else hmm(n - 1)
    new = Bernoulli(0.7 if prev["states"][-1] else 0.3)
    obs = Bernoulli(0.9 if new else 0.1)
    return {"states": prev["states"] + [new], "obs": prev["obs"] + [obs]}

def f():
    r = hmm(3)
    condition(r["obs"] == [False, False, False])
    return r["states"][1:]
"""

PROGRAMS["webppl_pcfg"] = """
def expand(symbol, depth):
    rules = {"S": ([["NP", "V", "NP"], ["NP", "V"]], [0.4, 0.6]), "NP": ([["A", "NP"], ["N"]], [0.4, 0.6])}
    words = {"N": {"John": 0.6, "soup": 0.4}, "V": {"loves": 0.3, "hates": 0.3, "runs": 0.4}, "A": {"tall": 0.6, "salty": 0.4}}
    if symbol in words:
        return [Categorical(words[symbol])]
    if depth == 0:
        return ["..."]
    rhs, probs = rules[symbol]
    out = []
    for part in rhs[Categorical(probs)]:
        out += expand(part, depth - 1)
    return out

def f():
    sentence = expand("S", 3)
    condition(sentence[:2] == ["tall", "John"])
    return sentence[2] if len(sentence) > 2 else ""
"""

PROGRAMS["webppl_semi_markov"] = """
def f():
    place, path = 0, [0]
    while len(path) < 5:
        step = 1 if Bernoulli(0.5) else -1
        for _ in range(DiscreteUniform(1, 2)):
            place += step
            path.append(place)
    condition(path[4] >= 0)
    return path[3]
"""

PROGRAMS["webppl_mem"] = """
def f():
    memo = {}
    def blond(who):
        if who not in memo:
            memo[who] = Bernoulli(0.3)
        return memo[who]
    condition(blond("ann") or blond("bob"))
    return blond("ann"), len(memo)
"""

PROGRAMS["webppl_binomial"] = """
def f():
    a, b, c = (Bernoulli(0.5) for _ in "abc")
    condition(a + b + c >= 2)
    return a + b + c
"""

PROGRAMS["problog_smokers"] = """
def f():
    people = ["angelika", "joris", "jonas", "dimitar"]
    friend = [("joris", "jonas"), ("joris", "angelika"), ("joris", "dimitar"), ("angelika", "jonas")]
    stress = {p: Bernoulli(0.3) for p in people}
    influences = {pair: Bernoulli(0.2) for pair in friend}
    smokes = {p for p in people if stress[p]}
    for _ in people:
        for x, y in friend:
            if influences[x, y] and y in smokes:
                smokes.add(x)
    condition("joris" in smokes)
    return "jonas" in smokes
"""

PROGRAMS["problog_bloodtype"] = """
def f():
    gene = {"a": 0.3, "b": 0.3, "0": 0.4}
    mother = Categorical(gene) + Categorical(gene)
    father = Categorical(gene) + Categorical(gene)
    child = mother[Bernoulli(0.5)] + father[Bernoulli(0.5)]
    kind = "".join(sorted(set(child) - {"0"})) or "0"
    condition(kind == "ab")
    return "".join(sorted(set(mother) - {"0"})) or "0"
"""

PROGRAMS["problog_dice_rolls"] = """
def f():
    last = None
    for n in range(1, 6):
        roll = DiscreteUniform(1, 3)
        if roll == last:
            return n
        last = roll
    return -1
"""

PROGRAMS["quail_lottery"] = """
def f():
    ticket = [DiscreteUniform(0, 1) for _ in range(6)]
    parity = 0
    for i, bit in enumerate(ticket):
        parity ^= bit << (i % 2)
    condition(parity == 2)
    return ticket[1]
"""

PROGRAMS["quail_reach"] = """
def f():
    up = [[Bernoulli(0.5) for _ in range(3)] for _ in range(3)]
    reached, todo = [0], [0]
    while todo:
        here = todo.pop()
        for there in range(3):
            if there != here and up[here][there] and there not in reached:
                reached.append(there)
                todo.append(there)
    condition(2 in reached)
    return up[0][1]
"""

PROGRAMS["leakwatch_cards"] = """
def f():
    pack = [1, 2, 3, 4, 5]
    hand = []
    for _ in range(2):
        card = pack[DiscreteUniform(0, len(pack) - 1)]
        pack.remove(card)
        hand.append(card)
    condition(sum(hand) % 3 == 0)
    return max(hand)
"""

PROGRAMS["fbleau_timing"] = """
def f():
    secret = DiscreteUniform(0, 3)
    noise = Binomial(2, 0.5)
    time = 10 * (secret // 2) + secret + noise
    observed = -(-time // 4) * 4
    condition(observed == 4)
    return secret
"""

PROGRAMS["leakiest_passport"] = """
def f():
    mine = Bernoulli(0.5)
    time = Categorical({1: 0.7, 2: 0.3}) if mine else Categorical({1: 0.2, 2: 0.5, 3: 0.3})
    answers = ["slow" if time >= 2 else "fast"]
    condition("slow" in answers)
    return mine
"""

PROGRAMS["spire_birthday"] = """
from fractions import Fraction

def f():
    day = DiscreteUniform(0, 9)
    possible = list(range(10))
    answers = []
    for low in (2, 4, 6):
        yes = [d for d in possible if low <= d < low + 3]
        no = [d for d in possible if d not in yes]
        if min(len(yes), len(no)) < 2:
            answers.append("refused")
            continue
        told = day in yes
        answers.append(told)
        possible = yes if told else no
    condition(answers[0] == False)
    return len(possible), answers[-1]
"""

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
