//! How much of a Gaussian prior lies where nobody can be.

use super::support::{Support, Supports};
use crate::audit::people::PeopleColumns;
use crate::audit::persons::Persons;
use privug_engine::gaussian::Normal;
use privug_engine::number::Scalar;
use privug_language::words::number;

/// A prior with more than this outside of the support is told of.
const TOLERATED: f64 = 0.01;

/// What is said of each column whose prior believes in what was said to be impossible. A support that only the column shows
/// is told of by `discrete_secret`.
pub(in crate::audit) fn outside(people: &PeopleColumns, persons: &Persons, supports: &Supports) -> Vec<String> {
    let mut found = Vec::new();
    for (column, support) in supports.iter().enumerate() {
        let Some(support) = support.as_ref().filter(|support| !support.is_evident) else { continue };
        let entries = persons.entries(column);
        let count = entries.len().max(1) as f64;
        let part = entries.map(|entry| mass_outside(people, entry, support)).sum::<f64>() / count;
        if part > TOLERATED {
            found.push(format!(
                "{} % of the prior for `{}` lies outside of `{}`: it believes in values that cannot be, and understates what \
                 figures tell. What is possible at all (`interval_percent`) does not depend on the prior",
                number((1000.0 * part).round() / 10.0),
                support.column,
                support.words
            ));
        }
    }
    found
}

/// P(x < lower) + P(x > upper)
fn mass_outside(people: &PeopleColumns, entry: usize, support: &Support) -> f64 {
    let (mean, std_dev) = (people.prior_mean[entry], people.prior_variance[entry].sqrt());
    let bound = |bound: &Option<_>, without: f64| bound.as_ref().map_or(without, Scalar::to_f64);
    let (lower, upper) = (bound(&support.lower, f64::NEG_INFINITY), bound(&support.upper, f64::INFINITY));
    match Normal::new(mean, std_dev * std_dev) {
        Some(prior) if std_dev > 0.0 => prior.cdf(lower) + prior.survival(upper),
        _ if mean < lower || mean > upper => 1.0,
        _ => 0.0,
    }
}
