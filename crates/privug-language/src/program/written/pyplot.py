"""What is drawn is published."""


class _Figure:
    def __init__(self):
        self.drawn = True

    def savefig(self, fname, **options):
        return None

    def tight_layout(self, **options):
        return None

    def suptitle(self, text, **options):
        print(text)


class _Axes:
    def __init__(self):
        self.drawn = True

    def bar(self, x, height, **options):
        _draw(x, height, options)

    def barh(self, y, width, **options):
        _draw(y, width, options)

    def plot(self, x, *more, **options):
        _draw(x, more, options)

    def scatter(self, x, y, **options):
        _draw(x, y, options)

    def set_title(self, label, **options):
        print(label)

    def set_xlabel(self, label, **options):
        print(label)

    def set_ylabel(self, label, **options):
        print(label)

    def legend(self, *labels, **options):
        print(labels)

    def grid(self, *visible, **options):
        return None

    def set_xticklabels(self, labels, **options):
        print(labels)

    def set_ylim(self, *limits, **options):
        print(limits)

    def set_xlim(self, *limits, **options):
        print(limits)

    def axhline(self, y=0, **options):
        print(y)

    def annotate(self, text, xy, **options):
        print(text)

    def text(self, x, y, s, **options):
        print(s)

    def get_figure(self):
        return _Figure()

    @property
    def figure(self):
        return _Figure()

    def tick_params(self, **options):
        return None


def _axes():
    return _Axes()


def _draw(first, second, options):
    print(first)
    print(second)
    print(options)


def subplots(*shape, **options):
    assert len(shape) == 0, "one picture at a time is followed"
    return _Figure(), _Axes()


def figure(*number, **options):
    return _Figure()


def bar(x, height, **options):
    _draw(x, height, options)


def barh(y, width, **options):
    _draw(y, width, options)


def plot(x, *more, **options):
    _draw(x, more, options)


def scatter(x, y, **options):
    _draw(x, y, options)


def title(label, **options):
    print(label)


def xlabel(label, **options):
    print(label)


def ylabel(label, **options):
    print(label)


def legend(*labels, **options):
    print(labels)


def xticks(*places, **options):
    print(places)


def grid(*visible, **options):
    return None


def tight_layout(**options):
    return None


def savefig(fname, **options):
    return None


def show():
    return None


def close(*figures):
    return None
