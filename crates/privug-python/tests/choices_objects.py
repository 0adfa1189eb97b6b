"""Small programs as people write them: classes, containers, text and functions, with choices in them."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["heap_layout"] = """
import heapq
def f():
    heap = [DiscreteUniform(1, 3) for _ in range(4)]
    heapq.heapify(heap)
    heapq.heapreplace(heap, 2)
    return heap[1], heapq.nsmallest(2, heap)[1]
"""

PROGRAMS["heap_tasks"] = """
from heapq import heappush, heappop
def f():
    tasks = []
    heappush(tasks, (2, "b"))
    heappush(tasks, (1 if Bernoulli(0.3) else 3, "a"))
    order = ""
    while tasks:
        p, name = heappop(tasks)
        order += name
    return order
"""

PROGRAMS["bisect_grades"] = """
from bisect import bisect
def f():
    score = DiscreteUniform(55, 95)
    grade = "FDCBA"[bisect([60, 70, 80, 90], score)]
    condition(grade != "F")
    return grade
"""

PROGRAMS["shapes"] = """
from abc import ABC, abstractmethod
class Shape(ABC):
    sides = 0
    def __init__(self, size):
        self.size = size
    @abstractmethod
    def area(self):
        pass
    def label(self):
        return type_name(self) + str(self.area())
class Square(Shape):
    sides = 4
    def area(self):
        return self.size * self.size
class Double(Square):
    def area(self):
        return 2 * super().area()
def type_name(s):
    if isinstance(s, Double):
        return "d"
    if isinstance(s, Square):
        return "s"
    return "?"
def f():
    n = DiscreteUniform(1, 3)
    s = Square(n) if Bernoulli(0.5) else Double(n)
    condition(s.area() > 1 and s.sides == 4)
    return s.label()
"""

PROGRAMS["dataclass_inherit"] = """
from dataclasses import dataclass
@dataclass
class Person:
    name: str
    ill: bool = False
@dataclass
class Patient(Person):
    ward: int = 1
    def score(self):
        return self.ward * 2 + self.ill
def f():
    p = Patient("x", Bernoulli(0.25), ward=DiscreteUniform(1, 2))
    condition(p.score() != 3)
    return p.score()
"""

PROGRAMS["strategy"] = """
def optimist(x): return x + 2
def pessimist(x): return x - 1
def honest(x): return x
STRATEGIES = {"o": optimist, "p": pessimist, "h": honest}
def f():
    who = Categorical({"o": 0.2, "p": 0.3, "h": 0.5})
    truth = DiscreteUniform(0, 2)
    told = STRATEGIES[who](truth)
    condition(told == 1)
    return who
"""

PROGRAMS["callbacks_state"] = """
class Bank:
    def __init__(self):
        self.total = 0
        self.log = []
    def pay(self, x):
        self.total += x
        self.log.append(x)
    def take(self, x):
        if x > self.total:
            raise ValueError("broke")
        self.total -= x
def f():
    b = Bank()
    for _ in range(3):
        act = b.pay if Bernoulli(0.6) else b.take
        try:
            act(DiscreteUniform(1, 2))
        except ValueError:
            b.log.append(0)
    return b.total, len(b.log)
"""

PROGRAMS["two_objects"] = """
class Cell:
    def __init__(self, v): self.v = v
def f():
    a, b = Cell(1), Cell(5)
    c = a if Bernoulli(0.5) else b
    c.v += DiscreteUniform(0, 1)
    d = b if Bernoulli(0.25) else c
    d.v = d.v * 2
    return a.v, b.v
"""

PROGRAMS["match_points"] = """
def f():
    p = (DiscreteUniform(0, 2), DiscreteUniform(0, 1))
    match p:
        case (0, 0):
            r = "origin"
        case (0, y) | (y, 0):
            r = f"axis{y}"
        case (x, y) if x == y:
            r = "diagonal"
        case [x, _] as q:
            r = f"other{x}{q[1]}"
    return r
"""

PROGRAMS["match_capture"] = """
def f():
    n = DiscreteUniform(1, 4)
    match n:
        case 1 | 2:
            k = 0
        case other:
            k = other * 10
    return k
"""

PROGRAMS["gen_filter"] = """
def evens(xs):
    for x in xs:
        if x % 2 == 0:
            yield x
