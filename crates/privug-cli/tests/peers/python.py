# Privacy programs as a user of Python writes them: tuples returned on several ways, codes of characters, grids, bits, games.
# CPython ran each program once for each combination of its choices, in fractions.
from collections import Counter
from enum import Enum, IntEnum, auto

import numpy as np

from privug import Bernoulli, Categorical, DiscreteUniform, condition


class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Level(IntEnum):
    LOW = auto()
    MID = auto()
    HIGH = auto()


# run: :tuple_paths
# expect: probabilities 1 1/8 2 1/8 3 1/8 4 5/16 5 5/16
def tuple_paths():
    a = Bernoulli(0.4)
    b = DiscreteUniform(1, 5)
    def f():
        if a:
            return (b, "x")
        return (6 - b, "y")
    u, v = f()
    condition(v == "x" or u > 3)
    return u


# run: :tuple_return
# expect: probabilities [0,1] 3/25 [0,2] 3/25 [0,3] 3/25 [0,4] 3/25 [0,5] 3/25 [1,1] 2/25 [2,1] 2/25 [3,1] 2/25 [4,1] 2/25 [5,1] 2/25
def tuple_return():
    a = Bernoulli(0.4)
    b = DiscreteUniform(1, 5)
    if a:
        return (b, 1)
    return (0, b)


# run: :tuple_two_fifths
# expect: probabilities False 3/5 True 2/5
def tuple_two_fifths():
    x = DiscreteUniform(1, 5)
    def f(v):
        if v > 3:
            return v, True
        return 0, False
    r, ok = f(x)
    return ok


# run: :tuple_loop
# expect: probabilities -4 1/16 -2 1/4 0 3/16 1 1/4 2 1/4
def tuple_loop():
    def step(state):
        pos, fuel = state
        if fuel == 0:
            return state
        if Bernoulli(0.5):
            return (pos + 1, fuel - 1)
        return (pos - 1, fuel)
    s = (0, 2)
    for _ in range(4):
        s = step(s)
    return s[0]


# run: :tuple_swap
# expect: probabilities 0 1/9 1 7/45 2 7/45 10 1/15 11 1/9 12 7/45 20 1/15 21 1/15 22 1/9
def tuple_swap():
    a = DiscreteUniform(0, 2)
    b = DiscreteUniform(0, 2)
    if a > b:
        a, b = b, a
    pair = (a, b)
    if Bernoulli(0.3):
        pair = (b, a)
    return pair[0] * 10 + pair[1]


# run: :tuple_compare
# expect: probabilities False 5/9 True 4/9
def tuple_compare():
    a = DiscreteUniform(0, 2)
    b = DiscreteUniform(0, 2)
    p = (a, b) if Bernoulli(0.5) else (b, 1)
    q = (1, a)
    return p < q


# run: :tuple_key
# expect: probabilities a 3/8 b 1/8 both 1/8 none 3/8
def tuple_key():
    a = Bernoulli(0.5); b = Bernoulli(0.25)
    table = {(False, False): "none", (True, False): "a", (False, True): "b", (True, True): "both"}
    return table[(a, b)]


# run: :try_worlds
# expect: probabilities -1 1/4 4 1/4 6 1/4 12 1/4
def try_worlds():
    d = DiscreteUniform(0, 3)
    try:
        r = 12 // d
    except ZeroDivisionError:
        r = -1
    return r


# run: :try_key
# expect: probabilities 0 1/5 1 1/2 2 3/10
def try_key():
    k = Categorical({"a": 0.5, "b": 0.3, "z": 0.2})
    t = {"a": 1, "b": 2}
    try:
        return t[k]
    except KeyError:
        return 0


# run: :try_raise
# expect: probabilities 0 3/10 1 1/5 2 1/5 99 3/10
def try_raise():
    x = DiscreteUniform(0, 9)
    def check(pin):
        if pin > 6:
            raise ValueError("too large")
        return pin % 3
    try:
        v = check(x)
    except ValueError:
        v = 99
    return v


# run: :try_finally
# expect: probabilities bad-end 1/4 ok-end 3/4
def try_finally():
    x = DiscreteUniform(0, 3)
    log = []
    try:
        if x == 0:
            raise RuntimeError
        log.append("ok")
    except RuntimeError:
        log.append("bad")
    finally:
        log.append("end")
    return "-".join(log)


# run: :enum_choice
# expect: probabilities BLUE 7/10 RED 3/10
def enum_choice():
    c = Colour.RED if Bernoulli(0.3) else Colour.BLUE
    return c.name


