"""Cards, hidden chains, mixtures, networks and games."""

from __future__ import annotations

from typing import Dict

PROGRAMS: Dict[str, str] = {}

PROGRAMS["model_cards_poker_draw"] = """
RANKS = "AKQ"
SUITS = "hs"
def f():
    deck = [r + s for r in RANKS for s in SUITS]
    hand = []
    for _ in range(2):
        hand.append(deck.pop(DiscreteUniform(0, len(deck) - 1)))
    pair = hand[0][0] == hand[1][0]
    flush = len({c[1] for c in hand}) == 1
    condition(pair or flush)
    return "pair" if pair else "flush", min(hand)
"""

PROGRAMS["model_cards_blackjack_ace"] = """
VALUES = {"A": 11, "K": 10, "9": 9, "5": 5}
def score(hand):
    total = sum(VALUES[c] for c in hand)
    aces = hand.count("A")
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total
def f():
    draw = lambda: list(VALUES)[DiscreteUniform(0, 3)]
    hand = [draw(), draw()]
    while score(hand) < 16 and len(hand) < 4:
        hand.append(draw())
    condition(score(hand) <= 21)
    return score(hand)
"""

PROGRAMS["model_cards_war_round"] = """
def f():
    deck = list(range(1, 6))
    def deal():
        return deck.pop(DiscreteUniform(0, len(deck) - 1))
    mine, yours = [deal(), deal()], [deal(), deal()]
    wins = sum(a > b for a, b in zip(sorted(mine), sorted(yours)))
    condition(wins, 2)
    return mine[0]
"""

PROGRAMS["model_cards_uno_colours"] = """
from enum import IntEnum, auto
class Colour(IntEnum):
    RED = auto()
    GREEN = auto()
    BLUE = auto()
def f():
    top = Colour(DiscreteUniform(1, 3))
    hand = [Colour(DiscreteUniform(1, 3)) for _ in range(3)]
    playable = [c for c in hand if c == top]
    condition(not playable)
    return max(hand).name, int(top)
"""

PROGRAMS["model_hmm_weather_dict"] = """
TRANS = {"sun": {"sun": 0.8, "rain": 0.2}, "rain": {"sun": 0.4, "rain": 0.6}}
EMIT = {"sun": {"walk": 0.6, "shop": 0.3, "clean": 0.1}, "rain": {"walk": 0.1, "shop": 0.4, "clean": 0.5}}
def f():
    states = ["sun" if Bernoulli(0.5) else "rain"]
    for observed in ["walk", "clean", "shop"]:
        states.append(Categorical(TRANS[states[-1]]))
        condition(Categorical(EMIT[states[-1]]) == observed)
    return "-".join(s[0] for s in states)
"""

PROGRAMS["model_hmm_typing_errors"] = """
NEIGHBOURS = {"a": "sq", "s": "ad", "d": "sf"}
def typed(c):
    if Bernoulli(0.8):
        return c
    near = NEIGHBOURS[c]
    return near[DiscreteUniform(0, len(near) - 1)]
def f():
    word = Categorical({"sad": 0.5, "dad": 0.3, "add": 0.2})
    screen = "".join(typed(c) for c in word)
    condition(screen[1:] == "ad")
    return word, screen
"""

PROGRAMS["model_mixture_gauss_label"] = """
def f():
    kind = Categorical({"low": 0.6, "high": 0.4})
    mean = {"low": 10, "high": 20}[kind]
    x = Normal(mean, 9)
    condition(x, 14)
    return kind
"""

PROGRAMS["model_mixture_outlier"] = """
def f():
    broken = Bernoulli(0.1)
    truth = Normal(50, 25)
    if broken:
        reading = Normal(0, 400)
    else:
        reading = Normal(truth, 1)
    condition(reading, 44)
    return truth
"""

PROGRAMS["model_mixture_department_mean"] = """
def f():
    has_boss = Bernoulli(0.3)
    salaries = [Normal(40, 16) for _ in range(3)]
    if has_boss:
        salaries[0] = Normal(90, 100)
    mean = sum(salaries) / len(salaries)
    condition(mean, 52)
    return salaries[0]
"""

PROGRAMS["model_truncated_income_band"] = """
def f():
    income = Normal(60, 400)
    if income > 80:
        band = "high"
    elif income > 40:
        band = "mid"
    else:
        band = "low"
    condition(band != "low")
    return band
"""

PROGRAMS["model_truncated_income_itself"] = """
def f():
    income = Normal(60, 400)
    told = (income > 50) == Bernoulli(0.9)
    condition(told)
    return income
"""

PROGRAMS["model_truncated_two_people"] = """
def f():
    a, b = Normal(10, 4), Normal(12, 9)
    rich = int(a > 11) + int(b > 11)
    condition(rich, 1)
    return b
"""

PROGRAMS["model_truncated_grades"] = """
from dataclasses import dataclass
@dataclass(frozen=True)
class Grade:
    letter: str
    points: int
def grade(score):
    for cut, g in [(85, Grade("A", 4)), (70, Grade("B", 3)), (50, Grade("C", 2))]:
        if score >= cut:
            return g
    return Grade("F", 0)
def f():
    score = Normal(68, 225)
    g = grade(score)
    condition(g.points >= 2)
    return g.letter
"""