def f():
    xs = [DiscreteUniform(1, 3) for _ in range(3)]
    return sum(evens(xs)), len(list(evens(xs)))
"""

PROGRAMS["set_pop"] = """
def f():
    left = {"a", "b", "c"} - {Categorical({"a": 0.5, "b": 0.5})}
    left.discard("c")
    return left.pop()
"""

PROGRAMS["text_tools"] = """
def f():
    s = Categorical({"  Ab": 0.5, "c3 ": 0.25, "XYZ": 0.25})
    return s.lstrip(), s.rstrip().isalpha(), s.strip().isupper(), s.strip().capitalize(), s.strip().partition("b")[0]
"""

PROGRAMS["text_just"] = """
def f():
    s = str(DiscreteUniform(8, 11))
    return s.rjust(3, "0"), s.ljust(3, "*"), s.removeprefix("1")
"""

PROGRAMS["deque_left"] = """
from collections import deque
def f():
    q = deque("abc")
    q.rotate(DiscreteUniform(-1, 2))
    if Bernoulli(0.5):
        q.extendleft("xy")
    return "".join(q)
"""

PROGRAMS["counter_tools"] = """
from collections import Counter
def f():
    c = Counter()
    for _ in range(3):
        c[DiscreteUniform(1, 2)] += 1
    c.subtract([1])
    return c.total(), c[1]
"""

PROGRAMS["frozen_keys"] = """
def f():
    a = frozenset(x for x in range(3) if Bernoulli(0.5))
    b = frozenset([0, 1])
    return a <= b, len(a - b), (a | b) == frozenset(range(3))
"""

PROGRAMS["max_key_default"] = """
def f():
    words = [w for w in ("pear", "fig", "apple") if Bernoulli(0.5)]
    return max(words, key=len, default="none"), min((len(w) for w in words), default=0)
"""

PROGRAMS["object_list"] = """
class Player:
    def __init__(self, name, skill):
        self.name, self.skill, self.wins = name, skill, 0
    def beats(self, other):
        return self.skill > other.skill or (self.skill == other.skill and Bernoulli(0.5))
def f():
    ps = [Player(n, DiscreteUniform(1, 2)) for n in "abc"]
    champ = ps[0]
    for p in ps[1:]:
        if p.beats(champ):
            champ = p
        champ.wins += 1
    condition(champ.wins == 1)
    return champ.name
"""

PROGRAMS["queue_sim"] = """
def f():
    queue, served, t = 0, 0, 0
    while served < 2 and t < 4:
        queue += Bernoulli(0.5)
        if queue > 0 and Bernoulli(0.75):
            queue -= 1
            served += 1
        t += 1
    condition(served >= 1)
    return t, queue
"""

PROGRAMS["linked"] = """
class Node:
    def __init__(self, v, next=None):
        self.v, self.next = v, next
def f():
    head = None
    for i in range(3):
        if Bernoulli(0.5):
            head = Node(i, head)
    total = 0
    while head is not None:
        total += head.v
        head = head.next
    return total
"""

PROGRAMS["own_equality"] = """
class Card:
    def __init__(self, rank, suit):
        self.rank, self.suit = rank, suit
    def __eq__(self, other):
        if not isinstance(other, Card):
            return NotImplemented
        return self.rank == other.rank
def f():
    a, b = Card(DiscreteUniform(1, 3), "h"), Card(DiscreteUniform(1, 3), "s")
    c = a if Bernoulli(0.5) else Card(2, "d")
    condition(a == b or c != b)
    return a == b, c == a, a == 1, c in [Card(1, "x"), b], b not in (a, c)
"""

PROGRAMS["own_order"] = """
class Bid:
    def __init__(self, who, amount):
        self.who, self.amount = who, amount
    def __lt__(self, other):
        return self.amount < other.amount
def f():
    bids = [Bid("a", DiscreteUniform(1, 3)), Bid("b", 2), Bid("c", DiscreteUniform(2, 3))]
    ranked = sorted(bids)
    order = "".join(b.who for b in ranked)
    return order, min(bids).who, max(bids).who, "".join(b.who for b in sorted(bids, reverse=True)), bids[0] > bids[1]
