"""What is drawn is published."""


class _Figure:
    def __init__(self):
        self.drawn = True
        self.axes = []

    def savefig(self, fname, **options):
        return None

    def tight_layout(self, **options):
        return None

    def suptitle(self, text, **options):
        print(text)

    def add_subplot(self, *place, **options):
        print(options)
        return _Axes()

    def autofmt_xdate(self, **options):
        return None

    def supxlabel(self, text, **options):
        print(text)

    def supylabel(self, text, **options):
        print(text)

    def text(self, x, y, s, **options):
        print(s)


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

    def axis(self, *limits, **options):
        print(limits)

    def set(self, **options):
        print(options)

    def set_xticks(self, ticks, **options):
        print(ticks)
        print(options)

    def set_yticks(self, ticks, **options):
        print(ticks)
        print(options)

    def set_yticklabels(self, labels, **options):
        print(labels)

    def fill_between(self, x, y1, y2=0, **options):
        _draw(x, y1, options)
        print(y2)

    def step(self, x, y, **options):
        _draw(x, y, options)

    def axvline(self, x=0, **options):
        print(x)

    def bar_label(self, container, labels=None, **options):
        print(labels)
        print(options)

    def twinx(self):
        return _Axes()

    def invert_yaxis(self):
        return None

    def margins(self, *sizes, **options):
        return None


def _axes():
    return _Axes()


def _draw(first, second, options):
    print(first)
    print(second)
    print(options)


class _Grid:
    def __init__(self, rows):
        self._rows = rows
        self.flat = [axes for row in rows for axes in row]
        self.shape = (len(rows), len(rows[0]))

    def __getitem__(self, place):
        if isinstance(place, tuple):
            row, column = place
            return self._rows[row][column]
        return self._rows[place]

    def ravel(self):
        return self.flat

    def flatten(self):
        return self.flat


def subplots(nrows=1, ncols=1, sharex=False, sharey=False, squeeze=True, **options):
    rows = [[_Axes() for column in range(ncols)] for row in range(nrows)]
    figure = _Figure()
    if not squeeze or (nrows > 1 and ncols > 1):
        figure.axes = [axes for row in rows for axes in row]
        return figure, _Grid(rows)
    # Several in one row or column are a list, of which parts are taken.
    figure.axes = [axes for row in rows for axes in row]
    return figure, figure.axes[0] if nrows == 1 and ncols == 1 else figure.axes


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


def suptitle(label, **options):
    print(label)


def ylim(*limits, **options):
    print(limits)


def xlim(*limits, **options):
    print(limits)


def text(x, y, s, **options):
    print(s)


def axhline(y=0, **options):
    print(y)


def step(x, y, **options):
    _draw(x, y, options)


def fill_between(x, y1, y2=0, **options):
    _draw(x, y1, options)
    print(y2)


def savefig(fname, **options):
    return None


def show():
    return None


def close(*figures):
    return None
