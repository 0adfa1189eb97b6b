"""More programs with choices, as exercises, lecture notes and notebooks have them."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["more_inner_recursion"] = """
def f():
    edges = {0: [1, 2], 1: [3], 2: [3], 3: []}
    open_ = {(a, b): Bernoulli(0.7) for a in edges for b in edges[a]}
    def reaches(node, goal):
        if node == goal:
            return True
        return any([open_[node, other] and reaches(other, goal) for other in edges[node]])
    ok = reaches(0, 3)
    condition(not open_[0, 1])
    return ok
"""

PROGRAMS["more_inner_depth_first"] = """
def f():
    n = 4
    link = [[i < j and Bernoulli(0.5) for j in range(n)] for i in range(n)]
    seen = set()
    def visit(i):
        seen.add(i)
        for j in range(n):
            if link[i][j] and j not in seen:
                visit(j)
    visit(0)
    condition(3 in seen)
    return len(seen)
"""

PROGRAMS["more_inner_memo"] = """
def f():
    p = 0.5 if Bernoulli(0.25) else 0.75
    memo = {}
    def path(k):
        if k <= 1:
            return 1
        if k not in memo:
            memo[k] = path(k - 1) + (path(k - 2) if Bernoulli(p) else 0)
        return memo[k]
    return path(5)
"""

PROGRAMS["more_class_factory"] = """
class Ballot:
    def __init__(self, first, second=None):
        self.first, self.second = first, second
    @classmethod
    def draw(cls):
        first = Categorical({"a": 0.5, "b": 0.25, "c": 0.25})
        return cls(first, "a" if first != "a" else "b")
    @staticmethod
    def count(ballots, who):
        return sum(b.first == who for b in ballots)
def f():
    ballots = [Ballot.draw() for _ in range(3)]
    condition(Ballot.count(ballots, "a") >= 1)
    return Ballot.count(ballots, "b"), ballots[0].second
"""

PROGRAMS["more_transactions"] = """
class Insufficient(Exception):
    pass
class Account:
    def __init__(self, balance):
        self.balance = balance
    def __enter__(self):
        self.before = self.balance
        return self
    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.balance = self.before
            return True
    def pay(self, amount):
        self.balance -= amount
        if self.balance < 0:
            raise Insufficient("no")
def f():
    account = Account(3)
    for _ in range(3):
        with account as a:
            a.pay(DiscreteUniform(0, 2))
            a.pay(1)
    condition(account.balance < 3)
    return account.balance
"""

PROGRAMS["more_with_return"] = """
class Door:
    log = []
    def __init__(self):
        self.shut = 0
    def __enter__(self):
        return self
    def __exit__(self, *details):
        self.shut += 1
def enter(door):
    with door:
        if Bernoulli(0.5):
            return "early"
        for _ in range(3):
            with door:
                if Bernoulli(0.5):
                    break
    return "late"
def f():
    door = Door()
    how = enter(door)
    return how, door.shut
"""

PROGRAMS["more_iterator_loop_break"] = """
class Dealer:
    def __init__(self, cards):
        self.cards = list(cards)
    def __iter__(self):
        return self
    def __next__(self):
        if not self.cards:
            raise StopIteration
        return self.cards.pop(DiscreteUniform(0, len(self.cards) - 1))
def f():
    dealer = Dealer([1, 2, 3, 4])
    total = 0
    for card in dealer:
        total += card
        if total >= 4:
            break
    left = sum(dealer)
    condition(left != 0)
    return total
"""

PROGRAMS["more_iterator_else"] = """
class Tries:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return TryIterator(self.n)
class TryIterator:
    def __init__(self, n):
        self.left = n
    def __next__(self):
        if self.left == 0:
            raise StopIteration()
        self.left -= 1
        return Bernoulli(0.3)
def f():
    for hit in Tries(3):
        if hit:
            verdict = "hit"
            break
    else:
        verdict = "miss"
    again = [h for h in Tries(2) if h]
    return verdict, len(again)
"""

PROGRAMS["more_infinite_iterator"] = """
class Collatz:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        self.n = self.n // 2 if self.n % 2 == 0 else 3 * self.n + 1
        return self.n
def f():
    steps = 0
    for value in Collatz(DiscreteUniform(2, 6)):
        steps += 1
        if value == 1:
            break
    condition(steps > 1)
    return steps
"""

PROGRAMS["more_total_ordering_sort"] = """
from functools import total_ordering
@total_ordering
class Version:
    def __init__(self, major, minor):
        self.major, self.minor = major, minor
    def __eq__(self, other):
        return (self.major, self.minor) == (other.major, other.minor)
    def __le__(self, other):
        return (self.major, self.minor) <= (other.major, other.minor)
def f():
    versions = [Version(DiscreteUniform(1, 2), DiscreteUniform(0, 1)) for _ in range(3)]
    newest = max(versions)
    condition(not versions[0] < newest)
    return newest.major, newest.minor
