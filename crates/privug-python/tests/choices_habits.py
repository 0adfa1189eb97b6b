"""Programs with choices in the habits of Python: protocols of objects, context managers, iterators, text formats, containers."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["habit_lottery"] = """
from itertools import combinations
def f():
    tickets = list(combinations(range(1, 5), 2))
    drawn = tickets[DiscreteUniform(0, len(tickets) - 1)]
    mine = tickets[DiscreteUniform(0, len(tickets) - 1)]
    hits = len(set(drawn) & set(mine))
    prize = {0: 0, 1: 5, 2: 100}.get(hits, -1)
    condition(prize > 0)
    return prize, 4 in drawn
"""

PROGRAMS["habit_blackjack"] = """
VALUES = {"A": 11, "K": 10, "9": 9, "5": 5}
def score(hand):
    total = sum(VALUES[c] for c in hand)
    aces = hand.count("A")
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total
def f():
    deck = ["A", "A", "K", "9", "5"]
    hand = [deck.pop(DiscreteUniform(0, len(deck) - 1)) for _ in range(2)]
    while score(hand) < 17 and len(hand) < 4:
        hand.append(deck.pop(DiscreteUniform(0, len(deck) - 1)))
    bust = score(hand) > 21
    condition(not bust)
    return score(hand), len(hand)
"""

PROGRAMS["habit_war_cards"] = """
def f():
    pile = [1, 2, 3, 4]
    mine, yours = [], []
    turn = 0
    while pile:
        card = pile.pop(DiscreteUniform(0, len(pile) - 1))
        (mine if turn % 2 == 0 else yours).append(card)
        turn += 1
    points = sum(a > b for a, b in zip(mine, yours))
    condition(points >= 1)
    return max(mine)
"""

PROGRAMS["habit_genetics"] = """
class Parent:
    def __init__(self, alleles):
        self.alleles = alleles
    def gamete(self):
        return self.alleles[1] if Bernoulli(0.5) else self.alleles[0]
    @property
    def affected(self):
        return self.alleles == ("a", "a")
    @classmethod
    def random(cls, p):
        pick = lambda: "a" if Bernoulli(p) else "A"
        return cls((pick(), pick()))
def child(mother, father):
    return Parent(tuple(sorted((mother.gamete(), father.gamete()))))
def f():
    mother, father = Parent.random(0.25), Parent.random(0.25)
    kids = [child(mother, father) for _ in range(2)]
    condition(any(k.affected for k in kids))
    return mother.affected, sum(k.affected for k in kids)
"""

PROGRAMS["habit_iterator_class"] = """
class Countdown:
    def __init__(self, start):
        self.left = start
    def __iter__(self):
        return self
    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left + 1
def f():
    total = 0
    for n in Countdown(4):
        if Bernoulli(0.5):
            total += n
    condition(total > 2)
    return total
"""

PROGRAMS["habit_iterator_random_end"] = """
class Hops:
    def __init__(self, p, limit):
        self.p, self.limit, self.made = p, limit, 0
    def __iter__(self):
        return self
    def __next__(self):
        if self.made >= self.limit or not Bernoulli(self.p):
            raise StopIteration
        self.made += 1
        return DiscreteUniform(0, 2)
def f():
    path = [hop for hop in Hops(0.75, 3)]
    condition(len(path) > 0)
    return len(path), path[-1]
"""

PROGRAMS["habit_next_by_hand"] = """
class Deck:
    def __init__(self, cards):
        self.cards = list(cards)
    def __next__(self):
        if not self.cards:
            raise StopIteration
        return self.cards.pop(DiscreteUniform(0, len(self.cards) - 1))
    def __iter__(self):
        return self
def f():
    deck = Deck("QKA")
    first = next(deck)
    second = next(deck)
    condition(first != "A")
    left = list(deck)
    return second, left[0]
