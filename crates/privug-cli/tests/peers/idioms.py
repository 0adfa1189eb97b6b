# Privacy programs in Python's own idioms: variables of a function around, decorators, caches, records with defaults, exceptions that
# are read, counters that are joined.
# The probabilities are counted: CPython ran each program once for each combination of its choices, in fractions.
import dataclasses
import functools
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps

from privug import Bernoulli, Categorical, DiscreteUniform, condition


# run: :counter_and
# expect: probabilities 0 1/125 1 177/1000 2 59/100 3 9/40
def counter_and():
    a = Counter(Categorical({"x": 0.5, "y": 0.3, "z": 0.2}) for _ in range(3))
    b = Counter(["x", "x", "y"])
    common = a & b
    return sum(common.values())


# run: :counter_or_minus
# expect: probabilities 11 1/2 12 2/5 20 1/10
def counter_or_minus():
    a = Counter()
    for p in (0.2, 0.5):
        a["yes" if Bernoulli(p) else "no"] += 1
    b = Counter(yes=1)
    return (a | b)["yes"] * 10 + (a - b)["no"]


# run: :counter_plus_most
# expect: probabilities 2 2/3 3 8/27 4 1/27
def counter_plus_most():
    morning = Counter(DiscreteUniform(0, 2) for _ in range(2))
    evening = Counter(DiscreteUniform(0, 2) for _ in range(2))
    both = morning + evening
    return both.most_common(1)[0][1]


# run: :nonlocal_counter
# expect: probabilities 1 1/3 2 1/2 3 1/6
def nonlocal_counter():
    total = 0
    def visit(p):
        nonlocal total
        if Bernoulli(p):
            total += 1
            return True
        return False
    seen = [visit(0.5) for _ in range(3)]
    condition(seen[0] or seen[2])
    return total


def make_counter():
    count = 0
    def step(by):
        nonlocal count
        count += by
        return count
    return step
# run: :nonlocal_make
# expect: probabilities 1 1/4 2 1/4 3 1/4 6 1/12 7 1/12 8 1/12
def nonlocal_make():
    step = make_counter()
    step(DiscreteUniform(0, 2))
    if Bernoulli(0.25):
        step(5)
    return step(1)


# run: :local_class
# expect: probabilities False 49/68 True 19/68
def local_class():
    class Voter:
        def __init__(self, p):
            self.vote = Bernoulli(p)
        def says(self):
            return self.vote if Bernoulli(0.75) else not self.vote
    voters = [Voter(0.3), Voter(0.6)]
    said = sum(v.says() for v in voters)
    condition(said, 1)
    return voters[0].vote


# run: :local_dataclass
# expect: probabilities 0 1/3 1 2/3
def local_dataclass():
    @dataclass
    class Basket:
        items: list = field(default_factory=list)
        owner: str = "ann"
        def add(self, item):
            self.items.append(item)
    a, b = Basket(), Basket(owner="bob")
    a.add(Bernoulli(0.5))
    if Bernoulli(0.5):
        b.add(a.items[0])
    condition(len(b.items) == 1 or a.items[0])
    return len(b.items)


@dataclass
class Person:
    name: str
    answers: list[bool] = field(default_factory=list)
    tally: dict = field(default_factory=lambda: {"yes": 0, "no": 0})
    def answer(self, p):
        a = Bernoulli(p)
        self.answers.append(a)
        self.tally["yes" if a else "no"] += 1
# run: :default_factory
# expect: probabilities False 15/22 True 7/22
def default_factory():
    people = [Person("a"), Person("b")]
    for person in people:
        for p in (0.25, 0.5):
            person.answer(p)
    condition(people[0].tally["yes"] + people[1].tally["yes"], 2)
    return people[0].answers[0]


# run: :unpack_error
# expect: probabilities b 3/4 malformed 1/4
def unpack_error():
    parts = "a,b,c".split(",") if Bernoulli(0.25) else "a,b".split(",")
    try:
        first, second = parts
    except ValueError:
        return "malformed"
    return second


