//! How much of a Gaussian prior lies where nobody can be.

use std::collections::HashMap;
use std::sync::Arc;

use super::support::{Support, Supports};
use crate::audit::people::PeopleColumns;
use crate::audit::persons::Persons;
use privug_engine::gaussian::Normal;
use privug_engine::number::Constants;
use privug_engine::sums::Law;
use privug_language::words::number;

/// A prior with more than this outside the support is told of.
const TOLERATED: f64 = 0.01;

/// What is said of each column whose prior believes in what is impossible.
pub(in crate::audit) fn outside(
    people: &PeopleColumns,
    persons: &Persons,
    supports: &Supports,
    laws: Option<&[Arc<Law>]>,
) -> Vec<String> {
    let mut found = Vec::new();
    for (column, support) in supports.iter().enumerate() {
        let Some(support) = support else { continue };
        let entries = persons.entries(column);
        let count = entries.len().max(1) as f64;
        let are_discrete = laws.is_some_and(|laws| laws[entries.clone()].iter().all(|law| law.is_discrete()));
        let mut of_laws: HashMap<*const Law, f64> = HashMap::new();
        let of = |entry: usize| match laws {
            Some(laws) => {
                let law = &laws[entry];
                *of_laws.entry(Arc::as_ptr(law)).or_insert_with(|| law_outside(law, support))
            }
            None => mass_outside(people, entry, support),
        };
        let part = entries.clone().map(of).sum::<f64>() / count;
        let is_between = has_two_values(support) && !are_discrete;
        if part > TOLERATED || is_between {
            found.push(format!(
                "{} % of the prior for `{}` lies {}: it assumes impossible values, and understates what figures reveal; use {} instead. The bounds on secrets (`interval_percent`) do not depend on the prior",
                number((1000.0 * part).round() / 10.0),
                support.column,
                where_it_lies(support, is_between),
                instead(people, entries, support)
            ));
        }
    }
    found
}

/// Outside of what is possible, and between the values that are.
fn where_it_lies(support: &Support, is_between: bool) -> String {
    match is_between {
        true => format!("beyond the ends of `{}`, and the rest between these values instead of at them", support.words),
        false => format!("outside `{}`", support.words),
    }
}

/// Whether a secret is one of two values: to believe in what lies between them is to know nothing of it.
fn has_two_values(support: &Support) -> bool {
    match (&support.lower, &support.upper, &support.step) {
        (Some(lower), Some(upper), Some(step)) => upper - lower == *step,
        _ => false,
    }
}

/// A prior with the same mean and standard deviation that respects the support: of everybody if all have the same.
fn instead(people: &PeopleColumns, entries: std::ops::Range<usize>, support: &Support) -> String {
    let column = support.column.rsplit('.').next().unwrap_or(&support.column);
    let empirical = format!("`Empirical({column})`");
    if support.step.is_some() {
        return format!("`Categorical({column}.value_counts(normalize=True))`");
    }
    let first = entries.start;
    let moments = |entry: usize| (people.prior_mean[entry], people.prior_variance[entry]);
    let (mean, variance) = moments(first);
    let is_positive = support.lower.as_ref().map(Constants::to_f64) == Some(0.0) && support.upper.is_none();
    if !(is_positive && mean > 0.0 && variance > 0.0) {
        return empirical;
    }
    if entries.clone().all(|entry| moments(entry) == (mean, variance)) {
        let rounded = |value: f64| number((value * 100.0).round() / 100.0).replace(',', "_");
        format!("`LogNormal(mean={}, std={})`, or {empirical}", rounded(mean), rounded(variance.sqrt()))
    } else {
        format!("`LogNormal(mean=…, std=…)` with the same means and standard deviations, or {empirical}")
    }
}

/// The same of a law.
fn law_outside(law: &Law, support: &Support) -> f64 {
    let bound = |bound: &Option<_>, without: f64| bound.as_ref().map_or(without, Constants::to_f64);
    let inside = law.probability_between(bound(&support.lower, f64::MIN), bound(&support.upper, f64::MAX));
    (1.0 - inside).max(0.0)
}

/// P(x < lower) + P(x > upper)
fn mass_outside(people: &PeopleColumns, entry: usize, support: &Support) -> f64 {
    let (mean, std_dev) = (people.prior_mean[entry], people.prior_variance[entry].sqrt());
    let bound = |bound: &Option<_>, without: f64| bound.as_ref().map_or(without, Constants::to_f64);
    let (lower, upper) = (bound(&support.lower, f64::NEG_INFINITY), bound(&support.upper, f64::INFINITY));
    match Normal::new(mean, std_dev * std_dev) {
        Some(prior) if std_dev > 0.0 => prior.cdf(lower) + prior.survival(upper),
        _ if mean < lower || mean > upper => 1.0,
        _ => 0.0,
    }
}
