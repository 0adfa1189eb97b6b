//! Published figures as sums over people of small integers.
//!
//! Every figure of a discrete secret is b + u·Σᵢ aᵢ(xᵢ) with integers aᵢ: a count, a mean or a share times its public
//! denominator. People whom all figures weigh alike, and of whom the attacker believes the same, are a *class*.

use std::collections::{BTreeMap, HashMap};

use super::super::persons::Persons;
use super::super::release::{Discrete, Output, Release};
use privug_engine::network::NodeId;
use privug_engine::number::Scalar;

/// Integers are looked for up to this denominator.
const LARGEST_DENOMINATOR: i64 = 10_000;
/// Larger integers are taken for numbers.
const LARGEST_WEIGHT: f64 = 1e9;
/// A weight that is so much smaller than the largest is a rounding error.
const NEGLIGIBLE: f64 = 1e-12;
/// How far a multiple of the unit may be from an integer.
const TOLERANCE: f64 = 1e-9;

/// One person's part of a figure: the weight of having the value of a code, against that of having the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub(super) entry: u32,
    pub(super) code: u32,
    pub(super) weight: i64,
}

/// A figure that depends on discrete secrets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tallied {
    /// Who is in it, by entry; a person may have several codes.
    pub(super) parts: Vec<Part>,
    /// Whether the script adds noise to it, which is left out.
    pub(super) is_noisy: bool,
    /// What one unit of weight adds to the figure.
    pub(super) unit: f64,
    /// Whether the weights are no integers: they only say who is in it.
    pub(super) is_irregular: bool,
    /// Its place among the medians, if it is one: the weights are the bits of what it is the median of.
    pub(super) median: Option<usize>,
}

/// A figure depends on something random that is no discrete secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mixed;

/// Finds the parts of figures.
pub(super) struct Tallies<'a, S> {
    release: &'a Release<S>,
    persons: &'a Persons,
    /// The secret columns, ascending by their indicators.
    columns: Vec<(usize, &'a Discrete)>,
    /// The medians, by the nodes in their places.
    medians: HashMap<NodeId, usize>,
}

