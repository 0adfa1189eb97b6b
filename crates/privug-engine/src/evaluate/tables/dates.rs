//! Dates: `pd.to_datetime` and the parts behind `.dt`. A point in time is a text that is in order with others.

use crate::sorting::CompactSort;
use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::column;
use super::{Accessed, Accessor, Column, Series, Words};
use crate::evaluate::{tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::DatePart;

/// `pd.to_datetime(column, format=…)`
pub(in super::super) fn to_datetime<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [values, format, errors] = arguments.bind("to_datetime", ["arg", "format", "errors"], 1, 1)?;
    let coerces = match errors.map(|errors| text::show(state, errors.value)).as_deref() {
        None | Some("raise") => false,
        Some("coerce") => true,
        Some(other) => return Err(Fault::new(Code::BadArgument, format!("`errors` cannot be \"{other}\" here"))),
    };
    let Value::Series(series) = given(values)?.value else {
        let hint = "dates that are not in a table are written as strings: `p.start >= \"2024-01-31\"`";
        return Err(Fault::hinted(Code::TypeMismatch, "`to_datetime` takes a column", hint));
    };
    let format = format.map(|format| text::show(state, format.value));
    let Column::Texts { codes, labels, words } = &series.column else {
        let message = format!("{} holds {}, not dates", series.shown_name(), series.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "dates are strings such as `2024-01-31`"));
    };
    if *words == Words::Dates {
        return Ok(Value::Series(series.clone()));
    }
    tables::spend_rows(state, labels.len())?;
    let mut used = vec![false; labels.len()];
    codes.iter().for_each(|code| {
        if let Some(used) = used.get_mut(*code as usize) {
            *used = true;
        }
    });
    let mut read = Vec::with_capacity(labels.len());
    for (label, used) in labels.iter().zip(used) {
        let instant = match &format {
            Some(format) => formatted(label, format),
            None => instant(label),
        };
        match instant {
            Some(instant) => read.push(Some(Arc::from(instant))),
            None if !used || coerces => read.push(None),
            None => {
                let message = format!("`{label}` is not a supported date");
                let hint = "dates must be written as `2024-01-31`, or specify the format: `format=\"%d.%m.%Y\"`";
                return Err(Fault::hinted(Code::BadArgument, message, hint));
            }
        }
    }
    // Different spellings may be one date.
    let date = |code: &u32| read.get(*code as usize).and_then(|date: &Option<Arc<str>>| date.as_ref());
    let texts = codes.iter().map(|code| date(code).map(|text| text.to_string()));
    let (codes, labels) = privug_tables::table::coded(texts);
    let column = Column::Texts { codes: Arc::new(codes), labels: Arc::new(labels), words: Words::Dates };
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// `column.dt.year` and the like.
pub(super) fn date_part<S: Scalar>(state: &mut State<S>, part: DatePart, series: &Series<S>) -> Outcome<Value<S>> {
    let Column::Texts { codes, labels, words: Words::Dates } = &series.column else {
        let message = format!("{} holds {}, not dates", series.shown_name(), series.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "convert it with `pd.to_datetime(column)`"));
    };
    tables::spend_rows(state, series.len())?;
    if labels.iter().any(|label| !is_instant(label)) {
        return Err(Fault::new(Code::TypeMismatch, format!("{} holds periods, not dates", series.shown_name())));
    }
    let parts: Vec<Option<i64>> = labels.iter().map(|label| part_of(label, part)).collect();
    let value = |code: &u32| parts.get(*code as usize).copied().flatten();
    let values: Vec<Option<i64>> = codes.iter().map(value).collect();
    let column = whole_numbers(state, &values)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// `column.dt.strftime("%Y-%m")`, `column.dt.to_period("M")`
