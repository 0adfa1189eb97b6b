"""What `itertools` has besides."""


def zip_longest(*sequences, fillvalue=None):
    lists = [list(sequence) for sequence in sequences]
    longest = max([len(items) for items in lists])
    found = [tuple([items[place] if place < len(items) else fillvalue for items in lists]) for place in range(longest)]
    # What is gone through once is empty after that.
    return reversed(found[::-1])


def starmap(function, iterable):
    return reversed([function(*values) for values in iterable][::-1])


def compress(data, selectors):
    return reversed([value for value, chosen in zip(data, selectors) if chosen][::-1])


def takewhile(predicate, iterable):
    found = []
    for value in iterable:
        if not predicate(value):
            break
        found.append(value)
    return reversed(found[::-1])


def dropwhile(predicate, iterable):
    found = []
    for value in iterable:
        if len(found) > 0 or not predicate(value):
            found.append(value)
    return reversed(found[::-1])
