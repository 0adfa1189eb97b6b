# Privacy programs as they are written for QUAIL, HyLeak, LeakWatch, F-BLEAU, SPIRE, privugger, PSI and Hakaru: passwords and timing, auctions,
# mixes, subsampling, reports through noise, networks of causes.
# The probabilities are counted: CPython ran each program once for each combination of its choices, in fractions.
import statistics
from collections import deque
from functools import partial, reduce
from itertools import combinations, zip_longest
from operator import mul

from privug import Bernoulli, Categorical, DiscreteUniform, condition


# run: :insurance
# expect: probabilities adult 219/383 senior 75/383 young 89/383
def insurance():
    age = Categorical({"young": 0.2, "adult": 0.6, "senior": 0.2})
    skill = Categorical({"young": [0.5, 0.4, 0.1], "adult": [0.2, 0.6, 0.2], "senior": [0.4, 0.5, 0.1]}[age])
    cautious = Bernoulli({"young": 0.2, "adult": 0.6, "senior": 0.8}[age])
    accident = Bernoulli(0.3 - 0.1 * skill + (0.0 if cautious else 0.1))
    claim = Categorical([0.9, 0.08, 0.02]) if not accident else Categorical([0.1, 0.5, 0.4])
    condition(claim >= 1)
    return age


# run: :asia
# expect: probabilities False 756621/2011021 True 1254400/2011021
def asia():
    asia = Bernoulli(0.01)
    smoke = Bernoulli(0.5)
    tub = Bernoulli(0.05 if asia else 0.01)
    lung = Bernoulli(0.1 if smoke else 0.01)
    bronc = Bernoulli(0.6 if smoke else 0.3)
    either = tub or lung
    xray = Bernoulli(0.98 if either else 0.05)
    dysp = Bernoulli([[0.1, 0.8], [0.7, 0.9]][either][bronc])
    condition(xray)
    condition(dysp and not asia)
    return lung


# run: :hmm_viterbi
# expect: probabilities rrr 490/2801 rrs 42/2801 rsr 90/2801 rss 27/2801 srr 1120/2801 srs 96/2801 ssr 720/2801 sss 216/2801
def hmm_viterbi():
    trans = {"rain": {"rain": 0.7, "sun": 0.3}, "sun": {"rain": 0.4, "sun": 0.6}}
    emit = {"rain": {"walk": 0.1, "shop": 0.4, "clean": 0.5}, "sun": {"walk": 0.6, "shop": 0.3, "clean": 0.1}}
    state = Categorical({"rain": 0.6, "sun": 0.4})
    path = [state]
    for seen in ["walk", "shop", "clean"]:
        condition(Categorical(emit[state]) == seen)
        state = Categorical(trans[state])
        path.append(state)
    return "".join(s[0] for s in path[:3])


# run: :kary_rr
# expect: probabilities 0 1/13 1 2/13 2 6/13 3 4/13
def kary_rr():
    k, p = 4, 0.4
    secret = Categorical([0.1, 0.2, 0.3, 0.4])
    if Bernoulli(p):
        reported = secret
    else:
        other = DiscreteUniform(0, k - 2)
        reported = other if other < secret else other + 1
    condition(reported, 2)
    return secret


def bloom(value, size=4):
    bits = [0] * size
    for h in (3, 5):
        bits[(value * h + 1) % size] = 1
    return bits
# run: :rappor
# expect: probabilities 0 9/88 1 15/88 2 25/88 3 15/88 4 9/88 5 15/88
def rappor():
    value = DiscreteUniform(0, 5)
    bits = bloom(value)
    permanent = [Bernoulli(0.5 * 0.5 + (1 - 0.5) * b) for b in bits]
    report = [Bernoulli(0.75 if b else 0.25) for b in permanent]
    condition(report == [True, False, False, True])
    return value


# run: :subsample
# expect: probabilities False 207/268 True 61/268
def subsample():
    data = [Bernoulli(p) for p in (0.1, 0.5, 0.9, 0.5)]
    picks = list(combinations(range(4), 2))
    chosen = picks[DiscreteUniform(0, len(picks) - 1)]
    condition(sum(data[i] for i in chosen) == 2)
    return data[0]


