//! Dates and times as texts, the way pandas spells them: `2020-01-31`, `2020-01-31 08:30:00.500`, `08:30:00`.

/// What a count of time is a count of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl Unit {
    fn per_second(self) -> i64 {
        match self {
            Unit::Seconds => 1,
            Unit::Milliseconds => 1_000,
            Unit::Microseconds => 1_000_000,
            Unit::Nanoseconds => 1_000_000_000,
        }
    }
}

const SECONDS_IN_A_DAY: i64 = 86_400;
/// Days on both sides of 1970 that are still a date: about a quarter of a million years.
const LAST_DAY: i64 = 95_000_000;

/// The date so many days after 1970-01-01 in the Gregorian calendar; nothing for a day that is no date.
pub(super) fn date(days: i64) -> Option<String> {
    if !(-LAST_DAY..=LAST_DAY).contains(&days) {
        return None;
    }
    // Years that begin in March have their leap day at their end; 400 of them have 146,097 days.
    let from_march_of_year_0 = days + 719_468;
    let era = from_march_of_year_0.div_euclid(146_097);
    let day_of_era = from_march_of_year_0.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let year = if (0..=9999).contains(&year) { format!("{year:04}") } else { format!("{year:+05}") };
    Some(format!("{year}-{month:02}-{day:02}"))
}

/// The time of day so many units after midnight.
pub(super) fn time(count: i64, unit: Unit) -> Option<String> {
    let (seconds, part) = (count.div_euclid(unit.per_second()), count.rem_euclid(unit.per_second()));
    if !(0..SECONDS_IN_A_DAY).contains(&seconds) {
        return None;
    }
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let whole = format!("{hour:02}:{minute:02}:{second:02}");
    let nanoseconds = part * (1_000_000_000 / unit.per_second());
    Some(match nanoseconds {
        0 => whole,
        _ if nanoseconds % 1_000_000 == 0 => format!("{whole}.{:03}", nanoseconds / 1_000_000),
        _ if nanoseconds % 1_000 == 0 => format!("{whole}.{:06}", nanoseconds / 1_000),
        _ => format!("{whole}.{nanoseconds:09}"),
    })
}

/// The moment so many units after the beginning of 1970.
pub(super) fn moment(count: i64, unit: Unit) -> Option<String> {
    let units_in_a_day = SECONDS_IN_A_DAY * unit.per_second();
    let (days, rest) = (count.div_euclid(units_in_a_day), count.rem_euclid(units_in_a_day));
    Some(format!("{} {}", date(days)?, time(rest, unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A calendar that counts day by day, from the rule for leap years alone.
    #[test]
    fn every_day_of_a_thousand_years_follows_the_one_before() {
        let is_leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..366_000 {
            assert_eq!(date(days), Some(format!("{year:04}-{month:02}-{day:02}")));
            let length = match month {
                2 => 28 + i64::from(is_leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (day, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
    }

    #[test]
    fn what_lies_before_1970_and_far_away_is_told() {
        assert_eq!(date(-1).as_deref(), Some("1969-12-31"));
        assert_eq!(date(-719_528).as_deref(), Some("0000-01-01"));
        assert_eq!(date(-719_529).as_deref(), Some("-0001-12-31"));
        assert_eq!(date(2_932_897).as_deref(), Some("+10000-01-01"));
        assert_eq!(date(i64::MAX), None);
        assert_eq!(moment(-1, Unit::Microseconds).as_deref(), Some("1969-12-31 23:59:59.999999"));
        assert_eq!(moment(1_500, Unit::Milliseconds).as_deref(), Some("1970-01-01 00:00:01.500"));
        assert_eq!(moment(i64::MIN, Unit::Seconds), None);
        assert_eq!(time(86_399_000_000_001, Unit::Nanoseconds).as_deref(), Some("23:59:59.000000001"));
        assert_eq!((time(86_400, Unit::Seconds), time(-1, Unit::Seconds)), (None, None));
    }
}
