"""Python's own ways with random values: containers, iterators, closures, records, texts."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["idiom_dict_of_pairs"] = """
def f():
    pairs = [(Categorical({"x": 0.5, "y": 0.5}), i) for i in range(3)]
    last = dict(pairs)
    first = dict(reversed(pairs))
    condition(len(last) == 2)
    return last["x"], first["y"]
"""

PROGRAMS["idiom_frozenset_keys"] = """
def f():
    seen = {}
    for _ in range(3):
        pair = frozenset((DiscreteUniform(0, 2), DiscreteUniform(0, 2)))
        seen[pair] = seen.get(pair, 0) + 1
    condition(max(seen.values()) >= 2)
    return len(seen)
"""

PROGRAMS["idiom_iterator_pairwise"] = """
from itertools import pairwise, chain, islice
def f():
    xs = [DiscreteUniform(0, 2) for _ in range(4)]
    ups = sum(b > a for a, b in pairwise(xs))
    padded = list(islice(chain([0], xs, [2]), 1, 5))
    condition(ups, 2)
    return padded == xs, xs[0]
"""

PROGRAMS["idiom_iterator_zip_longest_dict"] = """
def f():
    names = ["a", "b", "c"]
    scores = [DiscreteUniform(0, 2) for _ in names]
    board = {n: s for n, s in zip(names, scores)}
    best = sorted(board.items(), key=lambda kv: (-kv[1], kv[0]))
    podium = [n for n, _ in best][:2]
    condition(board["c"] == 2)
    return podium
"""

PROGRAMS["idiom_generator_yield_from"] = """
def leaves(tree):
    if isinstance(tree, list):
        for sub in tree:
            yield from leaves(sub)
    else:
        yield tree
def f():
    tree = [DiscreteUniform(0, 1), [DiscreteUniform(0, 2), [DiscreteUniform(0, 1)]]]
    flat = list(leaves(tree))
    condition(sum(flat) == 2)
    return flat
"""

PROGRAMS["idiom_generator_send_free"] = """
def primes(limit):
    found = []
    for n in range(2, limit):
        if all(n % p for p in found):
            found.append(n)
            yield n
def f():
    n = DiscreteUniform(2, 20)
    small = [p for p in primes(21) if n % p == 0]
    condition(len(small) == 2)
    return small
"""

PROGRAMS["idiom_recursion_tree_depth"] = """
def depth(level=0):
    if level == 4 or not Bernoulli(0.5):
        return level
    return max(depth(level + 1), level + 1)
def f():
    return depth()
"""

PROGRAMS["idiom_recursion_grammar"] = """
def expr(d=0):
    if d == 2 or Bernoulli(0.6):
        return str(DiscreteUniform(1, 2))
    op = "+" if Bernoulli(0.5) else "*"
    return expr(d + 1) + op + expr(d + 1)
def evaluate(text):
    return sum(1 if term == "1" else eval_product(term) for term in text.split("+"))
def eval_product(term):
    result = 1
    for factor in term.split("*"):
        result *= int(factor)
    return result
def f():
    e = expr()
    condition(evaluate(e) == 4)
    return e if len(e) <= 3 else "long"
"""

PROGRAMS["idiom_closure_counter_nonlocal"] = """
def make():
    calls = 0
    def flip():
        nonlocal calls
        calls += 1
        return Bernoulli(1 / (calls + 1))
    return flip, lambda: calls
def f():
    flip, used = make()
    while used() < 4 and flip():
        pass
    return used()
"""

PROGRAMS["idiom_global_counter"] = """
count = 0
def tick():
    global count
    count += DiscreteUniform(0, 1)
    return count
def f():
    global count
    count = 0
    seen = [tick() for _ in range(3)]
    condition(count == 2)
    return seen
"""

PROGRAMS["idiom_default_mutable"] = """
def remember(x, memory=None):
    memory = [] if memory is None else memory
    memory.append(x)
    return memory
def f():
    m = None
    for _ in range(3):
        m = remember(DiscreteUniform(0, 1), m if Bernoulli(0.5) else None)
    return m
"""

PROGRAMS["idiom_typing_protocol"] = """
from typing import NamedTuple, Optional
class Record(NamedTuple):
    name: str
    age: int
    ill: bool = False
def lookup(rows, age) -> Optional[Record]:
    return next((r for r in rows if r.age == age), None)
def f():
    rows = [Record("a", DiscreteUniform(30, 32), Bernoulli(0.2)), Record("b", DiscreteUniform(30, 32))]
    hit = lookup(rows, 31)
    condition(hit is not None)
    return hit.name, hit.ill
"""

PROGRAMS["idiom_dataclass_order"] = """
from dataclasses import dataclass
@dataclass(order=True)
class Bid:
    amount: int
    tie: int
    who: str = "?"
def f():
    bids = [Bid(DiscreteUniform(1, 3), DiscreteUniform(0, 1), w) for w in "abc"]
    best = max(bids)
    condition(best.amount == 2)
    return best.who
