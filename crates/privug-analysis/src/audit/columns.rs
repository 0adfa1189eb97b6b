//! What the secret columns look like as a whole: how far their values are apart, and how many there are.

use std::collections::HashSet;

use super::people::PeopleColumns;
use super::persons::Persons;
use super::release::Release;

/// More different values than this are not few.
const FEW: usize = 20;
/// Few values are shared by at least so many rows each, on average.
const ROWS_PER_VALUE: usize = 5;

/// The standard deviation of each secret column: √(Σ(x − x̄)²/n).
pub(super) fn spreads<S>(release: &Release<S>, persons: &Persons) -> Vec<f64> {
    match &release.groups {
        None => spreads_of(&release.truths, persons),
        Some(groups) => vec![groups.spread()],
    }
}

fn spreads_of(truths: &[f64], persons: &Persons) -> Vec<f64> {
    columns(truths, persons)
        .map(|values| {
            let count = values.len().max(1) as f64;
            let mean = values.iter().sum::<f64>() / count;
            (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
        })
        .collect()
}

fn columns<'t>(truths: &'t [f64], persons: &Persons) -> impl Iterator<Item = &'t [f64]> {
    (0..persons.columns().max(1)).map(|column| &truths[persons.entries(column)])
}

/// The secret columns that figures depend on and that have few different values, with how many: at most 2, or at most 20
/// that at least five rows share on average. A Gaussian prior does not know that nothing lies between them.
pub(super) fn discrete_columns<S>(release: &Release<S>, persons: &Persons, figures: &[u32]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    if let Some(groups) = &release.groups {
        let is_used = figures.iter().any(|figures| *figures > 0);
        let few = groups.groups.distinct.filter(|different| is_few(*different, persons.with_secret()));
        found.extend(few.filter(|_| is_used).map(|different| (0, different)));
        return found;
    }
    for (column, values) in columns(&release.truths, persons).enumerate() {
        let is_used = figures[persons.entries(column)].iter().any(|figures| *figures > 0);
        if let (true, Some(values)) = (is_used, few_values(values)) {
            found.push((column, values));
        }
    }
    found
}

/// How many different values there are, if these are few.
fn few_values(values: &[f64]) -> Option<usize> {
    let mut seen = HashSet::new();
    for value in values {
        // Both zeros are one value.
        seen.insert(if *value == 0.0 { 0 } else { value.to_bits() });
        if seen.len() > FEW {
            return None;
        }
    }
    is_few(seen.len(), values.len()).then_some(seen.len())
}

/// Whether so many different values are few for so many people.
pub(super) fn is_few(different: usize, people: usize) -> bool {
    let few = (different <= 2 && people > 2) || people >= ROWS_PER_VALUE * different;
    few && (1..=FEW).contains(&different)
}

/// How large a contribution is where all of them are 0: the spread of the columns, or if there is none what the attacker
/// does not know.
pub(super) fn noise_scale(spreads: &[f64], people: &PeopleColumns) -> f64 {
    let spread = spreads.iter().copied().fold(0.0, f64::max);
    if spread > 0.0 { spread } else { people.prior_variance.iter().copied().fold(0.0, f64::max).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::super::release::People;
    use super::*;

    #[test]
    fn the_spread_is_that_of_each_column_by_itself() {
        let persons = Persons::of_rows(&People::Rows(2), 2);
        assert_eq!(spreads_of(&[1.0, 3.0, 10.0, 10.0], &persons), [1.0, 0.0]);
        assert_eq!(spreads_of(&[], &Persons::of_rows(&People::Rows(0), 1)), [0.0]);
    }

    #[test]
    fn two_values_are_few_and_many_rows_to_a_value_are() {
        assert_eq!(few_values(&[0.0, 1.0, 1.0]), Some(2));
        assert_eq!(few_values(&[0.0, -0.0, 0.0]), Some(1));
        assert_eq!(few_values(&[1.0, 2.0]), None);
        assert_eq!(few_values(&[1.0, 2.0, 3.0, 4.0]), None);
        let of = |values: usize, each: usize| {
            let all: Vec<f64> = (0..values * each).map(|row| (row % values) as f64).collect();
            few_values(&all)
        };
        assert_eq!((of(20, 5), of(20, 4), of(21, 100)), (Some(20), None, None));
    }
}
