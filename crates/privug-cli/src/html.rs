//! `--html FILE`: results as a page, and where they come from.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use privug::report::html::Provenance;

use crate::{REFUSED, files, output};

/// Writes a page if one was asked for; tells on stderr and with the exit code if it cannot be done.
pub fn write_if_asked(path: &Option<PathBuf>, page: impl FnOnce(&Provenance) -> String) -> Result<(), ExitCode> {
    let Some(path) = path else { return Ok(()) };
    write(path, page(&provenance()).as_bytes())
}

fn write(path: &Path, contents: &[u8]) -> Result<(), ExitCode> {
    files::write(path, contents).map_err(|error| {
        output::print_error(&format!("error: {} cannot be written: {error}\n", path.display()));
        ExitCode::from(REFUSED)
    })
}

/// The command line, the version and the time.
fn provenance() -> Provenance {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let words: Vec<String> = std::iter::once("privug".to_owned()).chain(arguments).collect();
    Provenance {
        command: shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" ")),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: date(seconds_since_1970()),
    }
}

/// Now; or what `SOURCE_DATE_EPOCH` says, for files that are to be the same whenever they are made.
fn seconds_since_1970() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.trim().parse().ok());
    fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// Seconds as `2026-02-28 13:05 UTC`.
fn date(seconds: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // Every 400 years are alike, and have 146 097 days.
    let all_days = seconds / 86_400;
    let (mut year, mut days) = (1970 + all_days / 146_097 * 400, all_days % 146_097);
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 0;
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let minutes = seconds / 60 % 1440;
    format!("{year:04}-{:02}-{:02} {:02}:{:02} UTC", month + 1, days + 1, minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_767_225_599), "2025-12-31 23:59 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
    }
}
