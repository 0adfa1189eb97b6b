"""Programs after the examples of Dice, Genfer and Prodigy, Hakaru, SPPL, WebPPL, ProbLog, QUAIL, LeakWatch, F-BLEAU, leakiEst, SPIRE
and Gen, written anew; they are analysed as text and run live.
"""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

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
