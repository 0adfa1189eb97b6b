"""Small programs as people write them: classes, containers, text and functions, with choices in them."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["inherit"] = """
class Animal:
    legs = 4
    def __init__(self, name, weight):
        self.name = name
        self.weight = weight
    def sound(self):
        return "..."
    def describe(self):
        return f"{self.name} says {self.sound()}"
class Dog(Animal):
    def sound(self):
        return "woof" if self.weight > 10 else "yap"
class Bird(Animal):
    legs = 2
    def __init__(self, name):
        super().__init__(name, 1)
    def sound(self):
        return "tweet"
def f():
    pet = Dog("Rex", DiscreteUniform(8, 13)) if Bernoulli(0.6) else Bird("Tweety")
    condition(pet.legs == 4 or Bernoulli(0.5))
    return pet.describe()
"""

PROGRAMS["frozenset"] = """
def f():
    tags = frozenset(t for t in ("a", "b", "c") if Bernoulli(0.5))
    other = frozenset({"a", "c"})
    condition(len(tags) >= 1)
    return tags & other == other, len(tags | other)
"""

PROGRAMS["heapq"] = """
import heapq
def f():
    heap = []
    for i in range(3):
        heapq.heappush(heap, DiscreteUniform(1, 3))
    first = heapq.heappop(heap)
    heapq.heappush(heap, first + 1)
    return heap[0]
"""

PROGRAMS["bisect"] = """
import bisect
def f():
    cuts = [10, 20, 30]
    age = DiscreteUniform(5, 35)
    band = bisect.bisect_right(cuts, age)
    condition(age % 7 == 0)
    return band
"""

PROGRAMS["insort"] = """
from bisect import insort
def f():
    xs = []
    for p in (3, 1, 2):
        insort(xs, p if Bernoulli(0.5) else 4 - p)
    return xs[1]
"""

PROGRAMS["counter_subtract"] = """
from collections import Counter
def f():
    votes = Counter()
    for _ in range(3):
        votes[Categorical({"x": 0.5, "y": 0.3, "z": 0.2})] += 1
    votes.subtract({"x": 1})
    condition(votes["y"] >= 1)
    return votes["x"]
"""

PROGRAMS["counter_common"] = """
from collections import Counter
def f():
    names = [Categorical({"ann": 0.5, "bob": 0.3, "cy": 0.2}) for _ in range(4)]
    return Counter(names).most_common(1)[0][1]
"""

PROGRAMS["nested_function"] = """
def f():
    secret = Bernoulli(0.3)
    def answer(honest):
        def flip():
            return Bernoulli(0.5)
        return secret if honest else flip()
    told = answer(Bernoulli(0.75))
    condition(told)
    return secret
"""

PROGRAMS["closure_counter"] = """
def make():
    count = 0
    def step(ok):
        nonlocal count
        if ok:
            count += 1
        return count
    return step
def f():
    step = make()
    for _ in range(4):
        last = step(Bernoulli(0.5))
    return last
"""

PROGRAMS["strings"] = """
def f():
    word = Categorical({"Alice": 0.2, "bob": 0.3, "Carol": 0.5})
    key = word.lower()[:2] + str(len(word))
    condition("o" in word)
    return key.upper()
"""

PROGRAMS["split_join"] = """
def f():
    line = Categorical({"a,b": 0.25, "c,d,e": 0.5, "f": 0.25})
    parts = line.split(",")
    return "-".join(reversed(parts))
"""

PROGRAMS["while_data"] = """
def f():
    balance = 3
    rounds = 0
    while balance > 0 and rounds < 5:
        balance += 1 if Bernoulli(0.5) else -1
        rounds += 1
    condition(rounds >= 3)
    return balance
"""

PROGRAMS["tuple_of_random"] = """
def f():
    point = (DiscreteUniform(0, 3), DiscreteUniform(0, 3))
    x, y = point
    distance = abs(x - 1) + abs(y - 2)
    condition(distance <= 2)
    return point
