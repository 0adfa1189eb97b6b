//! Literals: the texts that random programs choose their numbers from, and numbers as texts.

use dashu_int::IBig;
use dashu_ratio::RBig;

/// Weights of sums: short and long in binary, of either sign.
pub const WEIGHTS: &[&str] =
    &["1", "-1", "2", "0.1", "3", "0.5", "(1/3)", "-2.5", "10", "(2/7)", "1e-3", "1_000", "-0.7", "0.05", "12"];
/// Divisors.
pub const DIVISORS: &[&str] = &["2", "3", "10", "7", "0.1", "-4", "11", "12"];
/// Means and constants.
pub const MEANS: &[&str] = &["0", "1", "-3", "10", "0.1", "2.5", "35", "480_000", "-17.25", "1e-3", "1e6", "(22/7)"];
/// Variances, the worse scaled ones last.
pub const VARIANCES: &[&str] =
    &["1", "4", "9", "100", "0.01", "2.5", "0.1", "(1/3)", "1e-6", "1e6", "1e-12", "1e18", "1442533240", "0"];
/// Standard deviations.
pub const STD_DEVS: &[&str] = &["1", "3", "10", "0.1", "100", "2.5", "1e-3", "1e5"];
/// How far a source is from its mean, in about standard deviations.
pub const DRAWS: &[&str] = &["0", "1", "-1", "0.5", "-1.3", "2.1", "0.01"];

/// The number that a text of these tables stands for.
pub fn value(text: &str) -> RBig {
    let text = text.trim_matches(['(', ')']).replace('_', "");
    let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
    decimal(numerator.trim()) / decimal(denominator.trim())
}

fn decimal(text: &str) -> RBig {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: IBig = format!("{whole}{fraction}").parse().expect("digits");
    let exponent = exponent.parse::<i32>().expect("an exponent") - fraction.len() as i32;
    RBig::from(digits) * power_of_ten(exponent)
}

/// 10ⁿ
pub fn power_of_ten(exponent: i32) -> RBig {
    let power = RBig::from(IBig::from(10).pow(exponent.unsigned_abs() as usize));
    if exponent < 0 { RBig::ONE / power } else { power }
}

/// A power of ten near the root of a variance; 0 for 0.
pub fn about_root(variance: &RBig) -> RBig {
    if variance.is_zero() {
        return RBig::ZERO;
    }
    power_of_ten((super::double(variance).log10() / 2.0).round() as i32)
}

/// An expression of exactly that value: a decimal where there is a short one, else a quotient of integers.
pub fn literal(number: &RBig) -> String {
    const MAX_PLACES: usize = 18;
    for places in 0..=MAX_PLACES {
        let scaled = number * power_of_ten(places as i32);
        if scaled.is_int() {
            let (sign, digits) = (if *number < RBig::ZERO { "-" } else { "" }, scaled.numerator().to_string());
            let digits = digits.trim_start_matches('-');
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            return if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") };
        }
    }
    format!("({} / {})", number.numerator(), number.denominator())
}

#[test]
fn texts_are_read_and_written_as_the_same_number() {
    for text in [WEIGHTS, DIVISORS, MEANS, VARIANCES, STD_DEVS, DRAWS].concat() {
        assert_eq!(value(&literal(&value(text))), value(text), "{text}");
    }
    assert_eq!(literal(&value("-17.25")), "-17.25");
    assert_eq!(literal(&value("(-2/7)")), "(-2 / 7)");
}
