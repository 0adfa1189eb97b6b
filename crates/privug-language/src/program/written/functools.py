"""What `functools` has besides."""


def partial(function, *first, **named):
    def later(*more, **further):
        return function(*first, *more, **{**named, **further})

    return later
