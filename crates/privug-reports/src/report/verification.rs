//! How far a floating-point result is from the exact one, as text and JSON.

use serde::Serialize;
use serde_json::Value;

use super::json::{Exact, Real, document, exact_numbers};
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

#[derive(Serialize)]
struct Differences<'a> {
    mean_difference: Real,
    variance_difference: Real,
    covariance_difference: Real,
    exact: Option<Exact<'a>>,
}

/// The same for programs.
pub(super) fn verification_to_json(verification: &Verification) -> Value {
    document(&Differences {
        mean_difference: Real(verification.mean_difference),
        variance_difference: Real(verification.variance_difference),
        covariance_difference: Real(verification.covariance_difference),
        exact: verification.exact.exact.as_ref().map(exact_numbers),
    })
}
