"""What `itertools` has besides."""


def zip_longest(*sequences, fillvalue=None):
    lists = [list(sequence) for sequence in sequences]
    longest = max([len(items) for items in lists])
    found = [tuple([items[place] if place < len(items) else fillvalue for items in lists]) for place in range(longest)]
    # What is gone through once is empty after that.
    return reversed(found[::-1])