"""

PROGRAMS["own_arithmetic"] = """
class Money:
    def __init__(self, cents):
        self.cents = cents
    def __add__(self, other):
        if isinstance(other, Money):
            return Money(self.cents + other.cents)
        return Money(self.cents + other)
    __hash__ = None
    def __radd__(self, other):
        return self + other
    def __mul__(self, factor):
        return Money(self.cents * factor)
    def __rmul__(self, factor):
        return self * factor
    def __sub__(self, other):
        return Money(self.cents - other.cents)
    def __neg__(self):
        return Money(-self.cents)
    def __abs__(self):
        return Money(abs(self.cents))
    def __iadd__(self, other):
        self.cents += other
        return self
def f():
    purses = [Money(DiscreteUniform(1, 2)) for _ in range(3)]
    total = sum(purses)
    pick = purses[0] if Bernoulli(0.25) else purses[1]
    pick += 10
    return total.cents, (2 * pick - purses[0]).cents, abs(-pick * 3).cents, purses[0].cents
""".replace("    __hash__ = None\n", "")

PROGRAMS["own_container"] = """
class Bag:
    def __init__(self):
        self.items = []
    def add(self, x):
        self.items.append(x)
        return self
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        return self.items[i]
    def __setitem__(self, i, x):
        self.items[i] = x
    def __contains__(self, x):
        return x in self.items
    def __iter__(self):
        return iter(self.items)
def f():
    one, two = Bag(), Bag().add(7)
    for i in range(3):
        if Bernoulli(0.5):
            one.add(i)
    bag = one if Bernoulli(0.75) else two
    if not one:
        one.add(9)
    bag[0] = bag[0] + 1
    return len(bag), 2 in bag, sum(bag), [x for x in bag][0], bool(two)
"""

PROGRAMS["own_call"] = """
class Noisy:
    def __init__(self, flip):
        self.flip = flip
        self.calls = 0
    def __call__(self, answer, times=1):
        self.calls += times
        return answer != self.flip
def f():
    honest, liar = Noisy(False), Noisy(True)
    tell = honest if Bernoulli(0.75) else liar
    truth = Bernoulli(0.25)
    told = tell(truth)
    condition(told)
    return truth, honest.calls, list(map(liar, [True, False]))[0]
"""

PROGRAMS["own_setter"] = """
class Account:
    def __init__(self, balance):
        self.balance = balance
    @property
    def balance(self):
        return self._balance
    @balance.setter
    def balance(self, value):
        self._balance = value if value > 0 else 0
def f():
    a, b = Account(2), Account(3)
    c = a if Bernoulli(0.5) else b
    c.balance -= DiscreteUniform(1, 3)
    if Bernoulli(0.25):
        a.balance = -1
    return a.balance, b.balance
"""

PROGRAMS["records_compared"] = """
from dataclasses import dataclass, replace
@dataclass
class Point:
    x: int
    y: int = 0
@dataclass(order=True)
class Score:
    points: int
    name: str
@dataclass(eq=False)
class Thing:
    x: int
@dataclass
class Deep:
    at: Point
    tag: str = "t"
def f():
    p = Point(DiscreteUniform(0, 2))
    q = replace(p, y=Bernoulli(0.5) + 0)
    best = max(Score(DiscreteUniform(1, 2), "a"), Score(2, "b"))
    t = Thing(1)
    d = Deep(p)
    return p == q, q == Point(1, 1), q != Point(0), best.name, t == Thing(1), t == t, d == Deep(Point(1)), p.y
"""

PROGRAMS["named_tuples"] = """
from collections import namedtuple
from typing import NamedTuple
Point = namedtuple("Point", ["x", "y"])
class Person(NamedTuple):
    name: str
    age: int = 30
    def older(self):
        return self._replace(age=self.age + 1)
def f():
    p = Point(DiscreteUniform(0, 1), 2)
    q = p._replace(y=DiscreteUniform(1, 2))
    x, y = q
    who = Person("ann", DiscreteUniform(29, 30)).older()
    total = 0
    for part in q:
        total += part
    name, *rest = who
    return p == q, q == (1, 2), q[0], q[-1], len(q), x + y, total, who.age, who._asdict()["age"], sum(q), 1 in q, p < q, rest[0]
"""

PROGRAMS["truth_of_objects"] = """
class Node:
    def __init__(self, v, next=None):
        self.v, self.next = v, next
