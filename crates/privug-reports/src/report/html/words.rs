//! Numbers as a report for people writes them: no more digits than matter, percentages, powers of ten.

use crate::report::{number, number_near, three_digits};
use privug_language::words;
use privug_measures::leakage::{Measure, Normal, Unit};

/// Six digits.
pub(super) fn figure(value: f64) -> String {
    pretty(&number(value))
}

/// Three digits, but all of those before the point.
pub(super) fn short(value: f64) -> String {
    pretty(&three_digits(value))
}

/// The digits that matter for something that varies on the scale of `resolution`: two of its own.
pub(super) fn near(value: f64, resolution: f64) -> String {
    if !(resolution > 0.0 && resolution.is_finite()) {
        return pretty(&number_near(value, 0.0));
    }
    // From 7 on it counts as 10, so that 9.99 and 10 get the same digits.
    let decimals = 1 - libm::floor(libm::log10(resolution) + 0.155) as i32;
    figure_at(value, decimals.max(0))
}

/// So many digits after the decimal point.
fn figure_at(value: f64, decimals: i32) -> String {
    let unit = libm::pow(10.0, f64::from(decimals));
    let rounded = libm::round(value * unit) / unit;
    let usable = rounded.is_finite() && decimals < 300 && value.abs() * unit < 1e15;
    pretty(&if usable { number_near(rounded, 1.0 / unit) } else { number(value) })
}

/// A proper minus sign, and powers of ten instead of `e-12`.
pub(super) fn pretty(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let digit_at = |index: usize| letters.get(index).is_some_and(char::is_ascii_digit);
    let mut result = String::with_capacity(text.len());
    let mut index = 0;
    while index < letters.len() {
        let letter = letters[index];
        let starts_word = index == 0 || letters[index - 1].is_whitespace() || letters[index - 1] == '(';
        let sign = usize::from(letters.get(index + 1) == Some(&'-'));
        if letter == '-' && starts_word && (digit_at(index + 1) || letters.get(index + 1) == Some(&'∞')) {
            result.push('−');
        } else if letter == 'e' && index > 0 && digit_at(index - 1) && digit_at(index + 1 + sign) {
            result.push_str(" × 10");
            if sign == 1 {
                result.push('⁻');
                index += 1;
            }
            while digit_at(index + 1) {
                index += 1;
                let digit = letters[index].to_digit(10).unwrap_or(0) as usize;
                result.push(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit]);
            }
        } else {
            result.push(letter);
        }
        index += 1;
    }
    result
}

/// A number of bits, with its unit.
pub(super) fn bits(value: f64) -> String {
    let number = short(value);
    if number == "1" { "1 bit".to_owned() } else { format!("{number} bits") }
}

/// A probability. No line ends before the sign.
pub(super) fn percent(probability: f64) -> String {
    words::percent(probability, 2).replace(' ', "\u{a0}")
}

/// A level such as 0.95 as `95 %`.
pub(super) fn level_percent(level: f64) -> String {
    format!("{}\u{a0}%", figure(level * 100.0))
}

/// The interval that holds a value with a probability of `level`.
pub(super) fn interval(normal: Option<Normal>, level: f64) -> Option<String> {
    let normal = normal?;
    if normal.is_constant() {
        return Some(near(normal.mean(), 0.0));
    }
    let (low, high) = normal.credible_interval(level)?;
    let (low, high) = (near(low, normal.std_dev()), near(high, normal.std_dev()));
    let decimals = decimals(&low).max(decimals(&high));
    (low != high).then(|| format!("{} … {}", with_decimals(&low, decimals), with_decimals(&high, decimals)))
}

fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The number with so many digits after the decimal point, as its neighbour has.
fn with_decimals(number: &str, most: usize) -> String {
    let is_plain = number.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, ',' | '.' | '−'));
    match most - decimals(number) {
        missing if missing > 0 && is_plain && most < 6 => {
            let point = if number.contains('.') { "" } else { "." };
            format!("{number}{point}{}", "0".repeat(missing))
        }
        _ => number.to_owned(),
    }
}