# run: :enum_index
# expect: probabilities False 2/3 True 1/3
def enum_index():
    c = list(Colour)[DiscreteUniform(0, 2)]
    d = Colour(DiscreteUniform(1, 3))
    return c == d


# run: :enum_int
# expect: probabilities 1 3/4 4 1/4
def enum_int():
    l = Level.HIGH if Bernoulli(0.25) else Level.LOW
    return l + 1 if l >= Level.MID else l.value


# run: :enum_is
# expect: probabilities GREEN 4/5 stop 1/5
def enum_is():
    c = Categorical({Colour.RED: 0.2, Colour.GREEN: 0.8})
    if c is Colour.RED:
        return "stop"
    return c.name


# run: :grid2d
# expect: probabilities 2 5/9 3 4/9
def grid2d():
    g = np.zeros((3, 3), dtype=int)
    r = DiscreteUniform(0, 2); c = DiscreteUniform(0, 2)
    g[r, c] = 1
    g[1, 1] += 2
    return g[1].sum() + g[0, 2]


# run: :grid_list
# expect: probabilities 0 2/3 2 1/3
def grid_list():
    g = [[0] * 3 for _ in range(3)]
    r = DiscreteUniform(0, 2); c = DiscreteUniform(0, 2)
    g[r][c] += 1
    g[c][r] += 1
    return sum(g[i][i] for i in range(3))


# run: :grid_of_choices
# expect: probabilities 0 1/64 1 15/64 2 33/64 3 15/64
def grid_of_choices():
    g = np.array([[Bernoulli(0.5) for _ in range(3)] for _ in range(2)])
    return g.sum(axis=1).max()


# run: :grid_of_choices2
# expect: probabilities -4 5/81 -3 1/81 -2 4/27 -1 7/81 0 31/81 1 7/81 2 4/27 3 1/81 4 5/81
def grid_of_choices2():
    g = np.array([[DiscreteUniform(0, 2) for _ in range(2)] for _ in range(2)])
    d = g[0, 0] * g[1, 1] - g[0, 1] * g[1, 0]
    return d


# run: :grid_compare
# expect: probabilities 0 4/81 1 13/81 2 32/81 3 32/81
def grid_compare():
    g = np.array([[DiscreteUniform(0, 2) for _ in range(2)] for _ in range(2)])
    return int((g > 0).sum(axis=0)[0] + (g == 2).any())


# run: :grid_matmul
# expect: probabilities 1 3/8 2 3/8 3 1/8 4 1/8
def grid_matmul():
    a = np.array([[Bernoulli(0.5), Bernoulli(0.25)], [1, 0]])
    v = a @ np.array([1, 2])
    return v[0] + v[1]


# run: :ordchr
# expect: probabilities m 1/5 n 1/2 z 3/10
def ordchr():
    c = Categorical({"a": 0.5, "m": 0.3, "z": 0.2})
    return chr((ord(c) - ord("a") + 13) % 26 + ord("a"))


# run: :caesar
# expect: probabilities 0 1/5 1 1/5 23 1/5 24 1/5 25 1/5
def caesar():
    k = DiscreteUniform(0, 25)
    msg = "abba"
    enc = "".join(chr((ord(ch) - 97 + k) % 26 + 97) for ch in msg)
    condition(enc[0] in "xyzab")
    return k


# run: :int_base2
# expect: probabilities 0 1/8 1 1/8 2 1/8 3 1/8 4 1/8 5 1/8 6 1/8 7 1/8
def int_base2():
    bits = [Bernoulli(0.5) for _ in range(3)]
    s = "".join("1" if b else "0" for b in bits)
    return int(s, 2)


# run: :bin_str
# expect: probabilities 3 1/8 4 3/8 5 3/8 6 1/8
def bin_str():
    n = DiscreteUniform(0, 7)
    return bin(n).count("1") + len(format(n, "03b"))


# run: :hexpin
# expect: probabilities 0 1/16 1 1/16 2 1/16 3 1/16 4 1/16 5 1/16 6 1/16 7 1/16 8 1/16 9 1/16 a 1/16 b 1/16 c 1/16 d 1/16 e 1/16 f 1/16
def hexpin():
    n = DiscreteUniform(0, 31)
    return hex(n)[-1]


# run: :bit_length
# expect: probabilities 0 1/16 1 1/16 2 1/8 3 1/4 4 1/2
def bit_length():
    n = DiscreteUniform(0, 15)
    return n.bit_length()


# run: :pin_masks
# expect: probabilities -1 1/16 1 1/2 2 1/4 4 1/8 8 1/16
def pin_masks():
    pin = DiscreteUniform(0, 15)
    guess = 0b1010
    diff = pin ^ guess
    lowest = diff & -diff
    return lowest if diff else -1