pub(super) fn date_text<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    is_period: bool,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let Column::Texts { codes, labels, words: Words::Dates } = &series.column else {
        let message = format!("{} holds {}, not dates", series.shown_name(), series.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "convert it with `pd.to_datetime(column)`"));
    };
    if labels.iter().any(|label| !is_instant(label)) {
        return Err(Fault::new(Code::TypeMismatch, format!("{} holds periods, not dates", series.shown_name())));
    }
    let name = if is_period { "to_period" } else { "strftime" };
    let format = text::show(state, arguments.one(name)?);
    tables::spend_rows(state, series.len())?;
    let mut texts = Vec::with_capacity(labels.len());
    for label in labels.iter() {
        let text = if is_period { period(label, &format) } else { shown_date(label, &format) };
        texts.push(text.ok_or_else(|| {
            let hint = "`%Y`, `%y`, `%m`, `%b`, `%B`, `%d`, `%a`, `%A`, `%H`, `%M` and `%S` are known, and the periods \"M\", \"Q\" and \"Y\"";
            Fault::hinted(Code::BadArgument, format!("the format `{format}` is not supported"), hint)
        })?);
    }
    let texts = codes.iter().map(|code| texts.get(*code as usize).cloned());
    let (codes, labels) = privug_tables::table::coded(texts);
    // Periods are in the order of their texts, and are not compared with strings.
    let mut order: Vec<u32> = (0..labels.len() as u32).collect();
    order.sort_compact_by(|a, b| labels[*a as usize].cmp(&labels[*b as usize]));
    let mut places = vec![0u32; labels.len()];
    order.iter().zip(0..).for_each(|(code, place)| places[*code as usize] = place);
    let sorted: Vec<Arc<str>> = order.iter().map(|code| labels[*code as usize].clone()).collect();
    let codes = codes.iter().map(|code| places.get(*code as usize).copied().unwrap_or(*code)).collect();
    let words = if is_period { Words::Dates } else { Words::Plain };
    let column = Column::Texts { codes: Arc::new(codes), labels: Arc::new(sorted), words };
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// `dates - dates`, `dates - "2024-01-31"`: the time between them, of which the whole days are known. `None` if these are no dates.
pub(super) fn elapsed<S: Scalar>(state: &mut State<S>, left: &Value<S>, right: &Value<S>) -> Outcome<Option<Value<S>>> {
    let is_date = |value: &Value<S>| match value {
        Value::Series(series) => matches!(series.column, Column::Texts { words: Words::Dates, .. }),
        _ => false,
    };
    let of = match (left, right) {
        (Value::Series(series), Value::Text(_)) if is_date(left) => series,
        (Value::Text(_), Value::Series(series)) if is_date(right) => series,
        (Value::Series(series), Value::Series(other))
            if is_date(left) && is_date(right) && series.index.same(&other.index) =>
        {
            series
        }
        _ => return Ok(None),
    };
    tables::spend_rows(state, of.len())?;
    let (Some(left), Some(right)) = (seconds(state, left), seconds(state, right)) else { return Ok(None) };
    let one = |values: &[Option<i64>], row: usize| if values.len() == 1 { values[0] } else { values[row] };
    let days = |row: usize| Some((one(&left, row)? - one(&right, row)?).div_euclid(86_400));
    let days: Vec<Option<i64>> = (0..of.len()).map(days).collect();
    let column = whole_numbers(state, &days)?;
    let value = Value::Series(Rc::new(Series { name: of.name.clone(), column, index: of.index.clone() }));
    Ok(Some(Value::Loc(Rc::new(Accessed { accessor: Accessor::Elapsed, value }))))
}

/// Seconds since the first day of 1970 of one date or of a column of them; `None` if something is no date.
fn seconds<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<Vec<Option<i64>>> {
    let Value::Series(series) = value else {
        return Some(vec![Some(seconds_of(&instant(&text::show(state, value))?)?)]);
    };
    let Column::Texts { codes, labels, .. } = &series.column else { return None };
    let labels: Vec<Option<i64>> = labels.iter().map(|label| seconds_of(label)).collect();
    // A label that is no point in time is a period.
    codes.iter().map(|code| labels.get(*code as usize).map_or(Some(None), |seconds| seconds.map(Some))).collect()
}

fn seconds_of(label: &str) -> Option<i64> {
    if !is_instant(label) {
        return None;
    }
    let number = |from: usize, to: usize| digits(label.get(from..to)?, to - from).map(i64::from);
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    // Years that begin in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = 365 * year + leap_days + (153 * month + 2) / 5 + day - 719_469;
    Some(((days * 24 + number(11, 13)?) * 60 + number(14, 16)?) * 60 + number(17, 19)?)
}

/// Whole numbers; beside gaps they are floats in pandas.
fn whole_numbers<S: Scalar>(state: &mut State<S>, values: &[Option<i64>]) -> Outcome<Column<S>> {
    let has_gaps = values.iter().any(Option::is_none);
    let cell = |value: &Option<i64>| match value {
        Some(value) if has_gaps => Value::Float(S::from_i64(*value)),
        Some(value) => Value::Int(*value),
        None => Value::Missing,
    };
    let cells = values.iter().map(cell).collect();
    column::column_of(state, cells)
}