# run: :unpack_star
# expect: probabilities -1 1/4 10 1/4 11 1/4 12 1/4
def unpack_star():
    n = DiscreteUniform(0, 3)
    row = [1, 2, 3][:n]
    try:
        head, *rest = row
    except ValueError:
        return -1
    return head * 10 + len(rest)


class Denied(Exception):
    pass
# run: :exception_args
# expect: probabilities -3 1/2 -2 1/4 -1 1/4
def exception_args():
    attempts = 0
    secret = DiscreteUniform(1, 4)
    for guess in (1, 2, 3):
        attempts += 1
        try:
            if guess > secret:
                raise Denied("high", guess)
            if guess < secret:
                raise Denied("low", guess)
            break
        except Denied as e:
            if e.args[0] == "high":
                return attempts
    return -attempts


@lru_cache(maxsize=None)
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)
# run: :rabbits
# expect: probabilities 1 2/7 2 1/7 3 1/7 5 1/7 8 1/7 13 1/7
def rabbits():
    return ways(DiscreteUniform(0, 6))


@functools.cache
def collatz(n):
    return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
# run: :collatz_steps
# expect: probabilities 3 1/5 5 1/5 6 1/5 7 1/5 8 1/5
def collatz_steps():
    n = DiscreteUniform(1, 8)
    condition(collatz(n) > 2)
    return n


def noisy(q):
    def decorate(function):
        @wraps(function)
        def inner(*args, **kwargs):
            answer = function(*args, **kwargs)
            return answer if Bernoulli(q) else not answer
        return inner
    return decorate
@noisy(0.75)
def over(age, limit=2):
    return age > limit
# run: :own_decorator
# expect: probabilities 0 1/11 1 1/11 2 3/11 3 3/11 4 3/11
def own_decorator():
    age = DiscreteUniform(0, 4)
    condition(over(age, limit=1))
    return age


def twice(function):
    def inner(x):
        return function(function(x))
    return inner
@twice
def step(x):
    return x + (1 if Bernoulli(0.5) else -1)
# run: :own_decorator_plain
# expect: probabilities -2 1/4 0 1/2 2 1/4
def own_decorator_plain():
    return step(0)


# run: :mastermind3
# expect: probabilities 123 1/4 131 1/4 213 1/4 311 1/4
def mastermind3():
    code = [DiscreteUniform(1, 3) for _ in range(3)]
    guess = [1, 1, 2]
    black = sum(a == b for a, b in zip(code, guess))
    white = sum((Counter(code) & Counter(guess)).values()) - black
    condition((black, white) == (1, 1))
    return "".join(map(str, code))


SEEN = 0
def look(x):
    global SEEN
    if x > 1:
        SEEN = SEEN + x
# run: :global_var
# expect: probabilities 0 4/9 2 4/9 4 1/9
def global_var():
    for _ in range(2):
        look(DiscreteUniform(0, 2))
    return SEEN


# run: :nl_two_levels
# expect: probabilities 11 4/5 22 1/5
def nl_two_levels():
    log, hits = [], 0
    def outer(p):
        def inner():
            nonlocal hits
            hits += 1
        if Bernoulli(p):
            inner()
            log.append(p)
    for p in (0.5, 0.25):
        outer(p)
    condition(hits >= 1)
    return hits * 10 + len(log)


def run(budget):
    def spend(cost):
        nonlocal budget
        if budget < cost:
            return False
        budget -= cost
        return True
    a = spend(DiscreteUniform(1, 3))
    b = spend(2)
    return budget if a and b else -1
# run: :nl_parameter
# expect: probabilities -1 2/3 0 1/3
def nl_parameter():
    return run(3)


# run: :nl_swap
# expect: probabilities 12 1/2 21 1/2
def nl_swap():
    a, b = 1, 2
    def swap():
        nonlocal a, b
        a, b = b, a
    for _ in range(3):
        if Bernoulli(0.5):
            swap()
    return a * 10 + b


