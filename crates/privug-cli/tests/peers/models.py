# Small probabilistic models, in the manner of the examples of SPPL (github.com/probcomp/sppl), Hakaru
# (github.com/hakaru-dev/hakaru), PSI and Dice: puzzles, Bayesian networks, chains, graphs, cards and urns, written anew. The
# probabilities are counted: CPython ran each program once for each combination of its choices, in fractions.
from collections import deque
from itertools import accumulate, product

from privug import Bernoulli, Categorical, DiscreteUniform, condition


# run: :monty_hall
# expect: probabilities False 1/3 True 2/3
def monty_hall():
    prize = DiscreteUniform(0, 2)
    closed = {0, 1, 2} - {0, prize}
    doors = sorted(closed)
    opened = doors[DiscreteUniform(0, len(doors) - 1)]
    other = min({0, 1, 2} - {0, opened})
    return prize == other


# run: :two_coins
# expect: probabilities False 2/3 True 1/3
def two_coins():
    first, second = Bernoulli(0.5), Bernoulli(0.5)
    condition(not (first and second))
    return first


# run: :murder_mystery
# expect: probabilities False 560/569 True 9/569
def murder_mystery():
    by_alice = Bernoulli(0.3)
    with_gun = Bernoulli(0.03) if by_alice else Bernoulli(0.8)
    condition(with_gun)
    return by_alice


# run: :burglar_alarm
# expect: probabilities False 5520537/6369707 True 849170/6369707
def burglar_alarm():
    chances = {(False, False): 0.001, (False, True): 0.29, (True, False): 0.94, (True, True): 0.95}
    burglary, earthquake = Bernoulli(0.01), Bernoulli(0.02)
    alarm = Bernoulli(chances[burglary, earthquake])
    condition(Bernoulli(0.9 if alarm else 0.05))
    return burglary


# run: :noisy_or
# expect: probabilities False 1940/5237 True 3297/5237
def noisy_or():
    causes = [Bernoulli(0.2), Bernoulli(0.1), Bernoulli(0.3)]
    strengths = [0.8, 0.5, 0.25]
    effect = any(cause and Bernoulli(strength) for cause, strength in zip(causes, strengths))
    condition(effect)
    return causes[0]


# run: :sprinkler
# expect: probabilities False 1600/2491 True 891/2491
def sprinkler():
    rain = Bernoulli(0.2)
    sprinkler = Bernoulli(0.01 if rain else 0.4)
    match rain + 2 * sprinkler:
        case 3:
            wet = Bernoulli(0.99)
        case 2:
            wet = Bernoulli(0.9)
        case 1:
            wet = Bernoulli(0.8)
        case _:
            wet = False
    condition(wet)
    return rain


# run: :medical_test
# expect: probabilities False 209/281 True 72/281
def medical_test():
    ill = Bernoulli(0.01)
    positives = sum(Bernoulli(0.9 if ill else 0.05) for _ in range(3))
    condition(positives, 2)
    return ill


# run: :inherited_allele
# expect: probabilities 1 1
def inherited_allele():
    mother = [Bernoulli(0.25), Bernoulli(0.25)]
    father = [Bernoulli(0.25), Bernoulli(0.25)]
    children = [(mother[DiscreteUniform(0, 1)], father[DiscreteUniform(0, 1)]) for _ in range(2)]
    condition(all(children[0]))
    condition(not any(children[1]))
    return sum(mother)


# run: :random_walk
# expect: probabilities 2 81/133 4 36/133 6 16/133
def random_walk():
    place, steps = 0, 0
    while abs(place) < 2 and steps < 6:
        place += 1 if Bernoulli(2 / 3) else -1
        steps += 1
    condition(place == 2)
    return steps


# run: :gamblers_purse
# expect: probabilities 2 1/2 4 2/5 6 1/10
def gamblers_purse():
    purse = 2
    path = list(accumulate([2 * Bernoulli(0.5) - 1 for _ in range(4)], initial=purse))
    condition(min(path) > 0)
    return path[-1]


# run: :coupon_collector
# expect: probabilities 3 9/50 4 9/50 5 147/1000 6 493/1000
def coupon_collector():
    got = set()
    draws = 0
    while len(got) < 3 and draws < 6:
        got.add(Categorical([0.5, 0.3, 0.2]))
        draws += 1
    return draws


# run: :weather_chain
# expect: probabilities rain 47/203 sun 156/203
def weather_chain():
    step = {"sun": {"sun": 0.8, "rain": 0.2}, "rain": {"sun": 0.4, "rain": 0.6}}
    day = "sun"
    days = []
    for _ in range(4):
        day = Categorical(step[day])
        days.append(day)
    condition(days[-1], "rain")
    return days[0]