# run: :poisson_subsample
# expect: probabilities 0.0 61/200 0.3333333333333333 13/200 0.5 13/50 0.6666666666666666 13/200 1.0 61/200
def poisson_subsample():
    data = [Bernoulli(p) for p in (0.1, 0.5, 0.9)]
    sample = [d for d in data if Bernoulli(0.5)]
    condition(len(sample) >= 1)
    return sum(sample) / len(sample)


# run: :shuffle_fisher_yates
# expect: probabilities bob,ann,cy 1/4 bob,cy,ann 1/4 cy,ann,bob 1/4 cy,bob,ann 1/4
def shuffle_fisher_yates():
    items = ["ann", "bob", "cy"]
    for i in range(len(items) - 1, 0, -1):
        j = DiscreteUniform(0, i)
        items[i], items[j] = items[j], items[i]
    condition(items[0] != "ann")
    return ",".join(items)


# run: :biased_shuffle
# expect: probabilities abc 4/27 acb 5/27 bac 5/27 bca 5/27 cab 4/27 cba 4/27
def biased_shuffle():
    items = list("abc")
    for i in range(3):
        j = DiscreteUniform(0, 2)
        items[i], items[j] = items[j], items[i]
    return "".join(items)


# run: :mixnet
# expect: probabilities x 2/3 y 1/3
def mixnet():
    senders = ["a", "b", "c"]
    to = {s: Categorical({"x": 0.7, "y": 0.3}) for s in senders}
    order = [0, 1, 2]
    for i in (2, 1):
        j = DiscreteUniform(0, i)
        order[i], order[j] = order[j], order[i]
    out = [to[senders[i]] for i in order]
    condition(out == ["x", "y", "x"])
    return to["a"]


# run: :onion_guard
# expect: probabilities False 9/10 True 1/10
def onion_guard():
    corrupt = {0, 1}
    guard = DiscreteUniform(0, 4)
    middle = DiscreteUniform(0, 4)
    exit_ = DiscreteUniform(0, 4)
    condition(len({guard, middle, exit_}) == 3)
    return guard in corrupt and exit_ in corrupt


# run: :psi_size
# expect: probabilities False 1/10 True 9/10
def psi_size():
    mine = {"flu", "asthma"}
    yours = {d for d, p in (("flu", 0.5), ("asthma", 0.1), ("hiv", 0.2)) if Bernoulli(p)}
    condition(len(mine & yours) == 1)
    return "flu" in yours


# run: :psi_union
# expect: probabilities 1 1/4 2 1/2 3 1/4
def psi_union():
    a = {i for i in range(4) if Bernoulli(0.5)}
    b = {i for i in range(4) if i % 2 == 0}
    condition(len(a | b) == 3 and not a <= b)
    return len(a ^ b)


def compare(a, b):
    ticks = 0
    for x, y in zip(a, b):
        ticks += 1
        if x != y:
            return False, ticks
    return len(a) == len(b), ticks
# run: :timing_strcmp
# expect: probabilities abaa 1/4 abab 1/4 abba 1/4 abbb 1/4
def timing_strcmp():
    secret = "".join("ab"[DiscreteUniform(0, 1)] for _ in range(4))
    ok, ticks = compare(secret, "abba")
    condition(ticks >= 3)
    return secret


# run: :cache_side_channel
# expect: probabilities 4 1/4 5 1/4 6 1/4 7 1/4
def cache_side_channel():
    key = DiscreteUniform(0, 15)
    table_line = [(key ^ pt) >> 2 for pt in (3, 9, 12)]
    condition(table_line[0] == 1)
    condition(len(set(table_line)) == 3)
    return key


# run: :rsa_timing
# expect: probabilities 1 1/6 4 1/6 10 1/6 13 1/6 16 1/6 19 1/6
def rsa_timing():
    d = DiscreteUniform(1, 15)
    m, n, t, r = 7, 33, 0, 1
    for bit in format(d, "04b"):
        r = r * r % n
        t += 1
        if bit == "1":
            r = r * m % n
            t += 2
    condition(t == 8)
    return r