"""

PROGRAMS["idiom_dataclass_post_init"] = """
from dataclasses import dataclass, field, replace, asdict
@dataclass
class Person:
    age: int
    tags: list = field(default_factory=list)
    def __post_init__(self):
        self.tags.append("minor" if self.age < 18 else "adult")
def f():
    p = Person(DiscreteUniform(16, 19))
    q = replace(p, age=p.age + 1, tags=[])
    condition(p.tags != q.tags)
    return asdict(q)["age"]
"""

PROGRAMS["idiom_string_report"] = """
def f():
    n, yes = DiscreteUniform(3, 5), 0
    for i in range(5):
        if i < n and Bernoulli(0.4):
            yes += 1
    line = f"{yes}/{n} ({100 * yes // n}%)"
    condition(line.endswith("40%)"))
    return line
"""

PROGRAMS["idiom_string_csv_parse"] = """
def f():
    row = ",".join([str(DiscreteUniform(18, 20)), Categorical({"M": 0.5, "F": 0.5}), "1" if Bernoulli(0.1) else "0"])
    age, sex, ill = row.split(",")
    condition(int(age) >= 19)
    return {"age": int(age), "sex": sex.lower(), "ill": bool(int(ill))}["ill"], sex + age
"""

PROGRAMS["idiom_string_soundex"] = """
CODES = {"b": "1", "p": "1", "t": "3", "d": "3"}
def code(name):
    digits = [CODES.get(c, "") for c in name[1:]]
    return (name[0].upper() + "".join(d for d in digits if d)).ljust(4, "0")
def f():
    name = Categorical({"tab": 0.3, "tap": 0.2, "tad": 0.3, "tot": 0.2})
    condition(code(name), "T100")
    return name
"""

PROGRAMS["idiom_matrix_channel_cascade"] = """
def matvec(p, m):
    return [sum(p[i] * m[i][j] for i in range(len(p))) for j in range(len(m[0]))]
def f():
    channel = [[0.8, 0.2], [0.3, 0.7]]
    x = Categorical([0.5, 0.5])
    y = Categorical(channel[x])
    z = Categorical(matvec(channel[y], channel))
    condition(z, 1)
    return x, y
"""

PROGRAMS["idiom_early_return_audit"] = """
def audit(record):
    if record["income"] == 0:
        return "empty"
    if not record["signed"]:
        return "unsigned"
    for child in record["children"]:
        if child > 18:
            return f"adult child {child}"
    return "ok"
def f():
    record = {"income": DiscreteUniform(0, 2), "signed": Bernoulli(0.9), "children": [DiscreteUniform(16, 19) for _ in range(2)]}
    verdict = audit(record)
    condition(verdict != "ok")
    return verdict
"""

PROGRAMS["idiom_nested_dict_update"] = """
def f():
    db = {u: {"visits": 0, "pages": set()} for u in ("u1", "u2")}
    for _ in range(3):
        u = Categorical({"u1": 0.7, "u2": 0.3})
        page = DiscreteUniform(1, 2)
        db[u]["visits"] += 1
        db[u]["pages"].add(page)
    condition(db["u1"]["visits"] == 2)
    return len(db["u1"]["pages"]), sorted(db["u2"]["pages"])