class Flag:
    def __init__(self, on):
        self.on = on
    def __bool__(self):
        return self.on
def f():
    head = None
    for i in range(3):
        if Bernoulli(0.5):
            head = Node(i, head)
    total = 0
    while head:
        total += head.v
        head = head.next
    flag = Flag(Bernoulli(0.25))
    if flag and not Flag(False):
        total += 100
    return total, 1 if flag else 0
"""

PROGRAMS["inherited_operators"] = """
class Base:
    def __init__(self, v):
        self.v = v
    def __add__(self, other):
        return ("base", self.v + other.v)
    def __eq__(self, other):
        return self.v == other.v
class Derived(Base):
    def __radd__(self, other):
        return ("derived", self.v * other.v)
def f():
    a = Base(DiscreteUniform(1, 2))
    b = Derived(3) if Bernoulli(0.5) else Base(4)
    kind, value = a + b
    return kind, value, b + a == ("base", 5), a == b, b != a
"""

PROGRAMS["identity"] = """
class Player:
    def __init__(self, n):
        self.n = n
def f():
    players = [Player(i) for i in range(3)]
    chosen = players[DiscreteUniform(0, 2)]
    other = players[DiscreteUniform(0, 2)]
    condition(chosen is not other)
    return chosen.n, chosen is players[0], sum(1 for p in players if p is other), other == players[1]
"""

PROGRAMS["own_text"] = """
class Vote:
    def __init__(self, yes):
        self.yes = yes
    def __str__(self):
        return "yes" if self.yes else "no"
    def __repr__(self):
        return "Vote"
def f():
    v = Vote(Bernoulli(0.25))
    return f"<{v}>", str(v) + "!"
"""

PROGRAMS["vector_space"] = """
class Vector:
    def __init__(self, *parts):
        self.parts = list(parts)
    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self.parts, other.parts)])
    def __mul__(self, other):
        if isinstance(other, Vector):
            return sum(a * b for a, b in zip(self.parts, other.parts))
        return Vector(*[a * other for a in self.parts])
    __rmul__ = __mul__
    def __eq__(self, other):
        return self.parts == other.parts
    def __getitem__(self, i):
        return self.parts[i]
def f():
    v = Vector(Bernoulli(0.5) + 0, DiscreteUniform(0, 2))
    w = v + Vector(1, 1) * 2
    condition(w * v > 0)
    return w[0], (3 * v)[1], v == w, v * w
"""

PROGRAMS["raising_method"] = """
class Safe:
    def __init__(self, codes):
        self.codes = codes
    def __getitem__(self, name):
        if name not in self.codes:
            raise KeyError(name)
        return self.codes[name]
    def __call__(self, name):
        try:
            return self[name]
        except KeyError:
            return -1
def f():
    s = Safe({"a": DiscreteUniform(1, 2)})
    who = Categorical({"a": 0.5, "b": 0.5})
    try:
        found = s[who]
    except KeyError:
        found = 0
    return found, s(who)
"""

PROGRAMS["lists_of_objects"] = """
class Person:
    def __init__(self, name, ill):
        self.name, self.ill = name, ill
def f():
    people = [Person("a", Bernoulli(0.25)), Person("b", Bernoulli(0.5))]
    everybody = list(reversed(people)) + [Person("c", True)]
    pairs = [(p, q) for p in everybody for q in everybody if p is not q]
    first = tuple(everybody)[0]
    ill = [p for p in everybody if p.ill]
    everybody.reverse()
    return len(pairs), first.name, len(ill), [p.name for p in enumerate_names(everybody)][0], everybody[0].ill
def enumerate_names(people):
    return [p for _, p in enumerate(people)]
"""

PROGRAMS["replaced_in_worlds"] = """
from dataclasses import dataclass, replace
@dataclass(order=True)
class Bid:
    amount: int
    name: str
def spread(f, *values):
    return f(*values)
def f():
    bids = [Bid(DiscreteUniform(1, 3), "ann"), Bid(2, "bob")]
    best = max(bids)
    raised = replace(best, amount=best.amount + 1)
    which = spread(max if Bernoulli(0.5) else min, 3, 4)
    return best.name, raised.amount, raised > best, which
"""