/// Whether a label is a point in time, and not a month or a year.
pub(super) fn is_instant(label: &str) -> bool {
    label.len() == "2024-01-31 12:00:00".len()
}

/// A date written as a format says; the names of months and days are English ones.
pub(in super::super) fn shown_date(label: &str, format: &str) -> Option<String> {
    let month = MONTHS[(digits(label.get(5..7)?, 2)? as usize).checked_sub(1)?];
    let day = DAYS[usize::try_from(part_of(label, DatePart::Weekday)?).ok()?];
    let mut text = String::new();
    let mut marks = format.chars();
    while let Some(mark) = marks.next() {
        match mark {
            '%' => text.push_str(match marks.next()? {
                'Y' => &label[..4],
                'y' => &label[2..4],
                'm' => &label[5..7],
                'd' => &label[8..10],
                'H' => &label[11..13],
                'M' => &label[14..16],
                'S' => &label[17..19],
                'B' => month,
                'b' => &month[..3],
                'A' => day,
                'a' => &day[..3],
                '%' => "%",
                _ => return None,
            }),
            other => text.push(other),
        }
    }
    Some(text)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// `date.year` and the like of a point in time; `None` if a text is none.
pub(in super::super) fn part_of_instant(text: &str, part: DatePart) -> Option<i64> {
    if is_instant(text) && instant(text).as_deref() == Some(text) { part_of(text, part) } else { None }
}

/// A column of dates, if each of its texts is a point in time as dates are written here: labels do not say what they are.
pub(super) fn as_dates<S: Scalar>(column: Column<S>) -> Column<S> {
    match column {
        Column::Texts { codes, labels, words: Words::Plain }
            if labels.iter().all(|label| part_of_instant(label, DatePart::Year).is_some()) =>
        {
            Column::Texts { codes, labels, words: Words::Dates }
        }
        other => other,
    }
}

/// `periods.dt.to_timestamp()`: the first day of each month, quarter or year.
pub(super) fn starts_of_periods<S: Scalar>(series: &Series<S>) -> Outcome<Value<S>> {
    let of_periods = || {
        let message = format!("{} does not hold periods", series.shown_name());
        Fault::hinted(Code::TypeMismatch, message, "make them with `.dt.to_period(\"M\")`")
    };
    let Column::Texts { codes, labels, words: Words::Dates } = &series.column else { return Err(of_periods()) };
    let labels = labels.iter().map(|label| start_of_period(label).map(Arc::from)).collect::<Option<Vec<Arc<str>>>>();
    let labels = Arc::new(labels.ok_or_else(of_periods)?);
    let column = Column::Texts { codes: codes.clone(), labels, words: Words::Dates };
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// The first day of `2024-03`, `2024Q1` or `2024`.
pub(super) fn start_of_period(label: &str) -> Option<String> {
    let date = match label.len() {
        4 => format!("{label}-01"),
        6 => {
            let quarter = label.strip_prefix(&label[..4])?.strip_prefix('Q').and_then(|text| digits(text, 1))?;
            format!("{}-{:02}", &label[..4], quarter.checked_mul(3)?.checked_sub(2)?)
        }
        7 => label.to_owned(),
        _ => return None,
    };
    instant(&date)
}

/// Dates and periods as the texts that pandas makes of them; `None` for times of a day, of which it writes more or less.
pub(super) fn written_dates(labels: &[Arc<str>]) -> Option<Vec<Arc<str>>> {
    let text = |label: &Arc<str>| match is_instant(label) {
        true => label.strip_suffix(" 00:00:00").map(Arc::from),
        false => Some(label.clone()),
    };
    labels.iter().map(text).collect()
}

/// The month, quarter or year of a date, as pandas writes it.
fn period(label: &str, kind: &str) -> Option<String> {
    match kind {
        "M" => Some(label[..7].to_owned()),
        "Q" => part_of(label, DatePart::Quarter).map(|quarter| format!("{}Q{quarter}", &label[..4])),
        "Y" | "A" => Some(label[..4].to_owned()),
        _ => None,
    }
}

/// `2024-01-31` or `2024-01-31 12:00:00` as `2024-01-31 12:00:00`; `None` for everything else.
pub(super) fn instant(text: &str) -> Option<String> {
    let text = text.trim();
    let (date, time) = match text.split_once([' ', 'T']) {
        Some((date, time)) => (date, time),
        None => (text, "00:00:00"),
    };
    let mut parts = date.split('-');
    // A month is its first day.
    let date = written(parts.next()?, parts.next()?, parts.next().unwrap_or("01"))?;
    if parts.next().is_some() {
        return None;
    }
    let mut parts = time.split(':');
    let (hour, minute, second) =
        (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?, digits(parts.next().unwrap_or("00"), 2)?);
    let valid = hour < 24 && minute < 60 && second < 60 && parts.next().is_none();
    valid.then(|| format!("{date} {hour:02}:{minute:02}:{second:02}"))
}

/// A date that is written as a format says: `%Y`, `%m`, `%d` and what stands between them.
fn formatted(text: &str, format: &str) -> Option<String> {
    let (mut year, mut month, mut day) = (None, "01", "01");
    let mut rest = text;
    let mut marks = format.chars();
    while let Some(mark) = marks.next() {
        if mark != '%' {
            rest = rest.strip_prefix(mark)?;
            continue;
        }
        let mark = marks.next()?;
        let length = if mark == 'Y' { 4 } else { 2 };
        // Months and days may be written with one digit.
        let found = rest.bytes().take(length).take_while(u8::is_ascii_digit).count();
        let (part, behind) = rest.split_at(found);
        rest = behind;
        match mark {
            'Y' if found == 4 => year = Some(part),
            'm' if found > 0 => month = part,
            'd' if found > 0 => day = part,
            _ => return None,
        }
    }
    let two = |part: &str| format!("{part:0>2}");
    rest.is_empty().then(|| written(year?, &two(month), &two(day))).flatten().map(|date| format!("{date} 00:00:00"))
}

fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn written(year: &str, month: &str, day: &str) -> Option<String> {
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => return None,
    };
    // pandas has no points in time before 1677 and after 2262.
    ((1678..2262).contains(&year) && (1..=days).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

fn part_of(label: &str, part: DatePart) -> Option<i64> {
    let number = |from: usize, to: usize| digits(label.get(from..to)?, to - from);
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let value = match part {
        DatePart::Year => year,
        DatePart::Month => month,
        DatePart::Day => day,
        DatePart::Quarter => (month - 1) / 3 + 1,
        DatePart::Weekday => {
            // Sakamoto's rule, counted from Monday.
            const MONTHS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
            let year = if month < 3 { year - 1 } else { year };
            let sunday_first = (year + year / 4 - year / 100 + year / 400 + MONTHS[month as usize - 1] + day) % 7;
            (sunday_first + 6) % 7
        }
        DatePart::Days => return None,
    };
    Some(i64::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written_or_not_at_all() {
        assert_eq!(instant("2024-02-29").as_deref(), Some("2024-02-29 00:00:00"));
        assert_eq!(instant("2024-02-29T12:30").as_deref(), Some("2024-02-29 12:30:00"));
        assert_eq!(
            [instant("2023-02-29"), instant("01/02/2023"), instant("2023-1-2"), instant("2023")],
            [None, None, None, None]
        );
        assert_eq!(formatted("31.01.2024", "%d.%m.%Y").as_deref(), Some("2024-01-31 00:00:00"));
        assert_eq!(formatted("1.2.2024", "%d.%m.%Y").as_deref(), Some("2024-02-01 00:00:00"));
        assert_eq!(formatted("2024-13", "%Y-%m"), None);
    }

    #[test]
    fn days_are_counted_from_1970() {
        let days = |text: &str| seconds_of(text).map(|seconds| seconds as f64 / 86_400.0);
        // Python's `date.toordinal()` less that of 1970-01-01, which is 719163.
        assert_eq!(
            [
                days("1970-01-01 00:00:00"),
                days("2024-02-29 12:00:00"),
                days("2000-03-01 00:00:00"),
                days("1999-12-31 00:00:00")
            ],
            [Some(0.0), Some(19_782.5), Some(11_017.0), Some(10_956.0)]
        );
        assert_eq!(days("2024-02"), None);
    }

    #[test]
    fn weekdays_are_counted_from_monday() {
        let day = |text: &str| part_of(text, DatePart::Weekday);
        assert_eq!(
            [day("2024-01-31 00:00:00"), day("2000-01-01 00:00:00"), day("2023-03-05 00:00:00")],
            [Some(2), Some(5), Some(6)]
        );
    }
}
