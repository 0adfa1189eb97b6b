# Small privacy programs in the styles in which Python is written: classes, dictionaries and their views, loops, texts, early
# returns. The probabilities are counted: CPython ran each program once for each combination of its choices, in fractions.
from collections import defaultdict, namedtuple
from dataclasses import dataclass
from itertools import accumulate, permutations

from privug import Bernoulli, Categorical, DiscreteUniform, condition


# run: :auction
# expect: probabilities 2 5/11 3 6/11
def auction():
    bids = {"ann": DiscreteUniform(1, 4), "bob": DiscreteUniform(1, 4), "cy": DiscreteUniform(2, 3)}
    winner = max(bids, key=bids.get)
    price = sorted(bids.values())[-2]
    condition(winner == "bob")
    return price


@dataclass(frozen=True)
class Card:
    rank: int
    suit: str


# run: :cards
# expect: probabilities 2 1/9 3 2/9 4 1/3 5 2/9 6 1/9
def cards():
    deck = [Card(r, s) for r in (1, 2, 3) for s in "ab"]
    i = DiscreteUniform(0, 5)
    j = DiscreteUniform(0, 5)
    condition(i != j)
    first, second = deck[i], deck[j]
    condition(first.rank == second.rank or first.suit == second.suit)
    return first.rank + second.rank


# run: :monty_hall
# expect: probabilities stay 1/3 switch 2/3
def monty_hall():
    doors = {1, 2, 3}
    prize = DiscreteUniform(1, 3)
    pick = 1
    options = [d for d in (1, 2, 3) if d != pick and d != prize]
    if len(options) == 2:
        host = options[0] if Bernoulli(0.5) else options[1]
    else:
        host = options[0]
    condition(host == 3)
    return "stay" if prize == pick else "switch"


# run: :histogram_dict
# expect: probabilities -3 3/25 -1 43/100 1 19/50 3 7/100
def histogram_dict():
    counts = {}
    for p in (0.2, 0.5, 0.7):
        answer = "yes" if Bernoulli(p) else "no"
        counts[answer] = counts.get(answer, 0) + 1
    return counts.get("yes", 0) - counts.get("no", 0)


# run: :histogram_default
# expect: probabilities 2 2883/5000 3 439/1250 4 361/5000
def histogram_default():
    counts = defaultdict(int)
    for _ in range(4):
        counts[Categorical({"a": 0.5, "b": 0.3, "c": 0.2})] += 1
    return max(counts.values())


# run: :password_checker
# expect: probabilities 0 2/3 1 2/9 2 2/27 3 1/27
def password_checker():
    secret = [DiscreteUniform(0, 2) for _ in range(3)]
    guess = [1, 2, 0]
    for i, (s, g) in enumerate(zip(secret, guess)):
        if s != g:
            return i
    return len(guess)


# run: :square_multiply
# expect: probabilities 0 1/32 2 1/32 3 1/32 4 1/16 5 3/32 6 5/32 7 7/32 8 7/32 9 1/8 10 1/32
def square_multiply():
    key = DiscreteUniform(0, 31)
    time = 0
    k = key
    while k > 0:
        time += 2 if k & 1 else 1
        k >>= 1
    return time


# run: :digits
# expect: probabilities 1 1/20 2 3/40 3 1/10 4 1/8 5 1/10 6 1/10 7 1/10 8 1/10 9 1/10 10 3/40 11 1/20 12 1/40
def digits():
    n = DiscreteUniform(1, 40)
    return sum(int(d) for d in str(n))


# run: :bands
# expect: probabilities 30s 5/28 40s 5/28 50s 5/28 60s 5/56 minor 3/56 retired 3/28 young 3/14
def bands():
    age = DiscreteUniform(15, 70)
    if age < 18:
        return "minor"
    elif age < 30:
        return "young"
    if 30 <= age < 65:
        return f"{age // 10 * 10}s"
    return "retired"


# run: :genotype
# expect: probabilities 0 1/6 1 1/2 2 1/3
def genotype():
    mother = Categorical({"AA": 0.25, "Aa": 0.5, "aa": 0.25})
    father = Categorical({"AA": 0.25, "Aa": 0.5, "aa": 0.25})
    child = "".join(sorted(mother[Bernoulli(0.5)] + father[Bernoulli(0.5)]))
    condition("a" in child)
    return mother.count("a")


# run: :kanon
# expect: probabilities 1 1/3 2 2/3
def kanon():
    zips = ["130%d%d" % (DiscreteUniform(4, 6), DiscreteUniform(0, 1)) for _ in range(2)]
    general = [z[:4] + "*" for z in zips]
    return len(set(general))


