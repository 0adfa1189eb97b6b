# Finite discrete programs in the manner of the tests of PSI (github.com/eth-sri/psi, folder `test`), written anew.
# The probabilities are those that its tests state as expected.
from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, condition


# run: :appended
# expect: probabilities 0 47/70 1 23/210 2 23/210 3 23/210
def appended():
    items = [0]
    for number in range(1, 4):
        if Bernoulli(0.5):
            items = items + [0, number]
    return items[DiscreteUniform(0, len(items) - 1)]


# run: :cell_of_a_table
# expect: probabilities False 17/18 True 1/18
def cell_of_a_table():
    table = [[1, 2, 3], [2, 3, 4], [5, 6, 7]]
    row = DiscreteUniform(0, 2)
    column = DiscreteUniform(0, 2)
    table[row][column] += Bernoulli(0.5)
    return table[0][0] == 2


# run: :either_coin
# expect: probabilities False 1/4 True 3/4
def either_coin():
    first = Bernoulli(0.5)
    return first if first else Bernoulli(0.5)


# run: :boxes
# expect: probabilities 1 2/3 3 1/3
def boxes():
    box = DiscreteUniform(1, 3)
    if box == 1:
        red = True
    elif box == 2:
        red = False
    else:
        red = Bernoulli(0.5)
    condition(red)
    return box


# run: :binary_search
# expect: probabilities 0 1/8 1 1/8 2 1/8 3 1/8 4 1/8 5 1/8 6 1/8 7 1/8
def binary_search():
    wanted = DiscreteUniform(0, 7)
    found = 0
    for place in range(3):
        step = 2 ** (2 - place)
        if found + step <= wanted:
            found += step
    return found


# run: :compare_bits
# expect: probabilities False 1023/2048 True 1025/2048
def compare_bits():
    less = True
    undecided = True
    for _ in range(10):
        a = Bernoulli(0.5)
        b = Bernoulli(0.5)
        if undecided and a != b:
            less = a < b
            undecided = False
    return less


# run: :at_least_one_head
# expect: probabilities 1 2/3 2 1/3
def at_least_one_head():
    heads = 0
    first = Bernoulli(0.5)
    second = Bernoulli(0.5)
    if first:
        heads += 1
    if second:
        heads += 1
    condition(first or second)
    return heads


# run: :binomial_of_a_random_size
# expect: probabilities 0 606505339213/2724364025856 1 277837211401/1362182012928 2 5665388917/33634123776 3 14195973013/113515167744 4 38973568367/454060670976 5 159479585/2802843648 6 17491240115/454060670976 7 3244947565/113515167744 8 272652835/11211374592 9 31334541625/1362182012928 10 61978938025/2724364025856
def binomial_of_a_random_size():
    size = DiscreteUniform(0, 10)
    return Binomial(size, 1 / DiscreteUniform(1, 4))


# run: :shared_birthday
# expect: probabilities False 30/49 True 19/49
def shared_birthday():
    days = []
    for person in range(3):
        day = DiscreteUniform(0, 6)
        for other in days:
            if other == day:
                return True
        days.append(day)
    return False


# run: :shared_birthday_by_counting
# expect: probabilities False 30/49 True 19/49
def shared_birthday_by_counting():
    counts = [0, 0, 0, 0, 0, 0, 0]
    for person in range(3):
        day = DiscreteUniform(0, 6)
        if counts[day] > 0:
            return True
        counts[day] += 1
    return False


# run: :categorical
# expect: probabilities 0 1/5 1 3/10 2 1/2
def categorical():
    return Categorical([0.2, 0.3, 0.5])


# run: :categorical_by_a_row
# expect: probabilities 0 2/5 1 11/20 2 1/20
def categorical_by_a_row():
    row = Bernoulli(0.5)
    if row:
        return Categorical([0.3, 0.7])
    return Categorical([0.5, 0.4, 0.1])


# run: :pattern
# expect: probabilities False 1/9 True 8/9
def pattern():
    has_pattern = Bernoulli(0.5)
    if has_pattern:
        first, second, third = False, True, False
    else:
        first, second, third = Bernoulli(0.5), Bernoulli(0.5), Bernoulli(0.5)
    condition(not first)
    condition(second)
    condition(not third)
    return has_pattern


# run: :burglar_alarm
# expect: probabilities False 989190819/992160802 True 2969983/992160802
def burglar_alarm():
    earthquake = Bernoulli(0.0001)
    burglary = Bernoulli(0.001)
    alarm = earthquake or burglary
    phone_works = Bernoulli(0.7 if earthquake else 0.99)
    if alarm:
        wakes = Bernoulli(0.8 if earthquake else 0.6)
    else:
        wakes = Bernoulli(0.2)
    condition(wakes and phone_works)
    return burglary


# run: :grass
# expect: probabilities False 210/719 True 509/719
def grass():
    cloudy = Bernoulli(0.5)
    rain = Bernoulli(0.8 if cloudy else 0.2)
    sprinkler = Bernoulli(0.1 if cloudy else 0.5)
    by_rain = Bernoulli(0.9)
    by_sprinkler = Bernoulli(0.9)
    condition((by_rain and rain) or (by_sprinkler and sprinkler))
    return rain


