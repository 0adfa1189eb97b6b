"""`bisect`: where something belongs in a list that is in order."""


def bisect_left(a, x, lo=0, hi=None):
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if a[middle] < x:
            lo = middle + 1
        else:
            high = middle
    return lo


def bisect_right(a, x, lo=0, hi=None):
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if x < a[middle]:
            high = middle
        else:
            lo = middle + 1
    return lo


def bisect(a, x, lo=0, hi=None):
    return bisect_right(a, x, lo, hi)


def insort_left(a, x, lo=0, hi=None):
    a.insert(bisect_left(a, x, lo, hi), x)


def insort_right(a, x, lo=0, hi=None):
    a.insert(bisect_right(a, x, lo, hi), x)


def insort(a, x, lo=0, hi=None):
    insort_right(a, x, lo, hi)
