"""Going through sequences, all at once."""


def _once(items):
    # What is gone through once is empty after that.
    return reversed(items[::-1])


def accumulate(values, function=None):
    found = []
    for value in values:
        if len(found) == 0:
            found.append(value)
        elif function is None:
            found.append(found[-1] + value)
        else:
            found.append(function(found[-1], value))
    return _once(found)


def chain(*sequences):
    return _once([value for sequence in sequences for value in sequence])


def groupby(values, key=None):
    found = []
    for value in values:
        own = value if key is None else key(value)
        if len(found) > 0 and found[-1][0] == own:
            found[-1][1].append(value)
        else:
            found.append((own, [value]))
    return _once([(own, _once(members)) for own, members in found])


def product(*sequences):
    found = [()]
    for sequence in sequences:
        items = list(sequence)
        found = [before + (item,) for before in found for item in items]
    return _once(found)


def combinations(values, count):
    items = list(values)
    found = [((), 0)]
    for _ in range(count):
        found = [(chosen + (items[place],), place + 1) for chosen, start in found for place in range(start, len(items))]
    return _once([chosen for chosen, _ in found])


def pairwise(values):
    items = list(values)
    return _once([(items[place], items[place + 1]) for place in range(len(items) - 1)])


def repeat(value, times):
    return _once([value for _ in range(times)])


def islice(values, count):
    return _once(list(values)[:count])


def zip_longest(*sequences, fillvalue=None):
    lists = [list(sequence) for sequence in sequences]
    longest = max([len(items) for items in lists])
    return _once([tuple([items[place] if place < len(items) else fillvalue for items in lists]) for place in range(longest)])
