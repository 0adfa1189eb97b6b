//! Numbers as people read them: thousands separated, no more digits than mean anything.

/// A number with about six significant digits.
pub fn number(value: f64) -> String {
    significant(value, 6)
}

/// Three significant digits, but all of those before the point.
pub fn three_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return number(value);
    }
    let decimals = (2.0 - value.abs().log10().floor()).max(0.0);
    let unit = 10f64.powf(decimals);
    let rounded = (value * unit).round() / unit;
    number(if rounded.is_finite() && rounded != 0.0 { rounded } else { value })
}

/// A number with the digits that matter for something that varies on the scale of `resolution`.
pub fn number_near(value: f64, resolution: f64) -> String {
    if !value.is_finite() || !resolution.is_finite() || value == 0.0 || resolution <= 0.0 {
        return number(value);
    }
    let digits = (value.abs() / resolution).log10().ceil().max(0.0) + 4.0;
    significant(value, digits.clamp(6.0, 17.0) as usize)
}

fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "undefined"
        } else if value > 0.0 {
            "∞"
        } else {
            "-∞"
        }
        .to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..15).contains(&exponent) {
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trim_zeros(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let text = format!("{value:.decimals$}");
    group_thousands(trim_zeros(&text))
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn group_thousands(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_like_a_person_writes_them() {
        assert_eq!(number(480_000.0), "480,000");
        assert_eq!(number(9.486_832_980_505_138), "9.48683");
        assert_eq!(number(-1_234_567.891), "-1,234,568");
        assert_eq!(number(0.0), "0");
        assert_eq!(number(0.000_5), "0.0005");
        assert_eq!(number(3.119_862e-12), "3.11986e-12");
        assert_eq!(number(1e18), "1e18");
        assert_eq!(number(f64::INFINITY), "∞");
        assert_eq!(number(999_999.96), "1,000,000");
        assert_eq!([three_digits(0.076_001), three_digits(64_921.28), three_digits(0.0)], ["0.076", "64,921", "0"]);
    }

    #[test]
    fn digits_that_matter_are_shown() {
        assert_eq!(number_near(480_000.000_020_796, 1e-5), "480,000.000020796");
        assert_eq!(number_near(483_000.0, 9.4868), "483,000");
    }
}