# run: :else_if
# expect: probabilities 1 1/2 2 1/4 3 1/4
def else_if():
    if Bernoulli(0.5):
        return 1
    elif Bernoulli(0.5):
        return 2
    else:
        return 3


# run: :evidence_in_a_branch
# expect: probabilities False 2/3 True 1/3
def evidence_in_a_branch():
    evidence = Bernoulli(0.5)
    if evidence:
        coin = Bernoulli(0.5)
        condition(coin)
    return evidence


# run: :evidence_in_one_of_two_branches
# expect: probabilities False 1/3 True 2/3
def evidence_in_one_of_two_branches():
    evidence = Bernoulli(0.5)
    if evidence:
        seen = Bernoulli(0.5)
        condition(seen)
        coin = seen
    else:
        coin = Bernoulli(0.5)
    return coin


def who_and_how():
    alice = Bernoulli(0.3)
    gun = Bernoulli(0.03) if alice else Bernoulli(0.8)
    return alice, gun


# run: :murder_mystery
# expect: probabilities False 560/569 True 9/569
def murder_mystery():
    alice, gun = who_and_how()
    condition(gun, True)
    return alice


# run: :computer_stops
# expect: probabilities False 100/101 True 1/101
def computer_stops():
    harmless = Bernoulli(0.9)
    stops = Bernoulli(0.001) if harmless else Bernoulli(0.9)
    condition(stops)
    return harmless


# run: :gossip
# expect: probabilities False 1/4 True 3/4
def gossip():
    infected = [True, Bernoulli(0.5)]
    chosen = DiscreteUniform(0, 1)
    infected[chosen] = True
    return infected[1]


# run: :not_zero
# expect: probabilities 1 1/3 2 2/3
def not_zero():
    x = DiscreteUniform(-1, 1)
    r = 1
    if x != 0:
        r = 2
    return r


# run: :remainder
# expect: probabilities 0 2/5 1 3/5
def remainder():
    return DiscreteUniform(1, 5) % 2


# run: :monty_hall
# expect: probabilities False 1/3 True 2/3
def monty_hall():
    prize = DiscreteUniform(0, 2)
    choice = DiscreteUniform(0, 2)
    if choice == prize:
        opened = (prize + DiscreteUniform(1, 2)) % 3
    else:
        opened = 3 - choice - prize
    return prize == 3 - choice - opened


# run: :product
# expect: probabilities 0 5/9 1 1/9 2 2/9 4 1/9
def product():
    return DiscreteUniform(0, 2) * DiscreteUniform(0, 2)


# run: :product_of_dependent_numbers
# expect: probabilities 0 11/18 1 1/6 2 1/9 4 1/9
def product_of_dependent_numbers():
    x = DiscreteUniform(0, 2)
    y = DiscreteUniform(0, x)
    return x * y


def find(haystack, needle):
    for place, item in enumerate(haystack):
        if item == needle:
            return place
    return -1


# run: :first_place
# expect: probabilities -1 8/27 0 1/3 1 2/9 2 4/27
def first_place():
    items = [DiscreteUniform(-1, 1) for _ in range(3)]
    return find(items, 0)


# run: :counter_that_may_stay
# expect: probabilities 0 4153/5120 1 721/5120 2 19/512 3 23/2560 4 9/5120 5 1/5120
def counter_that_may_stay():
    x = DiscreteUniform(1, 10)
    i = 1
    hits = 0
    for _ in range(5):
        if Bernoulli(0.5) and x == i:
            hits += 1
        i += Bernoulli(0.5)
    return hits


# run: :two_girls
# expect: probabilities False 2/3 True 1/3
def two_girls():
    first = Bernoulli(0.5)
    second = Bernoulli(0.5)
    condition(first or second)
    return first and second


# run: :two_girls_announced
# expect: probabilities False 6/11 True 5/11
def two_girls_announced():
    first = Bernoulli(0.5)
    second = Bernoulli(0.5)
    if Bernoulli(0.8):
        announced = first if Bernoulli(0.5) else second
    else:
        announced = first or second
    condition(announced)
    return first and second


# run: :two_girls_one_born_on_a_tuesday
# expect: probabilities False 14/27 True 13/27
def two_girls_one_born_on_a_tuesday():
    girls = [Bernoulli(0.5), Bernoulli(0.5)]
    tuesdays = [Bernoulli(1 / 7), Bernoulli(1 / 7)]
    condition((girls[0] and tuesdays[0]) or (girls[1] and tuesdays[1]))
    return girls[0] and girls[1]


# run: :condition_after_an_early_return
# expect: probabilities 1 2/3 20 1/6 21 1/6
def condition_after_an_early_return():
    x = [1, 2][Bernoulli(0.5)]
    if x == 1:
        return x
    condition(Bernoulli(0.5))
    return [20, 21][Bernoulli(0.5)]


# run: :piranha
# expect: probabilities False 1/3 True 2/3
def piranha():
    first = Bernoulli(0.5)
    drawn = first if Bernoulli(0.5) else True
    condition(drawn)
    return first


# run: :halves
# expect: probabilities 0 1/5 1 2/5 2 2/5
def halves():
    return DiscreteUniform(1, 5) // 2
