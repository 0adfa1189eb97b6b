"""Programs around data structures and idioms of Python, of the kinds that other tools have among their examples."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["peer_stack_machine"] = """
def run(program, x):
    stack = [x]
    for op in program:
        if op == "dup":
            stack.append(stack[-1])
        elif op == "add":
            stack.append(stack.pop() + stack.pop())
        elif op == "drop":
            stack.pop()
        elif isinstance(op, int):
            stack.append(op)
    return stack[-1]
def f():
    program = ["dup" if Bernoulli(0.5) else 3, "add", Categorical({"dup": 0.5, 1: 0.5}), "add"]
    return run(program, DiscreteUniform(0, 2))
"""

PROGRAMS["peer_automaton"] = """
TABLE = {("s", "a"): "t", ("s", "b"): "s", ("t", "a"): "u", ("t", "b"): "s", ("u", "a"): "u", ("u", "b"): "u"}
def f():
    word = "".join(Categorical({"a": 0.6, "b": 0.4}) for _ in range(5))
    state = "s"
    for c in word:
        state = TABLE[state, c]
        if state == "u":
            break
    condition(state == "u")
    return word.find("aa")
"""

PROGRAMS["peer_grammar"] = """
def sentence(depth):
    if depth == 0 or Bernoulli(0.5):
        return "x"
    if Bernoulli(0.6):
        return "(" + sentence(depth - 1) + ")"
    return sentence(depth - 1) + "+" + sentence(depth - 1)
def f():
    s = sentence(2)
    condition("+" in s)
    return len(s), s.count("(")
"""

PROGRAMS["peer_connected"] = """
def f():
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    up = [e for e in edges if Bernoulli(0.5)]
    reached = {0}
    changed = True
    while changed:
        changed = False
        for a, b in up:
            if (a in reached) != (b in reached):
                reached |= {a, b}
                changed = True
    condition(3 in reached)
    return len(up)
"""

PROGRAMS["peer_union_find"] = """
def find(parent, x):
    while parent[x] != x:
        x = parent[x]
    return x
def f():
    parent = list(range(4))
    for a, b in ((0, 1), (2, 3), (1, 2)):
        if Bernoulli(0.5):
            parent[find(parent, a)] = find(parent, b)
    return len({find(parent, x) for x in range(4)})
"""

PROGRAMS["peer_inheritance_bank"] = """
class Account:
    fee = 1
    def __init__(self, balance):
        self.balance = balance
        self.log = []
    def withdraw(self, amount):
        if amount + self.fee > self.balance:
            raise ValueError("overdrawn")
        self.balance -= amount + self.fee
        self.log.append(amount)
class Premium(Account):
    fee = 0
def f():
    account = (Premium if Bernoulli(0.25) else Account)(5)
    failed = 0
    for _ in range(3):
        try:
            account.withdraw(DiscreteUniform(1, 3))
        except ValueError:
            failed += 1
    condition(failed >= 1)
    return account.balance, len(account.log)
"""

PROGRAMS["peer_generator_stream"] = """
def stream(n):
    level = 0
    for _ in range(n):
        level += 1 if Bernoulli(0.5) else -1
        if level < 0:
            return
        yield level
def f():
    seen = list(stream(4))
    condition(len(seen) >= 1)
    return max(seen)
"""

PROGRAMS["peer_fold"] = """
from functools import reduce
from itertools import accumulate
def f():
    xs = [Categorical([0.2, 0.3, 0.5]) for _ in range(3)]
    running = list(accumulate(xs, max))
    product = reduce(lambda a, b: a * b, [x for x in xs if x], 1)
    condition(running[-1] == 2)
    return product, running[0]
"""

PROGRAMS["peer_groupby"] = """
from itertools import groupby
def f():
    flips = "".join("HT"[Bernoulli(0.5)] for _ in range(5))
    runs = [(side, len(list(group))) for side, group in groupby(flips)]
    longest = max(n for _, n in runs)
    condition(runs[0][0] == "H")
    return longest
"""

PROGRAMS["peer_product_pairs"] = """
from itertools import product, chain
def f():
    bits = list(product((0, 1), repeat=2))
    a, b = bits[DiscreteUniform(0, 3)]
    extra = list(chain([a], [b] if a else [], [a + b for _ in range(b)]))
    return len(extra), sum(extra)
"""

PROGRAMS["peer_dict_comprehension"] = """
def f():
    stock = {item: Binomial(2, 0.5) for item in ("pen", "cup", "bag")}
    low = {item: n for item, n in stock.items() if n < 1}
    merged = {**stock, **{item: 9 for item in low}}
    condition(len(low) == 1)
    return sorted(merged.values())[0], "pen" in low
"""

PROGRAMS["peer_set_algebra"] = """
def f():
    a = {x for x in range(5) if Bernoulli(0.5)}
    b = {0, 2, 4}
    condition(a <= {0, 1, 2, 3})
    condition(not a.isdisjoint(b))
    return len(a - b) + 10 * len(a ^ b) + 100 * min(a)
"""

PROGRAMS["peer_text_records"] = """
def f():
    name = Categorical({"o'neil": 0.3, "smith-lee": 0.3, "li": 0.4})
    code = name.replace("-", " ").split()[0][:3].ljust(4, "_")
    condition(not code.endswith("__"))
    return code.replace("_", "").lower()
"""

PROGRAMS["peer_slices_assign"] = """
def f():
    xs = [0] * 5
    i = DiscreteUniform(0, 4)
    xs[i] = 1
    xs[1:3] = xs[1:3][::-1]
    del xs[0]
    xs.insert(2, 7)
    condition(sum(xs) == 8)
    return xs.index(1)
"""

PROGRAMS["peer_matrix_channel"] = """
def f():
    channel = [[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.0, 0.5, 0.5]]
    state = Categorical([1 / 3, 1 / 3, 1 / 3])
    first = state
    for _ in range(2):
        state = Categorical(channel[state])
    condition(state, 2)
    return first
"""

PROGRAMS["peer_scheduler"] = """
def f():
    shared = {"x": 0}
    threads = [["r", "w"], ["r", "w"]]
    local = [0, 0]
    done = [0, 0]
    while sum(done) < 4:
        who = int(Bernoulli(0.5)) if 2 not in done else done.index(min(done))
        if threads[who].pop(0) == "r":
            local[who] = shared["x"]
        else:
            shared["x"] = local[who] + 1
        done[who] += 1
    return shared["x"]
"""

PROGRAMS["peer_memory_cells"] = """
def f():
    memory = [[0, 0], [0, 0]]
    alias = memory[Bernoulli(0.5)]
    alias[Bernoulli(0.5)] += 5
    memory[0].append(alias[0])
    memory.reverse()
    condition(memory[1][-1] == 5 or memory[0][1] == 5)
    return memory[0][0] + memory[1][1]
"""

PROGRAMS["peer_default_arguments"] = """
def track(x, seen=[]):
    seen.append(x)
    return sum(seen)
def f():
    a = track(Bernoulli(0.5))
    if a:
        track(10)
    return track(DiscreteUniform(1, 2))
"""

PROGRAMS["peer_generator_left_early"] = """
def visits(n):
    for i in range(n):
        if Bernoulli(0.3):
            return
        yield i
        if Bernoulli(0.2):
            return
    yield 10
def f():
    total = 0
    for v in visits(3):
        total += v + 1
    condition(total != 1)
    return total, len(list(visits(2)))
"""