# run: :nl_walk
# expect: probabilities -1 1/4 0 1/2 1 1/4
def nl_walk():
    x = y = 0
    def move():
        nonlocal x, y
        d = DiscreteUniform(0, 3)
        match d:
            case 0: x += 1
            case 1: x -= 1
            case 2: y += 1
            case _: y -= 1
    for _ in range(3):
        move()
    condition(abs(x) + abs(y) == 1)
    return x


# run: :nl_text
# expect: probabilities LL 1/8 LR 1/8 RL 3/8 RR 3/8
def nl_text():
    path = ""
    def go(p):
        nonlocal path
        path += "L" if Bernoulli(p) else "R"
    go(0.25); go(0.5)
    return path


def tick():
    global clock
    clock += 1 if Bernoulli(0.5) else 2
# run: :global_later
# expect: probabilities 12 1/4 13 1/2 14 1/4
def global_later():
    tick(); tick()
    return clock
clock = 10


total = 1
def add(x):
    global total
    total += x
def other(total):
    return total * 2
# run: :global_shadow
# expect: probabilities 3 1/3 6 1/3 9 1/3
def global_shadow():
    add(DiscreteUniform(0, 2))
    return other(total) + total


SEEN2 = []
N = 0
def visit(x):
    global N
    if x not in SEEN2:
        SEEN2.append(x)
        N += 1
# run: :global_list_and_count
# expect: probabilities 1 1/9 2 2/3 3 2/9
def global_list_and_count():
    for _ in range(3):
        visit(DiscreteUniform(0, 2))
    condition(N == len(SEEN2))
    return N


@cache
def trait(person):
    return Bernoulli(0.25)
# run: :cache_draws_once
# expect: probabilities 1 9/16 2 3/8 3 1/16
def cache_draws_once():
    who = DiscreteUniform(0, 2)
    condition(trait(who))
    return sum(trait(i) for i in range(3))


@lru_cache(maxsize=None)
def paths(r, c):
    if r == 0 or c == 0:
        return 1
    return paths(r - 1, c) + paths(r, c - 1)
# run: :cache_two
# expect: probabilities 4 1/3 10 1/3 20 1/3
def cache_two():
    return paths(DiscreteUniform(1, 3), 3)


def counted(function):
    calls = 0
    @wraps(function)
    def inner(x):
        nonlocal calls
        calls += 1
        return function(x) + calls
    return inner
@counted
def noisy2(x):
    return x + (1 if Bernoulli(0.5) else 0)
# run: :deco_count
# expect: probabilities 102 1/4 103 1/4 202 1/4 203 1/4
def deco_count():
    return noisy2(0) * 100 + noisy2(0)


def plus(k):
    def deco(g):
        return lambda x: g(x) + k
    return deco
def double(g):
    def inner(x):
        return 2 * g(x)
    return inner
@plus(1)
@double
def base(x):
    return x
# run: :deco_stack
# expect: probabilities 1 1/4 3 1/4 5 1/4 7 1/4
def deco_stack():
    return base(DiscreteUniform(0, 3))


@dataclass
class Person2:
    name: str
    ill: bool = field(default_factory=lambda: Bernoulli(0.25))
    tests: list = field(default_factory=list)
    def test(self):
        self.tests.append(Bernoulli(0.75 if self.ill else 0.25))
        return self
# run: :factory_random
# expect: probabilities 0 1/8 1 1/2 2 3/8
def factory_random():
    a, b = Person2("a"), Person2("b", ill=True, tests=[False])
    for p in (a, b):
        p.test()
    condition(a.tests == [True] and len(b.tests) == 2)
    return a.ill + b.tests[1]


@dataclass
class Box:
    size: int
    parts: dict = dataclasses.field(default_factory=dict)
    limit: int = field(default=2, repr=False)
    def __post_init__(self):
        self.parts["n"] = min(self.size, self.limit)
# run: :factory_post
# expect: probabilities 1 1/5 11 1/5 21 3/5
def factory_post():
    x, y = Box(DiscreteUniform(0, 4)), Box(1)
    return x.parts["n"] * 10 + y.parts["n"]


class Denied2(Exception):
    pass