impl<'a, S: Scalar> Tallies<'a, S> {
    pub(super) fn new(release: &'a Release<S>, persons: &'a Persons, discrete: &[&'a Discrete]) -> Self {
        let mut columns: Vec<(usize, &Discrete)> = discrete.iter().copied().enumerate().collect();
        columns.sort_by_key(|(_, discrete)| discrete.first_indicator);
        let medians = release.medians.iter().enumerate().map(|(place, median)| (median.node, place)).collect();
        Tallies { release, persons, columns, medians }
    }

    /// Who is in a median, and with what.
    fn middle(&self, place: usize) -> Option<Tallied> {
        let median = &self.release.medians[place];
        let (column, discrete) = self.columns.iter().find(|(_, of)| of.first_indicator == median.first_indicator)?;
        let mut parts = Vec::with_capacity(median.rows.len() * discrete.values.len());
        for code in 0..discrete.values.len() {
            for (row, which) in median.rows.iter().zip(&median.which) {
                let entry = self.persons.entry(*column, *row as usize)? as u32;
                let weight = median.tables[*which as usize][code].to_bits() as i64;
                parts.push(Part { entry, code: code as u32, weight });
            }
        }
        Some(Tallied { parts, is_noisy: false, unit: f64::NAN, is_irregular: true, median: Some(place) })
    }

    /// Whose indicator a node is: (entry, code).
    fn owner(&self, node: NodeId) -> Option<(u32, u32)> {
        let after = self.columns.partition_point(|(_, discrete)| discrete.first_indicator <= node);
        let (column, discrete) = self.columns.get(after.checked_sub(1)?)?;
        let (row, code) = discrete.indicated(node)?;
        Some((self.persons.entry(*column, row)? as u32, code as u32))
    }

    /// The parts of a figure.
    pub(super) fn parts(&self, output: &Output<S>) -> Result<Tallied, Mixed> {
        if let Some(place) = self.medians.get(&output.variable.node) {
            return self.middle(*place).ok_or(Mixed);
        }
        let mut weights: Vec<(u32, u32, f64)> = Vec::new();
        let mut is_noisy = false;
        // Nodes still to be taken apart, the latest first.
        let mut due: BTreeMap<NodeId, S> = BTreeMap::from([(output.variable.node, output.variable.scale.clone())]);
        let mut met_twice = false;
        while let Some((node, weight)) = due.pop_last() {
            if let Some((entry, code)) = self.owner(node) {
                weights.push((entry, code, weight.to_f64()));
                continue;
            }
            let made = self.release.network.node(node);
            if !made.noise_variance.is_zero() {
                if made.terms.is_empty() {
                    return Err(Mixed);
                }
                is_noisy = true;
            }
            let weight = made.divisor.map_or(weight.clone(), |divisor| weight.div(divisor));
            // What leads to indicators only is taken apart at once.
            for (parent, factor) in made.parents() {
                let part = weight.mul(factor);
                match self.owner(parent) {
                    Some((entry, code)) => weights.push((entry, code, part.to_f64())),
                    None => {
                        let sum = due.entry(parent).or_insert_with(S::zero);
                        *sum = sum.add(&part);
                    }
                }
            }
            met_twice |= !due.is_empty();
        }
        if met_twice || !weights.is_sorted_by(|a, b| (a.1, a.0) < (b.1, b.0)) {
            weights = merged(weights);
        }
        let found = integers(&weights);
        let is_irregular = found.is_none();
        // The bits of weights tell people apart just as well.
        let (whole, unit) =
            found.unwrap_or_else(|| (weights.iter().map(|(_, _, weight)| weight.to_bits() as i64).collect(), f64::NAN));
        let parts =
            weights.iter().zip(whole).map(|((entry, code, _), weight)| Part { entry: *entry, code: *code, weight });
        let parts = parts.filter(|part| part.weight != 0).collect();
        Ok(Tallied { parts, is_noisy, unit, is_irregular, median: None })
    }
}

/// One weight for each entry and code.
fn merged(weights: Vec<(u32, u32, f64)>) -> Vec<(u32, u32, f64)> {
    let mut sums: HashMap<(u32, u32), f64> = HashMap::with_capacity(weights.len());
    for (entry, code, weight) in weights {
        *sums.entry((code, entry)).or_default() += weight;
    }
    let mut weights: Vec<(u32, u32, f64)> = sums.into_iter().map(|((code, entry), w)| (entry, code, w)).collect();
    weights.sort_by_key(|(entry, code, _)| (*code, *entry));
    weights
}

/// Weights as multiples of a unit, and the unit; `None` if there is none.
fn integers(weights: &[(u32, u32, f64)]) -> Option<(Vec<i64>, f64)> {
    let largest = weights.iter().map(|(_, _, weight)| weight.abs()).fold(0.0, f64::max);
    let is_zero = |weight: f64| weight.abs() <= NEGLIGIBLE * largest;
    let sizes = weights.iter().map(|(_, _, weight)| weight.abs()).filter(|weight| !is_zero(*weight));
    let smallest = sizes.fold(f64::INFINITY, f64::min);
    // Different ratios only: a count has one.
    let mut ratios: Vec<f64> = Vec::new();
    for (_, _, weight) in weights.iter().filter(|(_, _, weight)| !is_zero(*weight)) {
        let ratio = (weight / smallest).abs();
        if !ratios.iter().any(|known| (known - ratio).abs() <= TOLERANCE * 1e-3 * ratio) {
            if ratios.len() > 1000 {
                return None;
            }
            ratios.push(ratio);
        }
    }
    let fits = |factor: i64| {
        ratios.iter().all(|ratio| {
            let multiple = ratio * factor as f64;
            multiple < LARGEST_WEIGHT && (multiple - multiple.round()).abs() <= TOLERANCE * multiple.max(1.0)
        })
    };
    let factor = (1..=LARGEST_DENOMINATOR).find(|factor| fits(*factor))?;
    let whole = |weight: f64| if is_zero(weight) { 0 } else { (weight / smallest * factor as f64).round() as i64 };
    let unit = if weights.is_empty() { 1.0 } else { smallest / factor as f64 };
    Some((weights.iter().map(|(_, _, weight)| whole(*weight)).collect(), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(weights: &[f64]) -> Option<Vec<i64>> {
        let found = integers(&weights.iter().map(|weight| (0, 1, *weight)).collect::<Vec<_>>());
        found.map(|(whole, _)| whole)
    }

    #[test]
    fn weights_are_multiples_of_the_largest_unit_that_they_share() {
        assert_eq!(of(&[1.0 / 7.0; 3]), Some(vec![1, 1, 1]));
        assert_eq!(of(&[2.0 / 7.0, -3.0 / 7.0]), Some(vec![2, -3]));
        assert_eq!(of(&[1.5, 2.5, 0.0]), Some(vec![3, 5, 0]));
        assert_eq!(of(&[0.25, 1e-20]), Some(vec![1, 0]));
        assert_eq!(of(&[1.0, std::f64::consts::SQRT_2]), None);
        assert_eq!(of(&[]), Some(vec![]));
    }
}
