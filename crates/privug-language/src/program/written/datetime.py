"""Points in time that are written out; what time it is now is not known."""


def datetime(year, month, day, hour=0, minute=0, second=0):
    return f"{year:04d}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}:{second:02d}"


class date:
    def __init__(self, year, month, day):
        self.year = year
        self.month = month
        self.day = day

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def __str__(self):
        return self.isoformat()
