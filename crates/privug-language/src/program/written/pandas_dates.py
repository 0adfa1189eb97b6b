"""What has dates: periods of time, lists of dates, and points in time. A date is a text that is in order with others."""

import numpy as np
import pandas as pd


def _last_day(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _frequency(freq):
    # `2MS` is twice `MS`: how often, how many months or days one is, on which day of the week it ends, and whether it is called by its start.
    place = 0
    while place < len(freq) and freq[place].isdigit():
        place = place + 1
    times = int(freq[:place]) if place > 0 else 1
    unit = freq[place:]
    assert times > 0, "periods are counted from one"
    months = {"MS": 1, "ME": 1, "M": 1, "QS": 3, "QE": 3, "Q": 3, "QS-JAN": 3, "QE-DEC": 3, "Q-DEC": 3, "YS": 12, "YE": 12, "Y": 12, "A": 12, "AS": 12, "YS-JAN": 12, "YE-DEC": 12, "A-DEC": 12}
    weeks = {"W": 6, "W-MON": 0, "W-TUE": 1, "W-WED": 2, "W-THU": 3, "W-FRI": 4, "W-SAT": 5, "W-SUN": 6}
    if unit in months:
        return times, months[unit], 0, unit in ("MS", "QS", "YS", "AS", "QS-JAN", "YS-JAN")
    if unit in weeks:
        return times, 0, weeks[unit], False
    assert unit == "D", "days, weeks, months, quarters and years are known: `D`, `W`, `W-MON`, `MS`, `ME`, `QS`, `QE`, `YS` and `YE`, also several: `2MS`"
    return times, 0, None, True


def _day_of(days):
    # The date so many days after 1970-01-01: years that begin in March, in cycles of 400 years.
    shifted = days + 719468
    cycle = shifted // 146097
    day = shifted % 146097
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day = day - (365 * year + year // 4 - year // 100)
    month = (5 * day + 2) // 153
    day = day - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year = year + 400 * cycle + (1 if month <= 2 else 0)
    return f"{year:04d}-{month:02d}-{day:02d} 00:00:00"


def _called(number, months, ends, at_start):
    if months == 0:
        return _day_of(number) if ends is None else _day_of(7 * number + ends - 3)
    month = number * months if at_start else number * months + months - 1
    year = month // 12
    day = 1 if at_start else _last_day(year, month % 12 + 1)
    return f"{year:04d}-{month % 12 + 1:02d}-{day:02d} 00:00:00"


def _numbers(times, months, ends):
    if months > 0:
        return (times.dt.year * 12 + times.dt.month - 1) // months
    days = (times - "1970-01-01").dt.days
    return days if ends is None else (days - ends + 9) // 7


def _binned(dates, freq):
    times, months, ends, at_start = _frequency(freq)
    number = _numbers(pd.to_datetime(dates), months, ends)
    first = int(number.min())
    last = int(number.max())
    # Several periods are counted from the first one: from its start, or up to its end.
    steps = (last - first) // times if at_start else (last - first + times - 1) // times
    before = first - 1 if at_start else first - times
    names = [_called(first + times * step, months, ends, at_start) for step in range(steps + 1)]
    return pd.cut(number, [before + times * step for step in range(steps + 2)], labels=names), names


def _periods(dates, freq):
    return _binned(dates, freq)[0]


def _method_resample(table, rule, on=None):
    # Rows are counted and called by their dates, also periods without rows.
    if on is not None:
        dated = table.copy()
        dated[on] = _periods(dated[on], rule)
        return dated.groupby(on, observed=False)
    is_column = isinstance(table, pd.Series)
    rows = table.reset_index()
    name = list(rows.columns)[0]
    rows[name] = _periods(rows[name], rule)
    groups = rows.groupby(name, observed=False)
    return groups[list(rows.columns)[1]] if is_column else groups


class Grouper:
    def __init__(self, key=None, freq=None):
        assert key is not None and freq is not None, "`key` and `freq` of a `Grouper` are known"
        self.key = key
        self.freq = freq

    def _grouped(self, table):
        rows = table.copy()
        rows[self.key] = _periods(rows[self.key], self.freq)
        return rows.groupby(self.key, observed=False)

    def _keys(self, table):
        # Beside other keys, only periods that occur are groups.
        rows = table.copy()
        periods, names = _binned(rows[self.key], self.freq)
        rows[self.key] = pd.to_datetime(periods.map({name: name for name in names}))
        return rows[self.key]


def date_range(start=None, end=None, periods=None, freq="D"):
    times, months, ends, at_start = _frequency(freq)
    assert (start is None) + (end is None) + (periods is None) == 1, "two of `start`, `end` and `periods` are given"
    given = pd.to_datetime(pd.Series([date for date in (start, end) if date is not None]))
    bounds = given.tolist()
    for bound in bounds:
        assert bound.endswith(" 00:00:00"), "a range of dates begins and ends with a day here"
    first, last = None, None
    numbers = _numbers(given, months, ends).tolist()
    if start is not None:
        first = numbers[0]
        if _called(first, months, ends, at_start) < bounds[0]:
            first = first + 1
    if end is not None:
        last = numbers[-1]
        if _called(last, months, ends, at_start) > bounds[-1]:
            last = last - 1
    if first is None:
        first = last - times * (periods - 1)
    count = periods if periods is not None else (last - first) // times + 1
    return _dates([_called(first + times * step, months, ends, at_start) for step in range(max(count, 0))])


def _dates(names):
    return pd.Series([0] * len(names), index=names).index


def period_range(start=None, end=None, periods=None, freq=None):
    assert (start is None) + (end is None) + (periods is None) == 1, "two of `start`, `end` and `periods` are given"
    months = {"M": 1, "Q": 3, "Q-DEC": 3, "Y": 12, "A": 12, "Y-DEC": 12, "A-DEC": 12}
    assert freq in months, "months, quarters and years are known: `M`, `Q` and `Y`"
    width = months[freq]
    first = None if start is None else _period_number(start, width)
    last = None if end is None else _period_number(end, width)
    if first is None:
        first = last - periods + 1
    count = periods if periods is not None else last - first + 1
    return _dates([_period_name(first + step, width) for step in range(max(count, 0))])


def _period_number(text, width):
    written = str(text)
    if len(written) == 6 and written[4] in ("Q", "q"):
        month = int(written[:4]) * 12 + 3 * int(written[5]) - 3
    elif len(written) == 4:
        month = int(written) * 12
    else:
        date = pd.to_datetime(pd.Series([written])).tolist()[0]
        month = int(date[:4]) * 12 + int(date[5:7]) - 1
    return month // width


def _period_name(number, width):
    if width == 12:
        return f"{number:04d}"
    if width == 3:
        return f"{number // 4:04d}Q{number % 4 + 1}"
    return f"{number // 12:04d}-{number % 12 + 1:02d}"


def Timestamp(ts_input=None, month=None, day=None, year=None):
    if isinstance(ts_input, str):
        assert month is None and day is None and year is None, "a point in time is a text, or a year, a month and a day"
        return ts_input
    first = year if ts_input is None else ts_input
    assert first is not None and month is not None and day is not None, "a point in time is a text, or a year, a month and a day"
    assert 1 <= month <= 12 and 1 <= day <= _last_day(first, month), "there is no such day"
    return f"{first:04d}-{month:02d}-{day:02d}"


def PeriodIndex(data, freq=None):
    assert isinstance(data, pd.Series) and freq is not None, "periods are made of a column of dates, `pd.PeriodIndex(p.start, freq=\"Q\")`"
    return data.dt.to_period(freq)


def _days(year, month, day):
    # Days since 1970-01-01, of years that begin in March, in cycles of 400 years.
    years = year - (month <= 2).astype(int)
    cycle = years // 400
    within = years - 400 * cycle
    days = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 146097 * cycle + 365 * within + within // 4 - within // 100 + days - 719468


def _method_isocalendar(dates):
    # A week belongs to the year that its Thursday is in.
    weekday = dates.dayofweek
    thursdays = _days(dates.year, dates.month, dates.day) - weekday + 3
    is_earlier = thursdays < _days(dates.year, dates.month * 0 + 1, dates.day * 0 + 1)
    is_later = thursdays >= _days(dates.year + 1, dates.month * 0 + 1, dates.day * 0 + 1)
    years = dates.year - is_earlier.astype(int) + is_later.astype(int)
    first = _days(years, years * 0 + 1, years * 0 + 1)
    return pd.DataFrame({"year": years, "week": (thursdays - first) // 7 + 1, "day": weekday + 1})