"""

PROGRAMS["habit_context_manager"] = """
class Ledger:
    def __init__(self):
        self.entries = []
        self.open = False
    def __enter__(self):
        self.open = True
        return self
    def __exit__(self, kind, value, trace):
        self.open = False
        self.entries.append("closed")
        return False
    def add(self, amount):
        self.entries.append(amount)
def f():
    with Ledger() as ledger:
        for _ in range(3):
            if Bernoulli(0.5):
                ledger.add(DiscreteUniform(1, 2))
    condition(not ledger.open)
    return len(ledger.entries)
"""

PROGRAMS["habit_context_swallows"] = """
class Attempt:
    def __init__(self):
        self.failed = False
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        self.failed = kind is not None
        return True
def f():
    guess = DiscreteUniform(0, 3)
    with Attempt() as attempt:
        share = 12 // guess
        if share > 5:
            raise ValueError("too much")
    return attempt.failed
"""

PROGRAMS["habit_total_ordering"] = """
from functools import total_ordering
@total_ordering
class Hand:
    def __init__(self, cards):
        self.cards = sorted(cards, reverse=True)
    def __eq__(self, other):
        return self.cards == other.cards
    def __lt__(self, other):
        return self.cards < other.cards
def f():
    mine = Hand([DiscreteUniform(1, 3), DiscreteUniform(1, 3)])
    yours = Hand([2, DiscreteUniform(1, 3)])
    condition(mine >= yours)
    return "win" if mine > yours else "tie"
"""

PROGRAMS["habit_itertools_count"] = """
from itertools import count
def f():
    for n in count(1):
        if Bernoulli(0.5) or n == 5:
            break
    condition(n > 1)
    return n
"""

PROGRAMS["habit_count_zip"] = """
from itertools import count
def f():
    names = ["ann", "bob", "cy"]
    ids = {name: number for number, name in zip(count(10, 5), names)}
    ticket = next(count(3))
    who = names[DiscreteUniform(0, 2)]
    return ids[who] + ticket
"""

PROGRAMS["habit_count_ids"] = """
from itertools import count
class Patient:
    ids = count()
    def __init__(self, sick):
        self.id = next(Patient.ids)
        self.sick = sick
def f():
    ward = [Patient(Bernoulli(0.3)) for _ in range(3)]
    ill = [p.id for p in ward if p.sick]
    condition(len(ill) > 0)
    return ill[0]
"""

PROGRAMS["habit_ordered_dict"] = """
from collections import OrderedDict
class Cache:
    def __init__(self, size):
        self.size = size
        self.data = OrderedDict()
        self.misses = 0
    def get(self, key):
        if key in self.data:
            self.data.move_to_end(key)
            return
        self.misses += 1
        self.data[key] = True
        if len(self.data) > self.size:
            self.data.popitem(last=False)
def f():
    cache = Cache(2)
    for _ in range(4):
        cache.get(DiscreteUniform(0, 2))
    condition(0 in cache.data)
    return cache.misses
"""

PROGRAMS["habit_nested_width"] = """
def f():
    width = 6
    x = DiscreteUniform(8, 11)
    places = 2
    return f"{x:>{width}}|{str(x)[:1]:>{places}}|{'ab':^{width}}"
"""

PROGRAMS["habit_startswith_from"] = """
def f():
    dna = "".join(Categorical({"A": 0.5, "C": 0.5}) for _ in range(4))
    codon = dna.startswith("CA", 1)
    where = dna.find("A", 1)
    ends = dna.endswith("AC", 0, 3)
    condition(codon or ends)
    return where, dna.find("C", 0, 2), dna.count("A", 1)
"""

PROGRAMS["habit_exception_text"] = """
def parse(text):
    try:
        return int(text), ""
    except ValueError as error:
        return None, str(error)
def f():
    text = Categorical({"12": 0.5, "x7": 0.3, "": 0.2})
    value, message = parse(text)
    condition(value is None)
    return message