"""

PROGRAMS["more_star_middle"] = """
def f():
    queue = [name for name in ("ann", "bob", "cy", "dee") if Bernoulli(0.75)]
    condition(len(queue) >= 2)
    first, *middle, last = queue
    return first, len(middle), last
"""

PROGRAMS["more_none_guard"] = """
class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right
def insert(tree, value):
    if tree is None:
        return Tree(value)
    if value < tree.value:
        tree.left = insert(tree.left, value)
    else:
        tree.right = insert(tree.right, value)
    return tree
def height(tree):
    return 0 if tree is None else 1 + max(height(tree.left), height(tree.right))
def f():
    root = None
    for _ in range(3):
        root = insert(root, DiscreteUniform(1, 3))
    condition(height(root) > 1)
    return height(root), root.value
"""

PROGRAMS["more_errors_as_text"] = """
def risky(kind):
    if kind == "list":
        return [1, 2][DiscreteUniform(1, 2)]
    if kind == "key":
        return {"a": 1}["b"]
    if kind == "none":
        return len(None)
    return 1 / DiscreteUniform(0, 1)
def f():
    kind = Categorical({"list": 0.25, "key": 0.25, "none": 0.25, "zero": 0.25})
    try:
        return str(risky(kind) > 1)
    except ZeroDivisionError as error:
        return type(error).__name__
    except IndexError as error:
        return f"{type(error).__name__}: {error}"
    except KeyError as error:
        return "missing " + str(error)
    except TypeError:
        return "type"
"""

PROGRAMS["more_letters"] = """
import string
def f():
    letter = string.ascii_uppercase[DiscreteUniform(0, 5)]
    digit = string.digits[DiscreteUniform(3, 4)]
    code = letter + digit
    condition(code not in ("A3", "F4"))
    return code in {"A4", "B3"}, letter.lower() in string.ascii_letters[:3]
"""

PROGRAMS["more_mode_of_answers"] = """
from collections import Counter
def f():
    answers = [Categorical({"yes": 0.5, "no": 0.25, "?": 0.25}) for _ in range(4)]
    tally = Counter(answers)
    favourite = max(tally, key=tally.get)
    ranked = sorted(tally, key=lambda a: (-tally[a], a))
    condition(tally[favourite] < 4)
    return favourite, ranked[0]
"""

PROGRAMS["more_counts_by_loop"] = """
def f():
    rolls = [DiscreteUniform(1, 4) for _ in range(4)]
    seen = {}
    for r in rolls:
        if r in seen:
            seen[r] += 1
        else:
            seen[r] = 1
    pairs = [k for k, n in seen.items() if n == 2]
    condition(len(seen) < 4)
    return len(pairs), min(seen)
"""

PROGRAMS["more_dict_removed_and_back"] = """
def f():
    order = {"a": 1, "b": 2, "c": 3}
    for _ in range(2):
        who = Categorical({"a": 0.5, "b": 0.25, "c": 0.25})
        value = order.pop(who)
        order[who] = value + 1
    return "".join(order) + str(order["a"])
"""

PROGRAMS["more_dict_items_sorted"] = """
def f():
    points = {}
    for game in range(3):
        winner = Categorical({"x": 0.4, "y": 0.4, "z": 0.2})
        points[winner] = points.get(winner, 0) + 3
        points.setdefault("x", 0)
    table = sorted(points.items(), key=lambda item: item[1], reverse=True)
    condition(len(table) > 1)
    return table[0], table[1][0]
"""

PROGRAMS["more_dict_comprehension_filter"] = """
def f():
    stock = {}
    for item in [Categorical({"nut": 0.5, "bolt": 0.5}) for _ in range(3)]:
        stock[item] = stock.get(item, 0) + 1
    stock["cog"] = 1
    low = {k: v for k, v in stock.items() if v < 2}
    return "".join(low) + str(sum(stock.values()))
"""

PROGRAMS["more_lru"] = """
def f():
    recent = {}
    hits = 0
    for _ in range(4):
        page = DiscreteUniform(0, 2)
        if page in recent:
            hits += 1
            del recent[page]
        elif len(recent) == 2:
            oldest = next(iter(recent))
            del recent[oldest]
        recent[page] = True
    condition(hits > 0)
    return hits, 0 in recent
"""

PROGRAMS["more_ranked_negative"] = """
def f():
    bids = [DiscreteUniform(1, 4) for _ in range(4)]
    ranked = sorted(bids, key=lambda b: -b)
    condition(ranked[1] == 3)
    return ranked[0] - ranked[-1]
"""

PROGRAMS["more_sorted_pairs"] = """
def f():
    times = sorted((DiscreteUniform(1, 6), who) for who in ("ann", "bob", "cy", "dee"))
    condition(times[0][0] > 1)
    return times[0][1], times[-1][0]
"""