# run: :first_price
# expect: probabilities 2 1/25 3 4/25 4 4/25 5 16/25
def first_price():
    values = {name: DiscreteUniform(1, 5) for name in ("ann", "bob", "cy")}
    bids = {name: v * 2 // 3 for name, v in values.items()}
    best = max(bids.values())
    winners = [n for n, b in bids.items() if b == best]
    condition(winners == ["bob"])
    return values["bob"]


# run: :vcg_two_items
# expect: probabilities 4 9/185 5 28/185 6 58/185 7 12/37 8 6/37
def vcg_two_items():
    bids = sorted((DiscreteUniform(0, 4) for _ in range(4)), reverse=True)
    price = bids[2]
    condition(price == 2)
    return bids[0] + bids[1]


# run: :lottery_numbers
# expect: probabilities 1 2/7 2 3/7 3 1/7 4 1/7
def lottery_numbers():
    tickets = list(combinations(range(1, 6), 2))
    draw = tickets[DiscreteUniform(0, 9)]
    mine = (2, 5)
    hits = len(set(draw) & set(mine))
    condition(hits >= 1)
    return draw[0]


# run: :monty_n
# expect: probabilities False 1/5 True 4/5
def monty_n():
    n = 5
    prize, pick = DiscreteUniform(0, n - 1), 0
    closed = [d for d in range(n) if d not in (pick, prize)]
    if prize == pick:
        left = closed.pop(DiscreteUniform(0, n - 2))
    else:
        left = prize
    condition(left != 1)
    return left == prize


# run: :monty_drunk
# expect: probabilities car 1/2 goat 1/2
def monty_drunk():
    doors = ["goat", "goat", "goat"]
    doors[DiscreteUniform(0, 2)] = "car"
    opened = DiscreteUniform(1, 2)
    condition(doors[opened] == "goat")
    return doors[0]


# run: :ldiversity
# expect: probabilities flu 11/18 hiv 7/18
def ldiversity():
    rows = [("a", Categorical({"flu": 0.5, "hiv": 0.1, "none": 0.4})) for _ in range(3)]
    diseases = {d for _, d in rows}
    condition(len(diseases) == 2)
    condition("none" not in diseases)
    return rows[0][1]


# run: :location_cell
# expect: probabilities 0 1/9 1 2/9 2 1/3 3 1/9 4 2/9
def location_cell():
    x, y = DiscreteUniform(0, 5), DiscreteUniform(0, 5)
    near = [name for name, (a, b) in {"cafe": (1, 1), "bank": (4, 4), "park": (1, 4)}.items() if abs(x - a) + abs(y - b) <= 2]
    condition(near == ["cafe"])
    return x + y


# run: :planar_noise
# expect: probabilities 0 7/12 1 11/36 2 7/72 3 1/72
def planar_noise():
    home = DiscreteUniform(0, 9)
    noise = 0
    for _ in range(3):
        noise += Categorical({-1: 0.25, 0: 0.5, 1: 0.25})
    seen = min(max(home + noise, 0), 9)
    condition(seen, 0)
    return home


# run: :trio_genome
# expect: probabilities AA 16/55 Aa 39/55
def trio_genome():
    def allele(parent):
        return parent[DiscreteUniform(0, 1)]
    mother = "Aa" if Bernoulli(0.2) else "AA"
    father = "Aa" if Bernoulli(0.1) else "AA"
    kids = [allele(mother) + allele(father) for _ in range(2)]
    condition(kids[0] != "aa")
    condition(kids[1].count("a") == 1)
    return mother


# run: :two_tests
# expect: probabilities False 261/622 True 361/622
def two_tests():
    ill = Bernoulli(0.01)
    tests = [Bernoulli(0.95) if ill else Bernoulli(0.05) for _ in range(3)]
    condition(sum(tests) >= 2)
    return ill


# run: :ballot_box
# expect: probabilities blank 1137/6140 no 447/2456 yes 7771/12280
def ballot_box():
    votes = [Categorical({"yes": 0.5, "no": 0.3, "blank": 0.2}) for _ in range(5)]
    cast = [v for v in votes if v != "blank"]
    condition(cast.count("yes") > cast.count("no"))
    return votes[0]


# run: :match_statement
# expect: probabilities chief 1/4 doctor 3/4
def match_statement():
    role = Categorical({"nurse": 0.6, "doctor": 0.3, "chief": 0.1})
    match role:
        case "nurse":
            pay = 30
        case "doctor" | "chief" if Bernoulli(0.5):
            pay = 60
        case _:
            pay = 90
    condition(pay > 30)
    return role


# run: :walrus
# expect: probabilities 0 1/3 1 1/9 2 4/27 3 7/27 4 4/27
def walrus():
    n = 0
    while (roll := DiscreteUniform(1, 3)) != 3 and n < 3:
        n += roll
    return n


def answers(ps):
    for p in ps:
        a = Bernoulli(p)
        if a:
            yield p
# run: :yielded
# expect: probabilities False 3/13 True 10/13
def yielded():
    seen = list(answers([0.5, 0.25, 0.75]))
    condition(len(seen) == 2)
    return 0.5 in seen


# run: :for_else
# expect: probabilities 0 1/6 1 1/6 2 1/6 9 1/2
def for_else():
    secret = DiscreteUniform(0, 5)
    for i, g in enumerate((4, 1, 3)):
        if g == secret:
            break
    else:
        i = 9
    return i


# run: :knapsack_dp
# expect: probabilities 4 1/4 6 1/4 7 1/4 9 1/4
def knapsack_dp():
    cap = DiscreteUniform(3, 6)
    best = [0] * (cap + 1)
    for w, v in ((2, 3), (3, 4), (4, 6)):
        for c in range(cap, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[cap]


# run: :graph_bfs
# expect: probabilities 1 1/8 2 3/32 3 3/16 4 19/32
def graph_bfs():
    edges = [(a, b) for a in range(4) for b in range(a) if Bernoulli(0.5)]
    nbr = {v: [] for v in range(4)}
    for a, b in edges:
        nbr[a].append(b); nbr[b].append(a)
    seen, todo = {0}, deque([0])
    while todo:
        v = todo.popleft()
        for w in nbr[v]:
            if w not in seen:
                seen.add(w); todo.append(w)
    return len(seen)


# run: :string_format
# expect: probabilities O1* 1/3 O2* 1/3 O3* 1/3
def string_format():
    zip_code = f"{DiscreteUniform(0, 3):02d}{DiscreteUniform(0, 1)}"
    masked = zip_code[:2] + "*"
    condition(masked != "00*")
    return masked.replace("0", "o").upper()


# run: :statistics_median
# expect: probabilities 4 3/22 5 9/22 6 7/22 7 3/22
def statistics_median():
    xs = [DiscreteUniform(0, 3) for _ in range(3)]
    condition(statistics.median(xs), 2)
    return sum(xs)


# run: :uneven_pairs
# expect: probabilities 0 1/3 1 1/3 2 1/3
def uneven_pairs():
    n = DiscreteUniform(1, 3)
    total = 0
    for a, b in zip_longest(range(n), "ab", fillvalue=None):
        total += (a is None) + 2 * (b is None)
    return total


def depth(n):
    if n == 0 or Bernoulli(0.5):
        return 0
    return 1 + depth(n - 1)
# run: :recursion_random
# expect: probabilities 0 2/3 2 1/6 3 1/12 4 1/24 5 1/24
def recursion_random():
    d = depth(5)
    condition(d != 1)
    return d


# run: :chained_walk
# expect: probabilities 2 1/16 3 3/8 4 9/16
def chained_walk():
    position, visited = 0, [0]
    for _ in range(5):
        position = (position + (1 if Bernoulli(0.5) else -1)) % 4
        if position not in visited:
            visited.append(position)
    return len(visited)


# run: :permuted_dict
# expect: probabilities 1 1/3 2 1/3 3 1/3
def permuted_dict():
    names = ["a", "b", "c"]
    code = {}
    left = [1, 2, 3]
    for n in names:
        code[n] = left.pop(DiscreteUniform(0, len(left) - 1))
    condition(code["a"] < code["b"])
    return code["c"]


# run: :sorted_key_lambda
# expect: probabilities ann 1/4 bob 1/4 cy 1/2
def sorted_key_lambda():
    people = [("ann", DiscreteUniform(1, 3)), ("bob", DiscreteUniform(1, 3)), ("cy", 2)]
    ranked = sorted(people, key=lambda p: (-p[1], p[0]))
    condition(ranked[0][0] != "cy")
    return ranked[-1][0]


# run: :interval_compare
# expect: probabilities 2 2/9 3 2/9 4 2/9 5 2/9 6 1/9
def interval_compare():
    age = DiscreteUniform(0, 100)
    condition(18 <= age < 65 and age % 5 == 0)
    return age // 10


# run: :before_and_after
# expect: probabilities 1 8/25 2 4/25 8 13/25
def before_and_after():
    salaries = [Categorical({1: 0.5, 2: 0.25, 8: 0.25}) for _ in range(4)]
    before, after = sum(salaries), sum(salaries[1:])
    condition(before > 10)
    condition(after <= 10)
    return salaries[0]


# run: :secretary
# expect: probabilities 0 11/24 1 7/24 2 1/6 3 1/12
def secretary():
    ranks = [0, 1, 2, 3]
    for i in (3, 2, 1):
        j = DiscreteUniform(0, i)
        ranks[i], ranks[j] = ranks[j], ranks[i]
    best = ranks[0]
    for r in ranks[1:]:
        if r < best:
            return r
    return ranks[-1]


# run: :noisy_max
# expect: probabilities 0 57/64 1 1/16 2 3/64
def noisy_max():
    counts = [3, 2, 2]
    noisy = [c + Categorical({-1: 0.25, 0: 0.5, 1: 0.25}) for c in counts]
    return noisy.index(max(noisy))


# run: :any_all_gen
# expect: probabilities 1 27/37 2 9/37 3 1/37
def any_all_gen():
    votes = [[Bernoulli(0.5) for _ in range(2)] for _ in range(3)]
    condition(any(all(v) for v in votes))
    return sum(all(v) for v in votes)


def flip(p, bit):
    return bit ^ Bernoulli(p)
# run: :three_flips
# expect: probabilities False 7/16 True 9/16
def three_flips():
    bit = Bernoulli(0.5)
    steps = [partial(flip, 0.25)] * 3
    condition(reduce(lambda b, s: s(b), steps, bit))
    return bit


# run: :enumerate_matrix
# expect: probabilities 0 1/3 1 1/3 2 1/3
def enumerate_matrix():
    grid = [[Bernoulli(0.25) for _ in range(3)] for _ in range(2)]
    rows = [sum(r) for r in grid]
    cols = [sum(c) for c in zip(*grid)]
    condition(rows == [1, 1])
    condition(max(cols) == 2)
    return [i for i, c in enumerate(cols) if c == 2][0]


# run: :birthday
# expect: probabilities 1 5/12 2 25/52 3 5/52 4 1/156
def birthday():
    days = [DiscreteUniform(1, 6) for _ in range(4)]
    condition(len(set(days)) < len(days))
    return days.count(days[0])


# run: :sum_of_squares
# expect: probabilities 0 9/13 1 4/13
def sum_of_squares():
    x, y = DiscreteUniform(-3, 3), DiscreteUniform(-3, 3)
    condition(x ** 2 + y ** 2 <= 4)
    return abs(x * y)


# run: :datetime_like
# expect: probabilities 0 1/4 1 1/4 2 1/4 3 1/4
def datetime_like():
    day = DiscreteUniform(1, 28)
    month = DiscreteUniform(1, 3)
    leap = divmod(day, 7)
    condition(leap[1] == month)
    return leap[0]


# run: :bit_tricks
# expect: probabilities 2 1/5 3 1/5 4 1/5 5 1/5 6 1/5
def bit_tricks():
    x = DiscreteUniform(0, 31)
    condition(x & (x - 1) == 0 and x)
    return x.bit_count() + x.bit_length()


# run: :nested_fn_closure
# expect: probabilities 5 1/2 7 1/2
def nested_fn_closure():
    budget = [2]
    secret = DiscreteUniform(0, 7)
    def query(q):
        if budget[0] == 0:
            return None
        budget[0] -= 1
        return q(secret)
    a = query(lambda s: s > 3)
    b = query(lambda s: s % 2)
    c = query(lambda s: s == 5)
    condition(a is True and b == 1 and c is None)
    return secret