"""

PROGRAMS["habit_key_error_text"] = """
def f():
    prices = {"tea": 2, "cake": 4}
    order = [Categorical({"tea": 0.5, "soup": 0.5}) for _ in range(2)]
    try:
        return str(sum(prices[item] for item in order))
    except KeyError as missing:
        return f"no {missing}"
"""

PROGRAMS["habit_zero_division_text"] = """
def f():
    sick = Binomial(2, 0.5)
    tested = Binomial(2, 0.5)
    try:
        rate = 4 * sick / tested
    except ZeroDivisionError as e:
        return type(e).__name__ + ("" if sick else "!")
    return str(rate > 2)
"""

PROGRAMS["habit_rsplit_title"] = """
def f():
    name = Categorical({"mary ann smith": 0.4, "jo lee": 0.4, "cher": 0.2})
    *first, last = name.title().rsplit(" ", 1)
    initials = "".join(w[0] for w in name.split(maxsplit=1)).upper()
    return last, initials, len(first)
"""

PROGRAMS["habit_accents"] = """
def f():
    word = Categorical({"élan vital": 0.5, "über-ich": 0.5})
    return word.title(), word.upper(), word.capitalize()
"""

PROGRAMS["habit_comprehension_nest"] = """
def f():
    grid = [[Bernoulli(0.5) for _ in range(3)] for _ in range(2)]
    alive = {(r, c) for r, row in enumerate(grid) for c, on in enumerate(row) if on}
    neighbours = lambda r, c: sum((r + dr, c + dc) in alive for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0))
    born = [(r, c) for r in range(2) for c in range(3) if neighbours(r, c) == 3]
    condition(len(born) >= 1)
    return len(alive)
"""

PROGRAMS["habit_bayes_net_table"] = """
NETWORK = [
    ("cloudy", (), {(): 0.5}),
    ("sprinkler", ("cloudy",), {(True,): 0.1, (False,): 0.5}),
    ("rain", ("cloudy",), {(True,): 0.8, (False,): 0.2}),
    ("wet", ("sprinkler", "rain"), {(True, True): 0.99, (True, False): 0.9, (False, True): 0.9, (False, False): 0.0}),
]
def forward(network):
    values = {}
    for name, parents, table in network:
        values[name] = Bernoulli(table[tuple(values[p] for p in parents)])
    return values
def f():
    v = forward(NETWORK)
    condition(v["wet"])
    return v["rain"], v["sprinkler"]
"""

PROGRAMS["habit_memo_decorator"] = """
from functools import lru_cache
@lru_cache(maxsize=None)
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)
def f():
    n = DiscreteUniform(3, 6)
    condition(ways(n) % 2 == 1)
    return ways(n)
"""

PROGRAMS["habit_state_machine"] = """
from enum import Enum, auto
class State(Enum):
    LOCKED = auto()
    OPEN = auto()
    ALARM = auto()
TABLE = {
    (State.LOCKED, "coin"): State.OPEN,
    (State.LOCKED, "push"): State.ALARM,
    (State.OPEN, "push"): State.LOCKED,
}
def f():
    state = State.LOCKED
    trace = []
    for _ in range(3):
        event = Categorical({"coin": 0.6, "push": 0.4})
        state = TABLE.get((state, event), state)
        trace.append(state.name)
    condition(state is not State.LOCKED)
    return trace[1]
"""

PROGRAMS["habit_linked_stack"] = """
class Node:
    def __init__(self, value, rest=None):
        self.value, self.rest = value, rest
    def __iter__(self):
        node = self
        while node is not None:
            yield node.value
            node = node.rest
    def __len__(self):
        return sum(1 for _ in self)
def f():
    stack = None
    for i in range(3):
        if Bernoulli(0.6):
            stack = Node(i, stack)
    condition(stack is not None)
    return len(stack), list(stack)[0]
"""

PROGRAMS["habit_matrix_class"] = """
class Matrix:
    def __init__(self, rows):
        self.rows = rows
    def __matmul__(self, other):
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in cols] for row in self.rows])
    def __getitem__(self, at):
        r, c = at
        return self.rows[r][c]
    def __repr__(self):
        return "; ".join(" ".join(map(str, row)) for row in self.rows)