# run: :prefix
# expect: probabilities 0 3/8 2 1/8 4 1/4 15 1/4
def prefix():
    pw = Categorical({"apple": 0.25, "apply": 0.25, "ape": 0.125, "bat": 0.375})
    guess = "apple"
    n = 0
    for a, b in zip(pw, guess):
        if a != b:
            break
        n += 1
    else:
        n += 10 if len(pw) == len(guess) else 0
    return n


# run: :startswith
# expect: probabilities 0 3/8 2 1/8 4 1/4 5 1/4
def startswith():
    pw = Categorical({"apple": 0.25, "apply": 0.25, "ape": 0.125, "bat": 0.375})
    for k in range(5, 0, -1):
        if pw.startswith("apply"[:k]):
            return k
    return 0


# run: :mastermind
# expect: probabilities 1 1/2 2 1/2
def mastermind():
    code = [DiscreteUniform(0, 2) for _ in range(3)]
    guess = [0, 1, 1]
    black = sum(c == g for c, g in zip(code, guess))
    both = sum(min(code.count(v), guess.count(v)) for v in range(3))
    condition((black, both - black) == (1, 1))
    return code[0]


# run: :hmm
# expect: probabilities c 3837/10523 h 6686/10523
def hmm():
    T = {"h": {"h": 0.7, "c": 0.3}, "c": {"h": 0.4, "c": 0.6}}
    E = {"h": [0.1, 0.4, 0.5], "c": [0.7, 0.2, 0.1]}
    s = Categorical({"h": 0.6, "c": 0.4})
    for o in [2, 0, 1]:
        s = Categorical(T[s])
        condition(Categorical(E[s]) == o)
    return s


# run: :dcnet
# expect: probabilities -1 1/5 0 1/5 1 1/5 2 1/5 3 1/5
def dcnet():
    n = 4
    payer = DiscreteUniform(-1, n - 1)
    coins = [Bernoulli(0.5) for _ in range(n)]
    said = [coins[i] ^ coins[(i + 1) % n] ^ (payer == i) for i in range(n)]
    parity = 0
    for s in said:
        parity ^= s
    condition(said[0] == True)
    return payer


# run: :crowds
# expect: probabilities False 3966/13949 True 9983/13949
def crowds():
    n = 5; bad = {3, 4}
    sender = DiscreteUniform(0, 2)
    current = sender
    seen = None
    for _ in range(4):
        if current in bad:
            break
        nxt = DiscreteUniform(0, n - 1)
        if nxt in bad:
            seen = current
            break
        current = nxt
        if Bernoulli(0.25):
            break
    condition(seen is not None)
    return seen == sender


# run: :lottery
# expect: probabilities ann/ann 1/5 ann/bob 1/5 ann/cy 1/10 bob/ann 1/5 bob/bob 1/15 bob/cy 1/15 cy/ann 1/10 cy/bob 1/15
def lottery():
    tickets = ["ann"] * 3 + ["bob"] * 2 + ["cy"]
    order = list(range(6))
    i = DiscreteUniform(0, 5)
    first = tickets.pop(i)
    j = DiscreteUniform(0, 4)
    second = tickets[j]
    return first + "/" + second


# run: :vickrey
# expect: probabilities 1 1/4 2 1/2 3 1/4
def vickrey():
    bids = sorted([(DiscreteUniform(1, 3), name) for name in ("a", "b", "c")], reverse=True)
    winner = bids[0][1]; price = bids[1][0]
    condition(winner == "b")
    return price


# run: :card_draw
# expect: probabilities False 4/5 True 1/5
def card_draw():
    deck = [(r, s) for r in "A23" for s in "xy"]
    hand = []
    for k in range(2):
        i = DiscreteUniform(0, len(deck) - 1)
        hand.append(deck.pop(i))
    return hand[0][0] == hand[1][0]


# run: :evoting
# expect: probabilities 1 9/50 2 33/50 3 4/25
def evoting():
    votes = [Categorical({"A": 0.5, "B": 0.3, "C": 0.2}) for _ in range(3)]
    tally = Counter(votes)
    winner, n = tally.most_common(1)[0]
    return n


# run: :location_hash
# expect: probabilities 0 1/4 1 1/4 2 1/4 3 1/4
def location_hash():
    x = DiscreteUniform(0, 15); y = DiscreteUniform(0, 15)
    h = ((x * 73856093) ^ (y * 19349663)) % 8
    condition(h == 3)
    return x % 4
