//! Numbers with their spread, ratios, and growth exponents.

use super::measure::{Failure, Run, Runs};

/// The middle of several values, and the smallest and largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub middle: f64,
    pub low: f64,
    pub high: f64,
}

impl Spread {
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let (low, high) = (*values.first()?, *values.last()?);
        let middle = if count % 2 == 1 { values[count / 2] } else { (values[count / 2 - 1] + values[count / 2]) / 2.0 };
        Some(Spread { middle, low, high })
    }
}

/// Wall times of whole processes.
pub fn wall(run: &Run) -> f64 {
    run.seconds
}

/// The time that a process measured itself, without its start.
pub fn inner(run: &Run) -> f64 {
    run.number("seconds").unwrap_or(run.seconds)
}

pub fn spread(runs: &Runs, time: fn(&Run) -> f64) -> Option<Spread> {
    Spread::of(runs.as_ref().ok()?.iter().map(time))
}

/// How many times longer the second took than the first, turn by turn.
pub fn ratio(first: &Runs, first_time: fn(&Run) -> f64, second: &Runs, second_time: fn(&Run) -> f64) -> Option<Spread> {
    let (first, second) = (first.as_ref().ok()?, second.as_ref().ok()?);
    // A side that takes long is run once; then each turn of the other is held against that.
    let turns = first.len().max(second.len());
    let at = |runs: &[Run], turn: usize, time: fn(&Run) -> f64| Some(time(runs.get(turn).or(runs.last())?));
    Spread::of((0..turns).filter_map(|turn| Some(at(second, turn, second_time)? / at(first, turn, first_time)?)))
}

pub fn peak_bytes(runs: &Runs) -> Option<f64> {
    runs.as_ref().ok()?.iter().map(|run| run.peak_bytes as f64).reduce(f64::max)
}

/// The slope of log y over log x: y grows as x to this power.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x_mean, y_mean) =
        (logs.iter().map(|(x, _)| x).sum::<f64>() / count, logs.iter().map(|(_, y)| y).sum::<f64>() / count);
    let covariance: f64 = logs.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    (logs.len() >= 2 && variance > 0.0).then(|| covariance / variance)
}

/// `1.23 s (1.20–1.31)`, or why there is no number.
pub fn show_seconds(runs: &Runs, time: fn(&Run) -> f64) -> String {
    match (runs, spread(runs, time)) {
        (Ok(_), Some(spread)) => {
            let (factor, unit) = if spread.middle < 1.0 { (1e3, "ms") } else { (1.0, "s") };
            format!("{} {unit}{}", short(spread.middle * factor), range(spread, factor))
        }
        (Err(failure), _) => show_failure(failure),
        (Ok(_), None) => "–".to_owned(),
    }
}

pub fn show_failure(failure: &Failure) -> String {
    match failure {
        Failure::CutOff => "> 2 min".to_owned(),
        Failure::Failed(_) => "failed".to_owned(),
        Failure::NotTried => "–".to_owned(),
    }
}

/// `13 × (12–14)`
pub fn show_ratio(ratio: Option<Spread>) -> String {
    ratio.map_or("–".to_owned(), |ratio| format!("{} ×{}", short(ratio.middle), range(ratio, 1.0)))
}

fn range(spread: Spread, factor: f64) -> String {
    let (low, high) = (short(spread.low * factor), short(spread.high * factor));
    if low == high { String::new() } else { format!(" ({low}–{high})") }
}

pub fn show_megabytes(bytes: Option<f64>) -> String {
    bytes.map_or("–".to_owned(), |bytes| format!("{} MB", short(bytes / 1e6)))
}

pub fn show_exponent(exponent: Option<f64>) -> String {
    exponent.map_or("–".to_owned(), |exponent| format!("{exponent:.2}"))
}

/// Three digits that matter, thousands apart.
pub fn short(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    if digits > 0 { text } else { spaced(value.round() as i64) }
}

/// `1 000 000`
pub fn spaced(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) && !text.ends_with('-') {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Whether two numbers agree to nine digits or better.
pub fn agree(a: Option<f64>, b: Option<f64>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if (a - b).abs() <= 1e-9 * a.abs().max(b.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_has_the_exponent_two() {
        let points: Vec<(f64, f64)> = (1..6).map(|x| (f64::from(x), 7.0 * f64::from(x * x))).collect();
        assert!((exponent(&points).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(exponent(&points[..1]), None);
    }

    #[test]
    fn the_middle_of_an_even_number_of_values_lies_between_two() {
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]), Some(Spread { middle: 2.5, low: 1.0, high: 4.0 }));
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn numbers_are_short_and_their_thousands_apart() {
        let shown = [0.012345, 0.5, 1.234, 45.67, 123.4, 1_234_567.0].map(short);
        assert_eq!(shown, ["0.0123", "0.500", "1.23", "45.7", "123", "1 234 567"]);
        assert_eq!([spaced(-1000), spaced(999)], ["-1 000", "999"]);
    }
}
