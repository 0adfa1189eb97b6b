"""What `collections` has besides: a queue that keeps only so many elements."""


class _Bounded:
    def __init__(self, iterable, maxlen):
        assert maxlen >= 0, "maxlen must be non-negative"
        self.maxlen = maxlen
        self.kept = []
        self.extend(iterable)

    def append(self, x):
        self.kept.append(x)
        if len(self.kept) > self.maxlen:
            self.kept.pop(0)

    def appendleft(self, x):
        self.kept.insert(0, x)
        if len(self.kept) > self.maxlen:
            self.kept.pop()

    def extend(self, iterable):
        for x in list(iterable):
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable):
            self.appendleft(x)

    def pop(self):
        return self.kept.pop()

    def popleft(self):
        return self.kept.pop(0)

    def clear(self):
        self.kept.clear()

    def count(self, x):
        return self.kept.count(x)

    def __len__(self):
        return len(self.kept)

    def __getitem__(self, index):
        assert isinstance(index, int), "the elements of a queue are found by their places"
        return self.kept[index]

    def __setitem__(self, index, value):
        assert isinstance(index, int), "the elements of a queue are found by their places"
        self.kept[index] = value

    def __contains__(self, x):
        return x in self.kept

    def __iter__(self):
        return iter(self.kept)


def _queue(iterable=None, maxlen=None):
    values = [] if iterable is None else list(iterable)
    return values if maxlen is None else _Bounded(values, maxlen)
