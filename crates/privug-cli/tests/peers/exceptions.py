# Privacy programs as a user of Python writes them: exceptions, enumerations, arrays of choices, records, protocols.
# CPython ran each program once for each combination of its choices, in fractions.
from collections import Counter
from enum import Enum, IntEnum, StrEnum, auto

import numpy as np

from privug import Bernoulli, Categorical, DiscreteUniform, condition


class Vote(Enum):
    YES = "y"
    NO = "n"
    ABSTAIN = auto()


class Suit(StrEnum):
    CLUBS = auto()
    HEARTS = auto()


class Risk(IntEnum):
    LOW = 1
    HIGH = 5


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.failed = 0

    def withdraw(self, amount):
        if amount > self.balance:
            self.failed += 1
            raise ValueError("too much")
        self.balance -= amount
        return self.balance


# run: :geohash
# expect: probabilities 00 1/16 01 1/16 02 1/16 03 1/16 10 1/16 11 1/16 12 1/16 13 1/16 20 1/16 21 1/16 22 1/16 23 1/16 30 1/16 31 1/16 32 1/16 33 1/16
def geohash():
    lat = DiscreteUniform(0, 7); lon = DiscreteUniform(0, 7)
    code = ""
    for b in (2, 1, 0):
        code += "0123"[((lat >> b) & 1) * 2 + ((lon >> b) & 1)]
    return code[:2]


# run: :tuple_none
# expect: probabilities -1 1/4 1 1/4 4 1/4 9 1/4
def tuple_none():
    def lookup(k):
        if k == 0:
            return None
        return (k, k * k)
    r = lookup(DiscreteUniform(0, 3))
    return -1 if r is None else r[1]


# run: :nested_tuple
# expect: probabilities 0 1/9 100 1/9 101 1/9 110 1/9 200 1/9 202 1/9 210 1/9 213 1/9 220 1/9
def nested_tuple():
    x = DiscreteUniform(0, 2)
    y = DiscreteUniform(0, 2)
    t = ((x, y), x + y) if x > y else ((y, x), 0)
    (a, b), c = t
    return a * 100 + b * 10 + c


# run: :keeps_old_value
# expect: probabilities 402 1/4 602 1/4 711 1/4 1202 1/4
def keeps_old_value():
    d = DiscreteUniform(0, 3)
    x = 7
    n = 0
    try:
        n = 1
        x = 12 // d
        n = 2
    except ZeroDivisionError:
        n += 10
    return x * 100 + n


