"""Protocols, protections and attacks on releases, as researchers write them down."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["release_crowds_forwarding"] = """
def f():
    members = ["h1", "h2", "h3", "bad"]
    def pick():
        return members[DiscreteUniform(0, len(members) - 1)]
    initiator = Categorical({"h1": 0.4, "h2": 0.3, "h3": 0.3})
    previous, current = None, initiator
    for hop in range(4):
        previous, current = current, pick()
        if current == "bad":
            break
        if not Bernoulli(0.75):
            current = "server"
            break
    condition(current == "bad")
    return previous == initiator, initiator
"""

PROGRAMS["release_onion_three_relays"] = """
from itertools import permutations
def f():
    relays = ["guard", "middle", "exit", "spare"]
    paths = list(permutations(relays, 3))
    path = paths[DiscreteUniform(0, len(paths) - 1)]
    compromised = {r: Bernoulli(0.2) for r in relays}
    linked = compromised[path[0]] and compromised[path[-1]]
    condition(linked)
    return compromised["spare"], path.index("guard") if "guard" in path else -1
"""

PROGRAMS["release_onion_mix_batch"] = """
def f():
    senders = ["alice", "bob", "carol"]
    receivers = {s: Categorical({"x": 0.5, "y": 0.3, "z": 0.2}) for s in senders}
    delivered = sorted(receivers.values())
    condition(delivered == ["x", "x", "z"])
    return receivers["alice"]
"""

PROGRAMS["release_smart_meter_bands"] = """
APPLIANCES = {"fridge": 1, "kettle": 20, "oven": 25, "tv": 2}
def f():
    on = {name: Bernoulli(p) for name, p in zip(APPLIANCES, [0.9, 0.2, 0.1, 0.4])}
    reading = sum(APPLIANCES[n] for n in on if on[n])
    band = "low" if reading < 5 else "mid" if reading < 22 else "high"
    condition(band, "high")
    at_home = on["kettle"] or on["oven"] or on["tv"]
    return at_home, on["oven"]
"""

PROGRAMS["release_smart_meter_day_profile"] = """
def consumption(home, hour):
    base = 1
    if home:
        base += 2 if 6 <= hour < 9 or 17 <= hour < 23 else 1
    return base
def f():
    schedule = Categorical({"office": 0.6, "remote": 0.3, "away": 0.1})
    def at_home(hour):
        match schedule:
            case "office":
                return hour < 8 or hour > 17
            case "remote":
                return True
            case _:
                return False
    profile = [consumption(at_home(h), h) + Bernoulli(0.1) for h in (7, 12, 19)]
    condition(sum(profile) >= 7)
    return schedule
