//! How far a floating-point result is from the exact one, as text and JSON.

use serde_json::{Value, json};

use super::json::{exact_numbers, json_number};
use super::text::{Palette, heading, line};
use privug_analysis::analysis::Verification;

/// A paragraph behind the report.
pub fn verification_to_text(verification: &Verification, palette: Palette) -> String {
    let mut text = String::from("\n");
    heading(&mut text, "Verified against exact arithmetic", palette.heading, palette);
    let rows = [
        ("means", verification.mean_difference, "posterior standard deviations"),
        ("variances", verification.variance_difference, "of the variance"),
        ("covariances", verification.covariance_difference, "of the product of the standard deviations"),
    ];
    for (what, difference, unit) in rows {
        line(&mut text, format_args!("  {what:<12} differ by at most {difference:.1e} {unit}"));
    }
    text.split_off(1)
}

/// The same for programs.
pub fn verification_to_json(verification: &Verification) -> Value {
    json!({
        "mean_difference": json_number(verification.mean_difference),
        "variance_difference": json_number(verification.variance_difference),
        "covariance_difference": json_number(verification.covariance_difference),
        "exact": verification.exact.exact.as_ref().map(exact_numbers),
    })
}