# run: :keeps_list
# expect: probabilities a3be 1/3 a6be 1/3 az 1/3
def keeps_list():
    d = DiscreteUniform(0, 2)
    log = []
    try:
        log.append("a")
        log.append(str(6 // d))
        log.append("b")
    except ZeroDivisionError:
        log.append("z")
    else:
        log.append("e")
    return "".join(log)


# run: :reraise
# expect: probabilities 5 1/2 e 1/4 t 1/4
def reraise():
    d = DiscreteUniform(0, 3)
    def f(v):
        try:
            if v == 1:
                raise ValueError
            if v == 2:
                raise TypeError("x")
            return 5
        except ValueError:
            raise
        finally_value = 3
    try:
        r = f(d)
    except TypeError:
        r = "t"
    except Exception:
        r = "e"
    return r


# run: :in_loop
# expect: probabilities 4 1/81 23 4/81 42 2/27 43 4/81 61 4/81 62 4/27 80 1/81 81 4/27 82 2/27 100 13/81 101 1/9 120 2/27 121 1/27
def in_loop():
    xs = [DiscreteUniform(0, 2) for _ in range(4)]
    total = 0
    bad = 0
    for x in xs:
        try:
            total += 4 // x
        except ZeroDivisionError:
            bad += 1
            continue
        if total > 9:
            break
    return total * 10 + bad


# run: :nested_try
# expect: probabilities 10f 1/5 2f 1/5 3fr 1/5 5f 1/5 zerof 1/5
def nested_try():
    x = DiscreteUniform(0, 4)
    out = []
    try:
        try:
            out.append(10 // x)
            if x == 3:
                raise RuntimeError
        except ZeroDivisionError:
            out.append("zero")
        finally:
            out.append("f")
    except RuntimeError:
        out.append("r")
    return "".join(str(o) for o in out)


# run: :asserted
# expect: probabilities 0 2/5 1 3/10 no 3/10
def asserted():
    pin = DiscreteUniform(0, 9)
    try:
        assert pin < 7, "large"
        return pin % 2
    except AssertionError:
        return "no"


# run: :missing_in_list
# expect: probabilities -1 4/9 0 1/3 1 2/9
def missing_in_list():
    xs = [DiscreteUniform(0, 2) for _ in range(2)]
    try:
        return xs.index(1)
    except ValueError:
        return -1


# run: :last_of_empty
# expect: probabilities 0 1/3 1 1/3 2 1/3
def last_of_empty():
    n = DiscreteUniform(0, 2)
    stack = [1, 2][:n]
    try:
        return stack.pop()
    except IndexError:
        return 0


# run: :account
# expect: probabilities 0 1/6 11 1/6 21 1/6 22 1/6 31 1/6 32 1/6
def account():
    a = Account(DiscreteUniform(0, 5))
    for amount in (2, 3):
        try:
            a.withdraw(amount)
        except ValueError:
            a.balance += 1
    return a.balance * 10 + a.failed


# run: :votes
# expect: probabilities YES 387/625 n 238/625
def votes():
    vs = [Vote.YES if Bernoulli(0.6) else Vote.NO for _ in range(3)]
    if Bernoulli(0.1):
        vs[0] = Vote.ABSTAIN
    c = Counter(vs)
    if c[Vote.YES] > c[Vote.NO]:
        return Vote.YES.name
    return Vote.NO.value


# run: :vote_from_value
# expect: probabilities Vote.NO 7/10 Vote.YES 3/10
def vote_from_value():
    v = Vote(Categorical({"y": 0.3, "n": 0.7}))
    return v


# run: :vote_by_name
# expect: probabilities 1ABSTAINVote.ABSTAIN 7/10 yYESVote.YES 3/10
def vote_by_name():
    v = Vote[Categorical({"YES": 0.3, "ABSTAIN": 0.7})]
    return str(v.value) + v.name + f"{v}"


# run: :suits
# expect: probabilities HEARTS 1/2 clubs! 1/2
def suits():
    s = list(Suit)[DiscreteUniform(0, 1)]
    return s + "!" if s is Suit.CLUBS else s.upper()


# run: :risks
# expect: probabilities 8 3/4 16 1/4
def risks():
    r = Risk.HIGH if Bernoulli(0.25) else Risk.LOW
    return sum(int(x) for x in Risk) + r * 2


# run: :members
# expect: probabilities 2 1/2 3 1/2
def members():
    return len([v for v in Vote if v is not Vote.NO]) + Bernoulli(0.5)


# run: :grid_rows
# expect: probabilities '[0, 1, 0][1, 0]1' 3/16 '[0, 1, 1][1, 1]2' 3/16 '[0, 2, 0][1, 1]2' 1/16 '[0, 2, 1][1, 2]3' 1/16 '[1, 1, 0][2, 0]2' 3/16 '[1, 1, 1][2, 1]3' 3/16 '[1, 2, 0][2, 1]3' 1/16 '[1, 2, 1][2, 2]4' 1/16
def grid_rows():
    g = np.array([[Bernoulli(0.5), 1, 0], [0, Bernoulli(0.25), Bernoulli(0.5)]])
    return str(g.sum(axis=0).tolist()) + str(g.sum(axis=1).tolist()) + str(g.sum())


# run: :grid_scale
# expect: probabilities 324 2/3 334 1/3
def grid_scale():
    g = np.array([[DiscreteUniform(0, 2), 1], [2, DiscreteUniform(0, 2)]])
    h = g * np.array([1, 10]) + g.T
    return int(h[0, 1] + h[1, 0] * 100 + h.max())


# run: :grid_random_cell
# expect: probabilities 125 1/6 224 1/6 323 1/6 422 1/6 516 1/6 620 1/6
def grid_random_cell():
    g = np.array([[1, 2, 3], [4, 5, 6]])
    r = DiscreteUniform(0, 1); c = DiscreteUniform(0, 2)
    v = g[r, c]
    g[r, c] = 0
    return int(v * 100 + g.sum() + g[1, 1])


# run: :grid_product
# expect: probabilities 103 1/4 114 1/4 214 1/4 225 1/4
def grid_product():
    a = np.array([[DiscreteUniform(0, 1), 1], [1, DiscreteUniform(0, 1)]])
    b = a @ a
    return int(b[0, 0] * 100 + b[0, 1] * 10 + b[1, 1] + (a @ np.array([1, 2]))[0])


# run: :grid_mean
# expect: probabilities 1.75 1/9 2.0 2/9 2.25 2/9 2.5 1/9 3.25 1/9 3.5 1/9 3.75 1/9
def grid_mean():
    g = np.array([[DiscreteUniform(0, 2), 1], [2, DiscreteUniform(0, 2)]])
    return float(g.mean()) + float(np.max(g, axis=0)[1])


# run: :minesweeper
# expect: probabilities 0 2/3 1 1/3
def minesweeper():
    g = np.zeros((3, 3), dtype=int)
    a = DiscreteUniform(0, 8)
    b = DiscreteUniform(0, 8)
    condition(a != b)
    g[a // 3, a % 3] = 1
    g[b // 3, b % 3] = 1
    condition(g[0, 0] == 0)
    condition(g[0:2, 0:2].sum() == 1)
    return int(g[1, 1])


# run: :vigenere
# expect: probabilities baac 1/3 bbaa 1/3 bcab 1/3
def vigenere():
    key = [DiscreteUniform(0, 2) for _ in range(2)]
    plain = "abca"
    cipher = "".join(chr((ord(c) - ord("a") + key[i % 2]) % 3 + ord("a")) for i, c in enumerate(plain))
    condition(cipher[2] == "a")
    return cipher


# run: :hex_prefix
# expect: probabilities 0 1/16 1 1/16 2 1/16 3 1/16 4 1/16 5 1/16 6 1/16 7 1/16 8 1/16 9 1/16 l 3/8
def hex_prefix():
    token = DiscreteUniform(0, 255)
    h = format(token, "02x")
    return h[0] if h[0].isdigit() else "l"


# run: :gray_code
# expect: probabilities 0 1/8 2 1/8 3 1/8 4 1/4 5 1/4 6 1/8
def gray_code():
    n = DiscreteUniform(0, 7)
    g = n ^ (n >> 1)
    return int(bin(g)[2:], 2).bit_count() + g.bit_length()


# run: :two_tuples
# expect: probabilities '[["pair",false],2]' 1/8 '[["pair",false],3]' 1/8 '[["pair",false],4]' 1/8 '["none",0]' 1/4 '["some",1]' 1/8 '["some",2]' 1/8 '["some",3]' 1/8
def two_tuples():
    x = DiscreteUniform(0, 3)
    y = Bernoulli(0.5)
    if x == 0:
        return ("none", 0)
    if y:
        return ("some", x)
    return (("pair", y), x + 1)


# run: :list_paths
# expect: probabilities [] 1/3 [false] 1/4 [false,false] 3/16 [false,true] 1/16 [true] 1/12 [true,false] 1/16 [true,true] 1/48
def list_paths():
    n = DiscreteUniform(0, 2)
    bits = [Bernoulli(0.25) for _ in range(2)]
    if n == 0:
        return []
    if n == 1:
        return [bits[0]]
    return bits


# run: :knights
# expect: probabilities 0 1/9 4 1/9 12 1/9 13 1/9 21 2/9 24 1/9 33 2/9
def knights():
    pos = (0, 0)
    for _ in range(2):
        moves = [(1, 2), (2, 1), (-1, 2)]
        dx, dy = moves[DiscreteUniform(0, 2)]
        new = (pos[0] + dx, pos[1] + dy)
        if 0 <= new[0] < 4:
            pos = new
    return pos[0] * 10 + pos[1]


# run: :onion
# expect: probabilities 0 5/24 1 5/24 2 3/8 3 5/24
def onion():
    path = []
    node = DiscreteUniform(0, 3)
    for _ in range(3):
        path.append(node)
        node = (node + DiscreteUniform(1, 3)) % 4
    compromised = {2}
    seen = [p for p in path if p in compromised]
    condition(len(seen) > 0)
    return path[0]


# run: :coupon
# expect: probabilities 1 1/27 2 14/27 3 4/9
def coupon():
    have = set()
    for i in range(4):
        have.add(DiscreteUniform(0, 2))
    return len(have)


# run: :bayes_net
# expect: probabilities False 3719/6500 True 2781/6500
def bayes_net():
    cloudy = Bernoulli(0.5)
    rain = Bernoulli(0.8 if cloudy else 0.2)
    sprinkler = Bernoulli(0.1 if cloudy else 0.5)
    wet = Bernoulli(0.99 if rain and sprinkler else 0.9 if rain or sprinkler else 0.01)
    condition(wet)
    return {"r": rain, "s": sprinkler}["s"]


# run: :elections
# expect: probabilities a 7/27 b 7/27 c 7/27 none 2/9
def elections():
    ballots = [["abc", "bca", "cab"][DiscreteUniform(0, 2)] for _ in range(3)]
    def beats(x, y):
        return sum(b.index(x) < b.index(y) for b in ballots) >= 2
    winners = [c for c in "abc" if all(beats(c, o) for o in "abc" if o != c)]
    return winners[0] if winners else "none"


# run: :luhn
# expect: probabilities False 3/5 True 2/5
def luhn():
    digits = [DiscreteUniform(0, 9), 4, DiscreteUniform(0, 9)]
    total = 0
    for i, d in enumerate(reversed(digits)):
        if i % 2:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    condition(total % 10 == 0)
    return digits[0] > digits[2]


# run: :scores
# expect: probabilities '["x",1]' 1/9 '["x",2]' 2/9 '["y",0]' 1/9 '["y",1]' 2/9 '["y",2]' 1/3
def scores():
    s = {n: DiscreteUniform(0, 2) for n in ("x", "y")}
    best = max(s.items(), key=lambda kv: (kv[1], kv[0]))
    return best


# run: :state_machine
# expect: probabilities done 11/16 idle 1/16 run 1/4
def state_machine():
    state = "idle"
    table = {("idle", True): "run", ("idle", False): "idle", ("run", True): "run", ("run", False): "done"}
    for _ in range(4):
        if state == "done":
            break
        state = table[(state, Bernoulli(0.5))]
    return state


# run: :guess_number
# expect: probabilities 400 1
def guess_number():
    secret = DiscreteUniform(1, 16)
    low, high, n = 1, 16, 0
    while low < high:
        mid = (low + high) // 2
        n += 1
        if secret <= mid:
            high = mid
        else:
            low = mid + 1
    return n * 100 + low - secret


# run: :zip_pairs
# expect: probabilities 0 1/2 1 1/2
def zip_pairs():
    xs = [DiscreteUniform(0, 1) for _ in range(3)]
    pairs = list(zip(xs, xs[1:]))
    return pairs.count((0, 1))