"""

PROGRAMS["idiom_sorting_inversions"] = """
def f():
    xs = [DiscreteUniform(0, 2) for _ in range(4)]
    swaps = 0
    ys = xs[:]
    for i in range(len(ys)):
        for j in range(len(ys) - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
                swaps += 1
    condition(swaps == 3)
    return "".join(map(str, ys)), xs[0]
"""

PROGRAMS["idiom_queue_priority"] = """
import heapq
def f():
    heap = []
    for name in "abc":
        heapq.heappush(heap, (DiscreteUniform(1, 2), name))
    order = "".join(heapq.heappop(heap)[1] for _ in range(3))
    condition(order[0] != "a")
    return order
"""

PROGRAMS["idiom_bits_hamming"] = """
def f():
    word = [DiscreteUniform(0, 1) for _ in range(4)]
    d1, d2, d3, d4 = word
    p1, p2, p3 = d1 ^ d2 ^ d4, d1 ^ d3 ^ d4, d2 ^ d3 ^ d4
    sent = [p1, p2, d1, p3, d2, d3, d4]
    flip = DiscreteUniform(0, 6)
    got = [b ^ (i == flip) for i, b in enumerate(sent)]
    s = (got[0] ^ got[2] ^ got[4] ^ got[6]) + 2 * (got[1] ^ got[2] ^ got[5] ^ got[6]) + 4 * (got[3] ^ got[4] ^ got[5] ^ got[6])
    condition(sum(got) == 3)
    return s - 1 == flip, sum(word)
"""

PROGRAMS["idiom_automaton_match"] = """
DELTA = {(0, "a"): 1, (0, "b"): 0, (1, "a"): 1, (1, "b"): 2, (2, "a"): 1, (2, "b"): 0}
def accepts(text):
    state, visits = 0, []
    for c in text:
        state = DELTA[state, c]
        visits.append(state)
    return state == 2, visits
def f():
    text = "".join("a" if Bernoulli(0.4) else "b" for _ in range(4))
    ok, visits = accepts(text)
    condition(ok)
    return text, visits.count(1)
"""

PROGRAMS["idiom_lattice_median_mean_census"] = """
import statistics
def f():
    block = sorted([DiscreteUniform(20, 24) for _ in range(4)])
    condition(statistics.median(block), 22)
    condition(sum(block), 87)
    return block[0], block[-1]
"""

PROGRAMS["idiom_bayes_two_tests"] = """
def test(ill, sens=0.9, spec=0.8):
    return Bernoulli(sens) if ill else not Bernoulli(spec)
def f():
    ill = Bernoulli(0.05)
    results = [test(ill), test(ill, spec=0.95), test(ill, sens=0.7)]
    condition(results.count(True) >= 2)
    return ill
"""

PROGRAMS["idiom_federated_median"] = """
import statistics
def f():
    sites = {s: [DiscreteUniform(0, 2) for _ in range(2)] for s in ("N", "S")}
    medians = {s: statistics.median_low(v) for s, v in sites.items()}
    condition(medians["N"] < medians["S"])
    return sum(sites["N"]), medians["S"]
"""

PROGRAMS["idiom_traffic_analysis_padding"] = """
def pad(n, block=3):
    return -(-n // block) * block
def f():
    page = Categorical({"index": 0.5, "login": 0.3, "report": 0.2})
    size = {"index": 4, "login": 7, "report": 9}[page] + DiscreteUniform(-1, 1)
    condition(pad(size) == 9)
    return page, size
"""

PROGRAMS["idiom_differencing_two_releases"] = """
def f():
    staff = {name: DiscreteUniform(1, 4) for name in ("ann", "bob", "cy", "dee")}
    january = sum(staff.values())
    left = "bob" if Bernoulli(0.5) else "cy"
    february = sum(v for k, v in staff.items() if k != left)
    condition(january == 10)
    condition(february == 7)
    return staff["bob"], left
"""

PROGRAMS["idiom_tuple_unpack_swap"] = """
def f():
    a, b, c = (DiscreteUniform(0, 3) for _ in range(3))
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    condition(b == 1)
    return a, c
"""

PROGRAMS["idiom_lambda_dispatch"] = """
OPS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b if b else 0}
def f():
    op = Categorical({k: 0.25 for k in OPS})
    x, y = DiscreteUniform(0, 4), DiscreteUniform(0, 4)
    result = OPS[op](x, y)
    condition(result == 4)
    return op, x
"""

PROGRAMS["idiom_early_generator"] = """
def until_zero(values):
    for v in values:
        if v == 0:
            return
        yield v
def f():
    draws = [DiscreteUniform(0, 2) for _ in range(4)]
    kept = list(until_zero(draws))
    condition(sum(kept) >= 2)
    return len(kept), draws[3]
"""

PROGRAMS["idiom_index_error"] = """
def f():
    names = [Categorical({"ann": 0.5, "bob": 0.5}) for _ in range(3)]
    place = DiscreteUniform(0, 4)
    try:
        found = names[place]
    except IndexError as e:
        found = str(e)
    return found, place
"""

PROGRAMS["idiom_star_in_the_middle"] = """
def f():
    xs = [DiscreteUniform(0, 1) for _ in range(DiscreteUniform(1, 4))]
    match xs:
        case [0, *inner, 0]:
            return "zeros", sum(inner)
        case [1, *_]:
            return "one", len(xs)
        case [first]:
            return "single", first
        case [*all]:
            return "other", sum(all)
"""

PROGRAMS["idiom_frozen_sets_compared"] = """
def f():
    met = [frozenset({DiscreteUniform(0, 2), DiscreteUniform(0, 2)}) for _ in range(2)]
    pairs = {frozenset({0, 1}): "near", frozenset({1, 2}): "near", frozenset({0, 2}): "far"}
    return pairs.get(met[0], "alone"), met[0] == met[1]
"""

PROGRAMS["idiom_boolean_as_digit"] = """
def f():
    bits = [Bernoulli(0.5) for _ in range(3)]
    return "".join(f"{b:d}" for b in bits), f"{bits[0]:03d}"
"""

PROGRAMS["idiom_keys_written_out"] = """
def f():
    a, b, c = (DiscreteUniform(0, 1) for _ in range(3))
    table = {(a, b): "pair", frozenset({b, c}): "set", c: "number"}
    by_parity = {(x % 2, i): x for i, x in enumerate([a + b, b + c])}
    return len(table), table.get((0, 1), "?"), table.get(frozenset({0}), "?"), by_parity.get((1, 0), -1)
"""