# run: :exc_args_two
# expect: probabilities -1 1/4 0 1/4 1 1/4 2 1/4
def exc_args_two():
    secret = DiscreteUniform(1, 4)
    try:
        if secret > 2:
            raise Denied2("high", secret - 2)
        raise Denied2("low", 2 - secret)
    except Denied2 as e:
        return e.args[1] if e.args[0] == "high" else -e.args[1]


# run: :unpack_pairs
# expect: probabilities a1 1/3 bad 2/3
def unpack_pairs():
    rows = ["a=1", "b", "c=2=3"]
    row = rows[DiscreteUniform(0, 2)]
    try:
        key, value = row.split("=")
        return key + value
    except ValueError:
        return "bad"


# run: :unpack_loop
# expect: probabilities -3 8/27 -1 4/9 1 2/9 3 1/27
def unpack_loop():
    ok = 0
    for _ in range(3):
        parts = [1] * DiscreteUniform(1, 3)
        try:
            a, b = parts
            ok += a
        except ValueError:
            ok -= 1
    return ok


# run: :unpack_appended
# expect: probabilities 0 1/2 2 3/8 3 1/8
def unpack_appended():
    xs = [1]
    if Bernoulli(0.5):
        xs.append(2)
    if Bernoulli(0.25):
        xs.append(3)
    try:
        a, b = xs
    except ValueError:
        return 0
    return b


# run: :counter_multi
# expect: probabilities 0 1/6 1 2/3 2 1/6
def counter_multi():
    a = Counter("aab")
    b = Counter()
    b["a"] += 1
    if Bernoulli(0.5):
        b["c"] += 2
    c = (a + b) - Counter({"a": 2})
    return (c["a"], c["b"], c["c"])[DiscreteUniform(0, 2)]


# run: :counter_or_sum
# expect: probabilities 4 3/4 5 1/4
def counter_or_sum():
    votes = Counter(Categorical({"x": 0.5, "y": 0.5}) for _ in range(3))
    quota = Counter(x=1, y=1, z=1)
    return sum((votes | quota).values())


# run: :counter_eq
# expect: probabilities 0 3/23 1 13/23 2 7/23
def counter_eq():
    hand = [DiscreteUniform(1, 3) for _ in range(3)]
    need = Counter([1, 1, 2])
    missing = need - Counter(hand)
    condition(len(missing) <= 1)
    return sum(missing.values())


# run: :counter_dict_copy
# expect: probabilities 31 1/3 32 1/3 33 1/3
def counter_dict_copy():
    base = {"a": 3, "b": 1}
    c = Counter(base)
    c["a"] -= DiscreteUniform(0, 2)
    return c["a"] + 10 * base["a"] + 100 * c["zz"]


class Bag:
    def __init__(self):
        self.items = []
    def add(self, item):
        self.items.append(item)
        return self
    def count(self, x):
        return len([i for i in self.items if i == x])
# run: :object_add
# expect: probabilities 0 1/2 1 1/4 2 1/4
def object_add():
    a, b = Bag(), Bag()
    a.add(Bernoulli(0.5))
    if Bernoulli(0.5):
        b.add(a.items[0]).add(True)
    return b.count(True)


class Deck:
    def __init__(self, cards):
        self.cards = list(cards)
    def pop(self):
        return self.cards.pop(DiscreteUniform(0, len(self.cards) - 1))
    def index(self):
        return len(self.cards)
# run: :object_pop
# expect: probabilities 3 1/4 12 1/12 23 1/4 32 1/6 42 1/6 52 1/12
def object_pop():
    d = Deck(range(4))
    drawn = d.pop()
    if drawn % 2:
        drawn += d.pop()
    return drawn * 10 + d.index()


@cache
def link(a, b):
    return Bernoulli(0.5)
# run: :tuple_key_cache
# expect: probabilities 0 1/8 2 3/8 4 3/8 6 1/8
def tuple_key_cache():
    edges = [link(min(a, b), max(a, b)) for a in range(3) for b in range(3) if a != b]
    return sum(edges)
