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