def f():
    m = Matrix([[DiscreteUniform(0, 1), 1], [1, DiscreteUniform(0, 2)]])
    square = m @ m
    condition(square[0, 0] > 1)
    return repr(square)
"""

PROGRAMS["habit_bucket_histogram"] = """
from collections import defaultdict
def f():
    ages = [DiscreteUniform(15, 34), DiscreteUniform(15, 34), 27]
    histogram = defaultdict(int)
    for age in ages:
        histogram[age // 10 * 10] += 1
    bars = [f"{decade}s {'#' * n}" for decade, n in sorted(histogram.items())]
    condition(len(bars) == 2)
    return bars[-1]
"""

PROGRAMS["habit_priority_queue"] = """
import heapq
def f():
    queue = []
    for order, name in enumerate(("ann", "bob", "cy")):
        heapq.heappush(queue, (DiscreteUniform(1, 2), order, name))
    served = []
    while queue:
        urgency, _, name = heapq.heappop(queue)
        served.append(name)
    condition(served[0] != "ann")
    return served[-1]
"""

PROGRAMS["habit_running_median"] = """
from bisect import insort
from statistics import median
def f():
    seen, medians = [], []
    for _ in range(3):
        insort(seen, DiscreteUniform(1, 4))
        medians.append(median(seen))
    condition(medians[-1] == 2)
    return medians[1]
"""

PROGRAMS["habit_caesar"] = """
from string import ascii_lowercase as LETTERS
def shift(text, key):
    return "".join(LETTERS[(LETTERS.index(c) + key) % 26] if c in LETTERS else c for c in text)
def f():
    key = DiscreteUniform(0, 25)
    word = Categorical({"cab": 0.5, "dad": 0.25, "abe": 0.25})
    condition(shift(word, key) == "dbc" or shift(word, key)[0] == "e")
    return word
"""

PROGRAMS["habit_disease_spread"] = """
def spread(graph, infected, p):
    caught = {other for one in infected for other in graph[one] if Bernoulli(p)}
    return infected | caught
def f():
    graph = {"a": ["b", "c"], "b": ["a", "d"], "c": ["a", "d"], "d": ["b", "c"]}
    infected = {"a"}
    for _ in range(2):
        infected = spread(graph, sorted(infected), 0.5) if False else infected | {o for one in sorted(infected) for o in graph[one] if Bernoulli(0.5)}
    condition("d" in infected)
    return len(infected)
"""

PROGRAMS["habit_mastermind"] = """
from collections import Counter
def feedback(code, guess):
    black = sum(c == g for c, g in zip(code, guess))
    common = Counter(code) & Counter(guess)
    return black, sum(common.values()) - black
def f():
    code = tuple(DiscreteUniform(1, 3) for _ in range(3))
    condition(feedback(code, (1, 1, 2)) == (1, 1))
    return code[0]
"""

PROGRAMS["habit_tournament"] = """
def play(a, b, skill):
    return a if Bernoulli(skill[a] / (skill[a] + skill[b])) else b
def f():
    skill = {"ann": 3, "bob": 1, "cy": 2, "dee": 2}
    round_ = list(skill)
    history = []
    while len(round_) > 1:
        round_ = [play(a, b, skill) for a, b in zip(round_[::2], round_[1::2])]
        history.append(list(round_))
    condition("bob" in history[0])
    return round_[0]
"""

PROGRAMS["habit_bits_leak"] = """
def hamming(x, y):
    return bin(x ^ y).count("1")
def f():
    key = DiscreteUniform(0, 15)
    table = [6, 11, 0, 4, 9, 2, 15, 13, 1, 8, 10, 3, 5, 14, 7, 12]
    traces = [hamming(table[key ^ p], 0) for p in (0, 5, 10)]
    condition(traces[0] == 2 and traces[1] <= 2)
    return key & 3
"""