"""

PROGRAMS["dict_of_lists"] = """
def f():
    rooms = {"north": [], "south": []}
    for guest in ("p", "q", "r"):
        room = "north" if Bernoulli(0.4) else "south"
        rooms[room].append(guest)
    condition(len(rooms["north"]) > 0)
    return rooms["north"][-1]
"""

PROGRAMS["enumerate_zip"] = """
def f():
    truth = [Bernoulli(0.5) for _ in range(3)]
    claims = [t if Bernoulli(0.8) else not t for t in truth]
    wrong = [i for i, (t, c) in enumerate(zip(truth, claims)) if t != c]
    condition(len(wrong) == 1)
    return wrong[0]
"""

PROGRAMS["any_all"] = """
def f():
    ill = [Bernoulli(p) for p in (0.1, 0.2, 0.3)]
    condition(any(ill))
    return all(ill[:2]), ill[0]
"""

PROGRAMS["choose_object"] = """
class Server:
    def __init__(self, name, rate):
        self.name, self.rate = name, rate
        self.load = 0
    def serve(self):
        self.load += 1
        return Bernoulli(self.rate)
def f():
    servers = [Server("a", 0.9), Server("b", 0.5)]
    ok = 0
    for _ in range(3):
        s = servers[DiscreteUniform(0, 1)]
        ok += s.serve()
    condition(ok == 2)
    return servers[0].load
"""

PROGRAMS["choose_function"] = """
def double(x): return 2 * x
def square(x): return x * x
def negate(x): return -x
def f():
    op = Categorical([0.5, 0.25, 0.25])
    fs = [double, square, negate]
    g = fs[op]
    x = DiscreteUniform(1, 3)
    condition(g(x) > 1)
    return op
"""

PROGRAMS["choose_lambda"] = """
def f():
    g = (lambda x: x + 1) if Bernoulli(0.5) else (lambda x: x * 3)
    return g(DiscreteUniform(0, 2))
"""

PROGRAMS["choose_list"] = """
def f():
    deck = [1, 2, 3] if Bernoulli(0.3) else [4, 5]
    i = DiscreteUniform(0, 1)
    condition(len(deck) + i > 2)
    return deck[i], len(deck)
"""

PROGRAMS["shuffle"] = """
def f():
    cards = ["A", "K", "Q"]
    for i in range(2, 0, -1):
        j = DiscreteUniform(0, i)
        cards[i], cards[j] = cards[j], cards[i]
    condition(cards[0] != "A")
    return "".join(cards)
"""

PROGRAMS["password"] = """
def f():
    secret = DiscreteUniform(0, 7)
    guess = 5
    bits = [(secret >> k) & 1 for k in range(3)]
    given = [(guess >> k) & 1 for k in range(3)]
    steps = 0
    for a, b in zip(bits, given):
        if a != b:
            break
        steps += 1
    condition(steps, 1)
    return secret
"""

PROGRAMS["reservoir"] = """
def f():
    kept = None
    for n, item in enumerate("abcd", start=1):
        if DiscreteUniform(1, n) == 1:
            kept = item
    return kept
"""

PROGRAMS["enum"] = """
from enum import Enum
class Light(Enum):
    RED = 1
    GREEN = 2
    AMBER = 3
def f():
    order = [Light.RED, Light.GREEN, Light.AMBER]
    seen = order[Categorical([0.5, 0.3, 0.2])]
    go = seen is Light.GREEN or (seen == Light.AMBER and Bernoulli(0.5))
    condition(go)
    return seen.name
"""

PROGRAMS["try_except"] = """
def f():
    d = DiscreteUniform(0, 3)
    try:
        r = 12 // d
    except ZeroDivisionError:
        r = -1
    finally:
        pass
    condition(r != 12)
    return r
