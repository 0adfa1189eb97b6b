"""Labels of several parts, as lists of tuples."""


def from_product(iterables, names=None):
    labels = [()]
    for values in iterables:
        labels = [label + (value,) for label in labels for value in values]
    return labels


def from_tuples(tuples, names=None):
    return [tuple(label) for label in tuples]


def from_arrays(arrays, names=None):
    return [tuple([part[place] for part in arrays]) for place in range(len(arrays[0]))]
