# Finite discrete programs in the manner of the benchmarks of Genfer (github.com/fzaiser/genfer, `benchmarks/`), written
# anew. The probabilities are those that its `.expected` files state.
from privug import Bernoulli, condition


# run: :alarm
# expect: probabilities False 989190819/992160802 True 2969983/992160802
def alarm():
    earthquake = Bernoulli(0.0001)
    burglary = Bernoulli(0.001)
    alarm = earthquake or burglary
    phone_works = Bernoulli(0.7 if earthquake else 0.99)
    if alarm:
        mary_wakes = Bernoulli(0.8) if earthquake else Bernoulli(0.6)
    else:
        mary_wakes = Bernoulli(0.2)
    condition(mary_wakes and phone_works)
    return burglary


# run: :evidence_in_a_branch
# expect: probabilities False 2/3 True 1/3
def evidence_in_a_branch():
    evidence = Bernoulli(0.5)
    coin = Bernoulli(0.5)
    if evidence:
        condition(coin)
    return evidence


# run: :evidence_about_a_variable_of_a_branch
# expect: probabilities False 1/3 True 2/3
def evidence_about_a_variable_of_a_branch():
    if Bernoulli(0.5):
        coin = Bernoulli(0.5)
        condition(coin)
    else:
        coin = Bernoulli(0.5)
    return coin


# run: :grass
# expect: probabilities False 210/719 True 509/719
def grass():
    cloudy = Bernoulli(0.5)
    if cloudy:
        rain = Bernoulli(0.8)
        sprinkler = Bernoulli(0.1)
    else:
        rain = Bernoulli(0.2)
        sprinkler = Bernoulli(0.5)
    wet_grass = (Bernoulli(0.9) and rain) or (Bernoulli(0.9) and sprinkler)
    condition(wet_grass)
    return rain


# run: :murder_mystery
# expect: probabilities False 560/569 True 9/569
def murder_mystery():
    alice = Bernoulli(0.3)
    with_gun = Bernoulli(0.03) if alice else Bernoulli(0.8)
    condition(with_gun)
    return alice


# run: :two_coins
# expect: probabilities False 2/3 True 1/3
def two_coins():
    first = Bernoulli(1 / 2)
    second = Bernoulli(1 / 2)
    condition(not (first and second))
    return first


# run: :noisy_or
# expect: probabilities False 29693/160000 True 130307/160000
def noisy_or():
    start = Bernoulli(1 / 2)
    other = Bernoulli(1 / 2)
    one = Bernoulli(4 / 5 if start else 1 / 10)
    left = Bernoulli(4 / 5 if start else 1 / 10)
    right = Bernoulli(4 / 5 if other else 1 / 10)
    third = Bernoulli(4 / 5 if other else 1 / 10)
    two = left or right
    first = Bernoulli(4 / 5 if one else 1 / 10)
    second = Bernoulli(4 / 5 if two else 1 / 10)
    return first or second or third
