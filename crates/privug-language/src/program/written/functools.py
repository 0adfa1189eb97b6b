"""Functions that take functions."""


def reduce(function, values, *initial):
    items = list(values)
    if len(initial) > 0:
        total = initial[0]
    else:
        assert len(items) > 0, "reduce() of nothing, without a first value"
        total = items[0]
        items = items[1:]
    for item in items:
        total = function(total, item)
    return total


def partial(function, *first, **named):
    def later(*more, **further):
        return function(*first, *more, **{**named, **further})

    return later