# run: :rr_survey
# expect: probabilities False 35/64 True 29/64
def rr_survey():
    def respond(truth):
        first = Bernoulli(0.5)
        if first:
            return truth
        return Bernoulli(0.5)
    truths = [Bernoulli(0.3) for _ in range(4)]
    answers = [respond(t) for t in truths]
    condition(sum(answers) == 3)
    return truths[0]


# run: :smart_grid
# expect: probabilities True 1
def smart_grid():
    on = [Bernoulli(0.5), Bernoulli(0.3), Bernoulli(0.8)]
    watts = [1, 2, 2]
    load = sum(w for o, w in zip(on, watts) if o)
    condition(load == 3)
    return on[0]


# run: :permutation
# expect: probabilities ab 1/4 ac 1/4 ba 1/4 ca 1/4
def permutation():
    order = list(permutations("abc"))[DiscreteUniform(0, 5)]
    condition(order[0] != "a")
    return "".join(order[1:])


# run: :swap_sort
# expect: probabilities 0 7/27 1 13/27 2 7/27
def swap_sort():
    xs = [DiscreteUniform(0, 2) for _ in range(3)]
    for i in range(3):
        for j in range(2 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs[1]


# run: :running
# expect: probabilities -1 5/32 0 5/32 1 15/64 2 15/64 3 3/32 4 3/32 5 1/64 6 1/64
def running():
    steps = [1 if Bernoulli(0.5) else -1 for _ in range(6)]
    return max(accumulate(steps))


# run: :mean_published
# expect: probabilities 30 2/9 31 5/18 32 2/9 33 1/6 34 1/9
def mean_published():
    ages = [DiscreteUniform(30, 34) for _ in range(3)]
    mean = sum(ages) / len(ages)
    condition(round(mean, 1) == 31.7)
    return ages[0]


class Tally:
    def __init__(self, names):
        self.counts = {n: 0 for n in names}

    def add(self, name):
        self.counts[name] += 1

    def winner(self):
        best = max(self.counts.values())
        return [n for n, c in self.counts.items() if c == best][0]


# run: :tally_class
# expect: probabilities x 4/5 y 1/5
def tally_class():
    t = Tally(["x", "y"])
    for p in (0.5, 0.7, 0.9):
        t.add("x" if Bernoulli(p) else "y")
    return t.winner()


# run: :sorted_values
# expect: probabilities 1 1/9 2 7/9 3 1/9
def sorted_values():
    d = {"a": DiscreteUniform(1, 3), "b": DiscreteUniform(1, 3), "c": 2}
    return sorted(d.values())[1]


# run: :max_view
# expect: probabilities 0 2/9 1 4/9 2 2/9 3 1/9
def max_view():
    d = {"a": DiscreteUniform(1, 3), "b": DiscreteUniform(2, 4)}
    return max(d.values()) - min(d.values())


# run: :sum_items
# expect: probabilities 1 1/6 2 1/3 3 1/3 4 1/6
def sum_items():
    d = {"a": DiscreteUniform(1, 3), "b": Bernoulli(0.5)}
    return sum(v for _, v in sorted(d.items()))


# run: :list_view
# expect: probabilities 1 1/4 2 1/2 3 1/4
def list_view():
    d = {"a": DiscreteUniform(0, 1), "b": DiscreteUniform(0, 1)}
    xs = list(d.values())
    xs.append(1)
    return tuple(xs).count(1)


# run: :enumerate_view
# expect: probabilities 0 1/4 1 1/4 2 1/4 3 1/4
def enumerate_view():
    d = {"a": DiscreteUniform(0, 1), "b": DiscreteUniform(0, 1)}
    return sum(i * v for i, v in enumerate(d.values(), 1))


# run: :zip_view
# expect: probabilities 0 1/4 1 1/4 2 1/4 3 1/4
def zip_view():
    d = {"a": Bernoulli(0.5), "b": Bernoulli(0.5)}
    return sum(w for w, v in zip((1, 2), d.values()) if v)


@dataclass
class Node:
    name: str
    up: bool


# run: :pick_object
# expect: probabilities a 2/7 b 1/7 c 4/7
def pick_object():
    nodes = [Node("a", Bernoulli(0.5)), Node("b", Bernoulli(0.25)), Node("c", True)]
    chosen = nodes[DiscreteUniform(0, 2)]
    condition(chosen.up)
    return chosen.name


Visit = namedtuple("Visit", "patient ward")


# run: :visits
# expect: probabilities 0 9/100 1 21/50 2 49/100
def visits():
    log = [Visit(p, Categorical({"er": 0.3, "icu": 0.7})) for p in ("ann", "bob")]
    return sum(v.ward == "icu" for v in log)