"""

PROGRAMS["dict_get"] = """
def f():
    price = {"tea": 2, "cake": 4}
    item = Categorical({"tea": 0.5, "cake": 0.3, "soup": 0.2})
    paid = price.get(item, 0) + price.setdefault("soup", 7)
    return paid, len(price)
"""

PROGRAMS["defaultdict"] = """
from collections import defaultdict
def f():
    groups = defaultdict(list)
    for i in range(3):
        groups[DiscreteUniform(0, 1)].append(i)
    condition(len(groups) == 2)
    return sorted(groups)[0], len(groups[0])
"""

PROGRAMS["itertools"] = """
from itertools import product, combinations, accumulate
def f():
    xs = [DiscreteUniform(0, 2) for _ in range(3)]
    pairs = sum(1 for a, b in combinations(xs, 2) if a == b)
    condition(list(accumulate(xs))[-1] >= 3)
    return pairs
"""

PROGRAMS["sorted_key"] = """
def f():
    people = [("a", DiscreteUniform(1, 2)), ("b", DiscreteUniform(1, 2)), ("c", 2)]
    ranked = sorted(people, key=lambda p: (-p[1], p[0]))
    return ranked[0][0]
"""

PROGRAMS["max_default"] = """
def f():
    xs = [x for x in (1, 2, 3) if Bernoulli(0.5)]
    return max(xs, default=0), min(xs, default=9)
"""

PROGRAMS["slices"] = """
def f():
    n = DiscreteUniform(0, 3)
    s = "abcdef"
    return s[n:n + 2], s[-n:] if n else ""
"""

PROGRAMS["matrix"] = """
def f():
    grid = [[0] * 2 for _ in range(2)]
    for _ in range(2):
        r, c = DiscreteUniform(0, 1), DiscreteUniform(0, 1)
        grid[r][c] += 1
    condition(grid[0][0] + grid[1][1] == 1)
    return max(map(max, grid))
"""

PROGRAMS["set_ops"] = """
def f():
    seen = set()
    for _ in range(3):
        seen.add(DiscreteUniform(1, 3))
    condition(2 in seen)
    seen.discard(1)
    return len(seen), sum(seen)
"""

PROGRAMS["match"] = """
def f():
    cmd = Categorical({"up": 0.3, "down": 0.3, "stay": 0.4})
    n = DiscreteUniform(0, 2)
    match (cmd, n):
        case ("up", k) if k > 0:
            r = k
        case ("down", 0 | 1):
            r = -1
        case (_, k):
            r = 10 * k
    return r
"""

PROGRAMS["walrus"] = """
def f():
    total = 0
    if (d := DiscreteUniform(1, 6)) > 3:
        total = d * 2
    while (k := total % 4) and total < 20:
        total += k
    return total
"""

PROGRAMS["generators"] = """
def f():
    def draws():
        for i in range(3):
            if Bernoulli(0.5):
                yield i
    return sum(draws())
"""

PROGRAMS["recursion"] = """
def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)
def f():
    return gcd(DiscreteUniform(1, 6), DiscreteUniform(1, 6))
"""

PROGRAMS["fstring_number"] = """
def f():
    day = DiscreteUniform(1, 12)
    label = f"{day:02d}"
    condition(label.startswith("0"))
    return label[-1]
"""

PROGRAMS["chained_cmp"] = """
def f():
    x, y, z = (DiscreteUniform(1, 4) for _ in range(3))
    condition(x < y <= z)
    return x + y * z
"""

PROGRAMS["bool_math"] = """
def f():
    a, b = Bernoulli(0.2), Bernoulli(0.7)
    s = a + b + True
    return s * (not a) - (a ^ b) + (a & b)
"""

PROGRAMS["for_else"] = """
def f():
    n = DiscreteUniform(2, 12)
    for d in range(2, 12):
        if d * d > n:
            r = "prime"
            break
        if n % d == 0:
            r = "composite"
            break
    else:
        r = "?"
    return r