"""

PROGRAMS["release_location_grid_cloaking"] = """
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def cloak(self, size):
        return (self.x // size * size, self.y // size * size)
    def __repr__(self):
        return f"({self.x}, {self.y})"
def f():
    p = Point(DiscreteUniform(0, 5), Categorical([0.1, 0.2, 0.3, 0.4]))
    condition(p.cloak(2) == (2, 2))
    return repr(p)
"""

PROGRAMS["release_location_checkins"] = """
from collections import defaultdict
def f():
    places = ["home", "work", "gym"]
    trans = {"home": [0.2, 0.7, 0.1], "work": [0.6, 0.2, 0.2], "gym": [0.9, 0.1, 0.0]}
    here = "home"
    visits = defaultdict(int)
    trail = []
    for _ in range(4):
        here = places[Categorical(trans[here])]
        visits[here] += 1
        trail.append(here[0])
    condition(visits["gym"] >= 1)
    return "".join(trail[:2])
"""

PROGRAMS["release_genomic_kinship"] = """
def gamete(alleles):
    return alleles[DiscreteUniform(0, 1)]
def f():
    q = {"A": 0.7, "a": 0.3}
    founders = {name: (Categorical(q), Categorical(q)) for name in ["gm", "gf", "m"]}
    father = (gamete(founders["gm"]), gamete(founders["gf"]))
    child = tuple(sorted((gamete(father), gamete(founders["m"]))))
    condition(child == ("a", "a"))
    return "".join(sorted(founders["gm"]))
"""

PROGRAMS["release_genomic_beacon_queries"] = """
def f():
    snps = [0.3, 0.1, 0.05]
    cohort = [[Bernoulli(p) for p in snps] for _ in range(3)]
    answers = [any(person[j] for person in cohort) for j in range(len(snps))]
    condition(answers, [True, False, True])
    return sum(cohort[0])
"""

PROGRAMS["release_k_anonymity_suppress"] = """
from collections import Counter
def generalise(age):
    return "<40" if age < 40 else ">=40"
def f():
    people = [{"age": DiscreteUniform(38, 41), "ill": Bernoulli(0.3)} for _ in range(3)]
    groups = Counter(generalise(p["age"]) for p in people)
    published = {g: (n if n >= 2 else "*") for g, n in groups.items()}
    condition(published.get("<40", 0) == 2)
    return people[0]["age"]
"""

PROGRAMS["release_k_anonymity_generalise_zip"] = """
def mask(zipcode, keep):
    return zipcode[:keep] + "*" * (len(zipcode) - keep)
def f():
    zips = ["1301", "1302", "1401", "1402"]
    homes = [zips[DiscreteUniform(0, 3)] for _ in range(3)]
    keep = 4
    while keep > 0:
        masked = [mask(z, keep) for z in homes]
        if min(masked.count(m) for m in masked) >= 2:
            break
        keep -= 1
    condition(keep, 2)
    return homes[0]
"""

PROGRAMS["release_rr_kary_unary"] = """
def f():
    values = ("a", "b", "c")
    true = Categorical(dict(zip(values, (0.5, 0.3, 0.2))))
    bits = [int(v == true) for v in values]
    noisy = [b if Bernoulli(0.75) else 1 - b for b in bits]
    condition("".join(map(str, noisy)), "101")
    return true
"""

PROGRAMS["release_rr_rappor_bloom"] = """
def hashes(value, k=2, m=3):
    return [(value * (3 * i + 1) + i) % m for i in range(k)]
def f():
    value = DiscreteUniform(0, 3)
    bloom = [0] * 3
    for h in hashes(value):
        bloom[h] = 1
    permanent = []
    for bit in bloom:
        if Bernoulli(0.5):
            permanent.append(int(Bernoulli(0.5)))
        else:
            permanent.append(bit)
    report = [Bernoulli(0.75 if b else 0.25) for b in permanent]
    condition(report[0] and not report[2])
    return value
"""

PROGRAMS["release_rr_unrelated_question"] = """
def f():
    sensitive = [Bernoulli(0.2) for _ in range(4)]
    def answer(truth):
        return truth if Bernoulli(0.7) else Bernoulli(1 / 12)
    yes = sum(answer(s) for s in sensitive)
    condition(yes == 2)
    return sum(sensitive)
"""

PROGRAMS["release_exp_mechanism_median"] = """
def utility(data, candidate):
    return -abs(sum(x < candidate for x in data) - sum(x > candidate for x in data))
def f():
    data = [DiscreteUniform(0, 2) for _ in range(3)]
    scores = [0.5 ** -utility(data, c) for c in range(3)]
    total = sum(scores)
    out = Categorical([s / total for s in scores])
    condition(out, 1)
    return sorted(data)[1]
"""

PROGRAMS["release_noisy_max_report"] = """
def two_sided(alpha_half):
    sign = 1 if Bernoulli(0.5) else -1
    return sign * Categorical([0.6, 0.3, 0.1])
def f():
    counts = [Binomial(3, 0.5), Binomial(3, 0.4), 1]
    noisy = [c + two_sided(0.5) for c in counts]
    best = max(range(len(noisy)), key=noisy.__getitem__)
    condition(best, 1)
    return counts[0]
"""

PROGRAMS["release_sparse_vector_above"] = """
def f():
    queries = [DiscreteUniform(0, 3), DiscreteUniform(0, 3), DiscreteUniform(0, 3)]
    threshold = 2 + Categorical({-1: 0.25, 0: 0.5, 1: 0.25})
    answers = []
    for q in queries:
        if q + Categorical({-1: 0.25, 0: 0.5, 1: 0.25}) >= threshold:
            answers.append("T")
            break
        answers.append("_")
    else:
        answers.append("$")
    out = "".join(answers)
    condition(out == "_T")
    return queries[0], queries[1]
"""

PROGRAMS["release_group_testing_pools"] = """
from itertools import combinations
def f():
    infected = [Bernoulli(0.1) for _ in range(5)]
    pools = [(0, 1, 2), (2, 3), (1, 3, 4)]
    results = {pool: any(infected[i] for i in pool) and Bernoulli(0.9) for pool in pools}
    positives = [p for p, r in results.items() if r]
    condition(len(positives), 2)
    return infected[3], infected[0]
"""

PROGRAMS["release_group_testing_dorfman"] = """
def test_pool(pool, used=0):
    used += 1
    if not any(pool):
        return used
    if len(pool) == 1:
        return used
    half = len(pool) // 2
    return test_pool(pool[:half], used) + test_pool(pool[half:], 0)
def f():
    pool = [Bernoulli(0.2) for _ in range(4)]
    tests = test_pool(pool)
    condition(tests > 3)
    return tests, pool[0]
"""

PROGRAMS["release_contact_tracing_days"] = """
def f():
    meetings = [("ann", "bob"), ("bob", "cy"), ("ann", "dee"), ("cy", "dee")]
    infected = {"ann": Bernoulli(0.3), "bob": False, "cy": Bernoulli(0.1), "dee": False}
    for a, b in meetings:
        if infected[a] != infected[b] and Bernoulli(0.5):
            infected[a] = infected[b] = True
    alerts = [name for name, state in infected.items() if state and Bernoulli(0.8)]
    condition("dee" in alerts)
    return infected["cy"], len(alerts)
"""

PROGRAMS["release_contact_tracing_sets"] = """
def f():
    rooms = {p: Categorical({"R1": 0.5, "R2": 0.5}) for p in "abcd"}
    patient = "abcd"[DiscreteUniform(0, 3)]
    exposed = {p for p in rooms if rooms[p] == rooms[patient]} - {patient}
    condition(len(exposed) == 2)
    return patient if "a" in exposed else "not a"
"""

PROGRAMS["release_auction_vickrey"] = """
from operator import itemgetter
def f():
    bids = [(name, DiscreteUniform(1, 4)) for name in ("x", "y", "z")]
    ranked = sorted(bids, key=itemgetter(1), reverse=True)
    (winner, top), (_, price), *_ = ranked
    condition(price, 3)
    return winner, top
"""

PROGRAMS["release_auction_english_rounds"] = """
def f():
    limits = {"a": DiscreteUniform(2, 5), "b": DiscreteUniform(2, 5)}
    price, turn = 1, "a"
    history = []
    while True:
        if limits[turn] < price + 1 or price > 6:
            break
        price += 1
        history.append((turn, price))
        turn = "b" if turn == "a" else "a"
    condition(len(history) >= 3)
    return price, limits["a"]
"""

PROGRAMS["release_password_strcmp"] = """
def strcmp(secret, guess):
    ticks = 0
    for s, g in zip(secret, guess):
        ticks += 1
        if s != g:
            return False, ticks
    return True, ticks
def f():
    pin = "".join(str(DiscreteUniform(0, 2)) for _ in range(4))
    ok, ticks = strcmp(pin, "0121")
    condition(not ok and ticks >= 3)
    return pin[2:]
"""

PROGRAMS["release_password_policy"] = """
def strong(pw):
    return any(c.isdigit() for c in pw) and any(c.isupper() for c in pw) and len(set(pw)) == len(pw)
def f():
    pw = "".join(Categorical({c: 0.2 for c in "aB1cD"}) for _ in range(4))
    condition(strong(pw))
    return pw[0], sum(c.isalpha() for c in pw)
"""

PROGRAMS["release_password_guess_order"] = """
def f():
    common = ["123456", "password", "qwerty", "letmein"]
    secret = Categorical(dict(zip(common, [0.4, 0.3, 0.2, 0.1])))
    tries = 0
    for guess in common:
        tries += 1
        if guess == secret:
            break
        if tries == 3:
            return "locked"
    return f"in after {tries}"
"""

PROGRAMS["release_dining_generalised_keys"] = """
from itertools import combinations
def f():
    n = 3
    sender = Categorical([0.25, 0.25, 0.5])
    message = DiscreteUniform(0, 3)
    keys = {pair: DiscreteUniform(0, 3) for pair in combinations(range(n), 2)}
    out = []
    for i in range(n):
        value = message if i == sender else 0
        for (a, b), k in keys.items():
            if i == a:
                value += k
            elif i == b:
                value -= k
        out.append(value % 4)
    condition(sum(out) % 4 == 2)
    condition(out[0] == 1)
    return message, sender
"""

PROGRAMS["release_knowledge_based_birthday"] = """
def query(bday, today):
    return today <= bday < today + 7
def f():
    bday = DiscreteUniform(0, 60)
    byear = DiscreteUniform(1980, 1985)
    log = []
    for today in (20, 21, 27):
        answer = query(bday, today)
        log.append(answer)
        if answer:
            break
    special = byear % 5 == 0
    condition(log == [False, False, True] or special)
    return bday // 7, special
"""

PROGRAMS["release_knowledge_based_income"] = """
BANDS = [(0, 20), (20, 40), (40, 60), (60, 100)]
def band(x):
    for i, (lo, hi) in enumerate(BANDS):
        if lo <= x < hi:
            return i
    raise ValueError(f"{x} is out of range")
def f():
    alice, bob = DiscreteUniform(0, 99), DiscreteUniform(0, 59)
    condition(band(alice) > band(bob))
    return band(alice)
"""

PROGRAMS["release_monitor_thermostat"] = """
class Thermostat:
    LIMIT = 3
    def __init__(self):
        self.level = 0
        self.alarms = []
    def feed(self, delta):
        self.level = max(0, min(self.level + delta, self.LIMIT))
        if self.level == self.LIMIT:
            self.alarms.append(self.level)
        return self
def f():
    t = Thermostat()
    moves = [Categorical({-1: 0.3, 0: 0.3, 1: 0.4}) for _ in range(5)]
    for m in moves:
        t.feed(m)
    condition(len(t.alarms) > 0)
    return moves[0], t.level
"""

PROGRAMS["release_histogram_numpy"] = """
import numpy as np
def f():
    groups = np.array([DiscreteUniform(0, 2) for _ in range(5)])
    histogram = [int((groups == g).sum()) for g in range(3)]
    condition(histogram[0] == 2)
    return groups[0], max(histogram)
"""

PROGRAMS["release_numpy_where_mean"] = """
import numpy as np
def f():
    ages = np.array([DiscreteUniform(20, 23) for _ in range(4)])
    old = ages >= 22
    share = old.mean()
    capped = np.where(old, 22, ages)
    condition(capped.sum() == 86)
    return share, ages[0]
"""

PROGRAMS["release_numpy_cumsum_argmax"] = """
import numpy as np
def f():
    steps = np.array([Categorical({-1: 0.5, 1: 0.5}) for _ in range(6)])
    path = np.cumsum(steps)
    condition(path[-1] == 2)
    return path.max(), int(path.argmax())
"""

PROGRAMS["release_numpy_matrix_votes"] = """
import numpy as np
def f():
    ballots = np.array([[Bernoulli(0.6), Bernoulli(0.3), Bernoulli(0.5)] for _ in range(3)]).astype(int)
    per_question = ballots.sum(axis=0)
    per_person = ballots.sum(axis=1)
    condition(per_question[1] == 2)
    return per_person[0], per_question.argmax()
"""

PROGRAMS["release_median_integers"] = """
import statistics
def f():
    ages = [DiscreteUniform(30, 34) for _ in range(5)]
    condition(statistics.median(ages) == 32)
    condition(statistics.mean(ages) * 5 == 161)
    return max(ages)
"""

PROGRAMS["release_lattice_average_males"] = """
def f():
    ages = [DiscreteUniform(40, 48) for _ in range(3)]
    males = ages[:2]
    condition(sum(males) / len(males), 44)
    condition(sum(ages) // len(ages) == 45)
    return ages[0], ages[2]
"""

PROGRAMS["release_lattice_two_tables"] = """
def f():
    counts = {(s, r): DiscreteUniform(0, 3) for s in "MF" for r in "NS"}
    margins = {s: sum(v for (a, _), v in counts.items() if a == s) for s in "MF"}
    regions = {r: sum(v for (_, b), v in counts.items() if b == r) for r in "NS"}
    condition(margins == {"M": 4, "F": 2})
    condition(regions["N"], 3)
    return counts["M", "N"]
"""

PROGRAMS["release_threshold_small_cells"] = """
def suppress(n, t=3):
    return n if n >= t or n == 0 else None
def f():
    cells = [Binomial(4, 0.4), Binomial(4, 0.6), Binomial(2, 0.5)]
    shown = [suppress(c) for c in cells]
    total = sum(cells)
    condition(shown[0] is None and total == 6)
    return cells[0], shown[1]
"""

PROGRAMS["release_rounding_base_three"] = """
def round3(n):
    low, rest = divmod(n, 3)
    if rest == 0:
        return n
    up = Bernoulli(rest / 3)
    return 3 * (low + up)
def f():
    a, b = Binomial(5, 0.4), Binomial(5, 0.6)
    condition([round3(a), round3(b)], [3, 3])
    return a + b
"""

PROGRAMS["release_swap_records"] = """
def f():
    table = [("N", Bernoulli(0.2)), ("N", Bernoulli(0.2)), ("S", Bernoulli(0.6)), ("S", Bernoulli(0.6))]
    regions = [r for r, _ in table]
    ill = [i for _, i in table]
    if Bernoulli(0.5):
        i, j = DiscreteUniform(0, 1), DiscreteUniform(2, 3)
        ill[i], ill[j] = ill[j], ill[i]
    published = {}
    for r, i in zip(regions, ill):
        published[r] = published.get(r, 0) + i
    condition(published, {"N": 2, "S": 0})
    return table[0][1], table[2][1]
"""