PROGRAMS["model_thresholds_count"] = """
def f():
    incomes = [Normal(50 + 5 * i, 100) for i in range(4)]
    above = [x > 60 for x in incomes]
    condition(sum(above), 2)
    return above[0], above[3]
"""

PROGRAMS["model_bn_sprinkler_dict"] = """
def f():
    cpt = {(False, False): 0.0, (False, True): 0.9, (True, False): 0.8, (True, True): 0.99}
    cloudy = Bernoulli(0.5)
    rain = Bernoulli(0.8 if cloudy else 0.2)
    sprinkler = Bernoulli(0.1 if cloudy else 0.5)
    wet = Bernoulli(cpt[sprinkler, rain])
    condition(wet)
    return rain, sprinkler
"""

PROGRAMS["model_bn_class_noisy_or"] = """
class NoisyOr:
    def __init__(self, leak, **weights):
        self.leak = leak
        self.weights = weights
    def sample(self, **causes):
        q = 1 - self.leak
        for name, w in self.weights.items():
            if causes[name]:
                q = q * (1 - w)
        return Bernoulli(1 - q)
def f():
    flu, cold = Bernoulli(0.1), Bernoulli(0.3)
    fever = NoisyOr(0.01, flu=0.9, cold=0.2).sample(flu=flu, cold=cold)
    condition(fever)
    return flu, cold
"""

PROGRAMS["model_bn_student_letter"] = """
def f():
    difficulty, intelligence = Bernoulli(0.4), Bernoulli(0.3)
    table = {
        (0, 0): [0.3, 0.4, 0.3],
        (0, 1): [0.9, 0.08, 0.02],
        (1, 0): [0.05, 0.25, 0.7],
        (1, 1): [0.5, 0.3, 0.2],
    }
    grade = Categorical(table[int(difficulty), int(intelligence)])
    letter = Bernoulli([0.9, 0.6, 0.01][grade])
    sat = Bernoulli((0.05, 0.8)[intelligence])
    condition(not letter and sat)
    return intelligence, grade
"""

PROGRAMS["model_game_of_pig"] = """
def f():
    total = 0
    for _ in range(3):
        d = DiscreteUniform(1, 6)
        if d == 1:
            total = 0
            break
        total += d
        if total >= 10:
            break
    return total
"""

PROGRAMS["model_game_snakes"] = """
SNAKES = {4: 1, 6: 3}
LADDERS = {2: 5}
def f():
    square, turns = 0, 0
    while square < 7 and turns < 4:
        square += DiscreteUniform(1, 3)
        square = SNAKES.get(square, LADDERS.get(square, square))
        turns += 1
    condition(square >= 7)
    return turns
"""

PROGRAMS["model_game_rps_tournament"] = """
BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
def play(a, b):
    return (a, b) in BEATS
def f():
    habits = [{"rock": 0.6, "paper": 0.2, "scissors": 0.2}, {"rock": 0.2, "paper": 0.5, "scissors": 0.3}]
    score = [0, 0]
    for _ in range(2):
        a, b = (Categorical(h) for h in habits)
        if play(a, b):
            score[0] += 1
        elif play(b, a):
            score[1] += 1
    condition(score[0] > score[1])
    return tuple(score)
"""

PROGRAMS["model_game_wordle"] = """
def feedback(secret, guess):
    out = ["-"] * len(guess)
    rest = []
    for i, (s, g) in enumerate(zip(secret, guess)):
        if s == g:
            out[i] = "G"
        else:
            rest.append(s)
    for i, g in enumerate(guess):
        if out[i] == "-" and g in rest:
            out[i] = "y"
            rest.remove(g)
    return "".join(out)
WORDS = ["abba", "baba", "abca", "cabb", "acab", "bbaa"]
def f():
    secret = WORDS[DiscreteUniform(0, len(WORDS) - 1)]
    condition(feedback(secret, "abab")[0] == "G")
    return feedback(secret, "abca")
"""

PROGRAMS["model_game_battleship"] = """
def f():
    row, col = DiscreteUniform(0, 2), DiscreteUniform(0, 1)
    horizontal = Bernoulli(0.5)
    cells = {(row, col), (row, col + 1)} if horizontal else {(row, col), ((row + 1) % 3, col)}
    shots = [(0, 0), (1, 1), (2, 0)]
    hits = [s for s in shots if s in cells]
    condition(len(hits) == 1)
    return horizontal, hits[0]
"""

PROGRAMS["model_game_mines"] = """
def f():
    mines = [[Bernoulli(0.3) for _ in range(3)] for _ in range(3)]
    def around(r, c):
        return sum(
            mines[i][j]
            for i in range(max(0, r - 1), min(3, r + 2))
            for j in range(max(0, c - 1), min(3, c + 2))
            if (i, j) != (r, c)
        )
    condition(not mines[0][0] and around(0, 0) == 1)
    condition(around(1, 1) == 3)
    return mines[0][1], mines[1][1]
"""