"""

PROGRAMS["del_pop"] = """
def f():
    urn = ["r", "r", "g", "b"]
    first = urn.pop(DiscreteUniform(0, 3))
    second = urn.pop(DiscreteUniform(0, 2))
    condition(first != second)
    return first + second, urn.count("r")
"""

PROGRAMS["zip_longest"] = """
from itertools import zip_longest
def f():
    a = [1, 2] if Bernoulli(0.5) else [1]
    b = [3] * DiscreteUniform(0, 2)
    return sum(x * y for x, y in zip_longest(a, b, fillvalue=10))
"""

PROGRAMS["reduce"] = """
from functools import reduce
def f():
    bits = [Bernoulli(0.3) for _ in range(5)]
    parity = reduce(lambda a, b: a ^ b, bits)
    condition(sum(bits) > 1)
    return parity
"""

PROGRAMS["global_table"] = """
TABLE = {("low", "young"): 0.1, ("low", "old"): 0.3, ("high", "young"): 0.4, ("high", "old"): 0.8}
def f():
    dose = Categorical({"low": 0.6, "high": 0.4})
    age = Categorical({"young": 0.5, "old": 0.5})
    ill = Bernoulli(TABLE[dose, age])
    condition(ill)
    return f"{dose}/{age}"
"""

PROGRAMS["ord_chr"] = """
def f():
    k = DiscreteUniform(0, 3)
    c = "".join(chr((ord(ch) - 97 + k) % 26 + 97) for ch in "yz")
    condition(c < "b")
    return c
"""

PROGRAMS["mixture_obj"] = """
class P:
    def __init__(self, m): self.income = Normal(m, 4)
def f():
    a, b = P(10), P(20)
    who = a if Bernoulli(0.3) else b
    condition(who.income, 16)
    return a.income
"""

PROGRAMS["pow_mod"] = """
def f():
    d = DiscreteUniform(0, 7)
    s, t = 1, 3
    while d > 0:
        if d % 2 == 1:
            s = s * t % 11
        t = t * t % 11
        d //= 2
    return s
"""

PROGRAMS["monty"] = """
def f():
    doors = {1, 2, 3}
    car = DiscreteUniform(1, 3)
    pick = 1
    free = sorted(doors - {car, pick})
    host = free[DiscreteUniform(0, len(free) - 1)]
    other = (doors - {pick, host}).pop()
    condition(host == 3)
    return other == car
"""

PROGRAMS["sum_gen_cond"] = """
def f():
    n = DiscreteUniform(0, 3)
    hits = sum(1 for _ in range(n) if Bernoulli(0.5))
    condition(hits <= 1)
    return n
"""

PROGRAMS["list_eq"] = """
def f():
    a = [Bernoulli(0.5) for _ in range(3)]
    b = a[::-1]
    condition(a == b)
    return sum(a)
"""

PROGRAMS["assert"] = """
def f():
    n = DiscreteUniform(1, 4)
    assert n > 0, "positive"
    xs = list(range(n))
    xs[-1] = 10
    return sum(xs)
"""

PROGRAMS["str_methods"] = """
def f():
    s = Categorical({" yes ": 0.4, "NO": 0.35, "maybe": 0.25})
    t = s.strip().lower().replace("a", "4")
    return t.isalpha(), t.find("y"), t.zfill(6)
"""

PROGRAMS["int_parse"] = """
def f():
    s = str(DiscreteUniform(98, 102))
    return int(s[-1]) + int(s[0]), s.isdigit(), len(s)
"""

PROGRAMS["divmod_round"] = """
def f():
    q, r = divmod(DiscreteUniform(5, 9), 3)
    return q, r, round(q / 2), -r // 2
"""

PROGRAMS["unpack_star"] = """
def f():
    first, *rest = sorted(DiscreteUniform(1, 3) for _ in range(3))
    condition(first == 1)
    return rest
"""