# run: :hidden_chain
# expect: probabilities False 300502/1116253 True 815751/1116253
def hidden_chain():
    state = Bernoulli(0.5)
    for seen in [True, True, False, True]:
        state = Bernoulli(0.7 if state else 0.3)
        condition(Bernoulli(0.9 if state else 0.2), seen)
    return state


# run: :epidemic_on_a_graph
# expect: probabilities 3 2/7 4 1/2 5 3/14
def epidemic_on_a_graph():
    friends = {0: [1, 2], 1: [3], 2: [3], 3: [4], 4: []}
    ill, queue = {0}, deque([0])
    while queue:
        person = queue.popleft()
        for friend in friends[person]:
            if friend not in ill and Bernoulli(0.5):
                ill.add(friend)
                queue.append(friend)
    condition(3 in ill)
    return len(ill)


# run: :gossip
# expect: probabilities 1 1/27 2 74/243 3 160/243
def gossip():
    told = {0}
    for _ in range(3):
        for person in sorted(told):
            told.add(DiscreteUniform(0, 2))
    return len(told)


# run: :packet_loss
# expect: probabilities False 5/14 True 9/14
def packet_loss():
    links = [Bernoulli(0.9), Bernoulli(0.8), Bernoulli(0.5), Bernoulli(0.7)]
    arrived = (links[0] and links[1]) or (links[2] and links[3])
    condition(not arrived)
    return links[0]


# run: :hand_of_cards
# expect: probabilities 1 8/9 2 1/9
def hand_of_cards():
    deck = ["ace"] * 2 + ["king"] * 2 + ["low"] * 2
    hand = [deck.pop(DiscreteUniform(0, len(deck) - 1)) for _ in range(2)]
    condition("ace" in hand)
    return hand.count("ace")


# run: :urn
# expect: probabilities 2 3/10 3 2/5 4 3/10
def urn():
    urn = ["red", "red", "blue"]
    for _ in range(3):
        ball = urn[DiscreteUniform(0, len(urn) - 1)]
        urn.append(ball)
    condition(urn[-1], "blue")
    return urn.count("blue")


# run: :tug_of_war
# expect: probabilities 1 1/14 2 2/7 3 9/14
def tug_of_war():
    strength = [DiscreteUniform(1, 3) for _ in range(3)]
    def wins(a, b):
        return strength[a] >= strength[b]
    condition(wins(0, 1))
    condition(wins(0, 2))
    return strength[0]


# run: :grade_distribution
# expect: probabilities False 217/292 True 75/292
def grade_distribution():
    able = Bernoulli(0.3)
    hard = Bernoulli(0.4)
    grade = Categorical({"A": 0.3, "B": 0.4, "C": 0.3}) if not able and not hard else Categorical({"A": 0.5, "B": 0.3, "C": 0.2})
    condition(grade != "A")
    return able


# run: :lights_of_a_grid
# expect: probabilities False 1/5 True 4/5
def lights_of_a_grid():
    cells = {(r, c): Bernoulli(0.5) for r, c in product(range(2), range(3))}
    rows = [sum(cells[r, c] for c in range(3)) for r in range(2)]
    columns = [sum(cells[r, c] for r in range(2)) for c in range(3)]
    condition(rows, [2, 1])
    condition(columns[0], 1)
    return cells[0, 0]


# run: :longest_run
# expect: probabilities 0 1/32 1 3/8 2 11/32 3 5/32 4 1/16 5 1/32
def longest_run():
    tosses = [Bernoulli(0.5) for _ in range(5)]
    longest = run = 0
    for toss in tosses:
        run = run + 1 if toss else 0
        longest = max(longest, run)
    return longest


# run: :stack_of_plates
# expect: probabilities 0 1/8 2 3/16 4 11/16
def stack_of_plates():
    stack = []
    for plate in range(5):
        if stack and Bernoulli(0.5):
            stack.pop()
        else:
            stack.append(plate)
    condition(len(stack) > 0)
    return stack[-1]


# run: :nearest_free_slot
# expect: probabilities 0 1/2 1 1/4 2 1/4
def nearest_free_slot():
    free = [0, 1, 2, 3]
    for _ in range(2):
        wanted = DiscreteUniform(0, 3)
        taken = min(free, key=lambda slot: abs(slot - wanted))
        free.remove(taken)
    return free[0]


# run: :liar
# expect: probabilities 0 1/25 1 4/25 2 16/25 3 4/25
def liar():
    truth = DiscreteUniform(0, 3)
    answers = []
    for question in range(3):
        honest = truth >= question + 1
        answers.append(honest if Bernoulli(0.8) else not honest)
    condition(answers, [True, True, False])
    return truth
