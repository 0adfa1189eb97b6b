//! Shares and probabilities as percentages.

use super::number;

/// A part as a percentage, to so many decimals. What is not all is not called 100 %, what is something not 0 %.
pub fn percent(part: f64, decimals: i32) -> String {
    let units = 10f64.powi(decimals);
    let percent = 100.0 * part;
    match percent {
        _ if percent.is_nan() => "–".to_owned(),
        _ if percent > 100.0 - 1.0 / units && part < 1.0 => format!("over {} %", number((100.0 * units - 1.0) / units)),
        _ if percent > 0.0 && percent < 1.0 / units => format!("under {} %", number(1.0 / units)),
        _ => format!("{} %", number((percent * units).round() / units)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_uncertain_is_called_certain() {
        let shown = [f64::NAN, 0.0, 1e-9, 0.079_655_7, 0.486_8, 0.999_5, 0.999_99, 0.999_999, 1.0];
        assert_eq!(
            shown.map(|part| percent(part, 1)),
            ["–", "0 %", "under 0.1 %", "8 %", "48.7 %", "over 99.9 %", "over 99.9 %", "over 99.9 %", "100 %"]
        );
        assert_eq!(
            shown.map(|part| percent(part, 2)),
            ["–", "0 %", "under 0.01 %", "7.97 %", "48.68 %", "99.95 %", "over 99.99 %", "over 99.99 %", "100 %"]
        );
    }
}