/// The value of a measure in its unit.
pub(super) fn measure_value(measure: &Measure, value: f64) -> String {
    match measure.unit {
        Unit::YesNo => if value == 1.0 { "yes" } else { "no" }.to_owned(),
        Unit::Probability => percent(value),
        Unit::Bits | Unit::Secret | Unit::SecretSquared | Unit::Ratio => figure(value),
    }
}

/// The same for one that may not be known before values are published.
pub(super) fn known_value(measure: &Measure, value: Option<f64>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| measure_value(measure, value))
}

/// What people call a measure.
pub(super) fn label(measure: &Measure) -> String {
    let known = match measure.name {
        "mutual_information_bits" => "mutual information",
        "kl_posterior_prior_bits" => "KL divergence, D(after ‖ before)",
        "kl_prior_posterior_bits" => "KL divergence, D(before ‖ after)",
        "bayes_vulnerability_prior" => "chance of a right guess, before",
        "bayes_vulnerability_posterior" => "chance of a right guess, after",
        "truth_error_prior" => "error of the best guess, before",
        "truth_error_posterior" => "error of the best guess, after",
        "truth_within_5_percent_prior" => "within 5 % of the truth, before",
        "truth_within_5_percent_posterior" => "within 5 % of the truth, after",
        "max_posterior" => "most certain belief under any output",
        "max_kl_bits" => "largest move under any output",
        "prior_mean" => "best guess, before",
        "posterior_mean" => "best guess, after",
        "prior_std" => "standard deviation, before",
        "posterior_std" => "standard deviation, after",
        "prior_variance" => "variance, before",
        "posterior_variance" => "variance, after",
        "density_leakage_limit_bits" => "density leakage limit, in doublings",
        "wasserstein2" => "Wasserstein distance",
        "hellinger" => "Hellinger distance",
        name => {
            let words = name.trim_end_matches("_bits").replace('_', " ");
            return words.replace(" posterior", ", after").replace(" prior", ", before");
        }
    };
    known.to_owned()
}

/// `1 secret`, `3 secrets`.
pub(super) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", figure(number as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_matter() {
        assert_eq!([short(0.076_001), short(64_921.28), short(9.4868), short(-1.0)], ["0.076", "64,921", "9.49", "−1"]);
        assert_eq!([near(482_981.406, 9.48), near(0.123_456, 0.1), near(61_000.0, 0.0)], ["482,981", "0.12", "61,000"]);
        assert_eq!(figure(5.000_560_8e-10), "5.00056 × 10⁻¹⁰");
        assert_eq!([bits(1.0), bits(0.0), bits(f64::INFINITY)], ["1 bit", "0 bits", "∞ bits"]);
    }

    #[test]
    fn the_ends_of_an_interval_have_the_same_digits() {
        assert_eq!(interval(Normal::new(4.163_67, 0.195_425), 0.95).as_deref(), Some("3.30 … 5.03"));
        assert_eq!(interval(Normal::new(480_000.0, 100.0), 0.95).as_deref(), Some("479,980 … 480,020"));
        assert_eq!(interval(Normal::new(61_000.0, 0.0), 0.95).as_deref(), Some("61,000"));
    }

    #[test]
    fn only_numbers_are_made_pretty() {
        assert_eq!(pretty("-3e-12 of pre-e2e (-1)"), "−3 × 10⁻¹² of pre-e2e (−1)");
    }

    #[test]
    fn every_measure_has_a_label_of_its_own() {
        let labels: Vec<String> = privug_measures::leakage::MEASURES.iter().map(label).collect();
        for (index, label) in labels.iter().enumerate() {
            assert!(!labels[..index].contains(label) && !label.contains('_'), "{label}");
        }
    }
}
