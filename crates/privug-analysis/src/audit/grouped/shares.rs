//! What the people of groups contribute to a figure.
//!
//! A weight W on the mean of n people is W/n on each of them. Of people with weights w of their own, two rows stand for a group,
//! and say that somebody's weight is a + b·w. Mostly it is a, or b·w; then the sums and the largest |x| and |w·x| of the group tell
//! all. Else the largest contributions are bounded: the n largest of |a·x + b·w·x| are together at most |a| times the n largest
//! |x| and |b| times the n largest |w·x|.

use std::collections::BTreeMap;

use super::statistics::ReleaseGroups;
use privug_engine::number::{Constants, DoubleDouble, Field, Wide};
use privug_tables::register::{LARGEST, Weights};

/// Doubles that differ by less of their size are meant to be the same.
const SAME: f64 = 1e-9;

/// What the people of one group contribute.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::audit) struct Share {
    /// The group's entry, or the first of two.
    pub(in crate::audit) entry: usize,
    /// How many of them contribute.
    pub(in crate::audit) people: u64,
    /// Σ|c| over them; not more than that.
    pub(in crate::audit) total: DoubleDouble,
    /// Their largest |c|, descending; not less than these.
    pub(in crate::audit) largest: Vec<f64>,
    /// The largest |weight| of one of them.
    pub(in crate::audit) most: f64,
    /// The smallest |weight| of one of them; not more than that.
    pub(in crate::audit) least: f64,
    /// Somebody's weight, for its sign.
    pub(in crate::audit) weight: f64,
    /// Σ weight, and Σ weight·x.
    pub(in crate::audit) sums: [f64; 2],
}

/// What everybody contributes to a figure with weights on the means of rows; groups in the order of their entries.
pub(in crate::audit) fn shares<S>(of: &ReleaseGroups<S>, weights: &[(usize, f64)]) -> Vec<Share> {
    let mut found: Vec<Share> = Vec::with_capacity(weights.len());
    let mut pairs: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for (entry, weight) in weights {
        let each = weight / of.size(*entry) as f64;
        match of.place_in_pair(*entry) {
            Some(place) => pairs.entry(entry - place).or_default()[place] = each,
            None => found.push(Share {
                entry: *entry,
                people: of.size(*entry),
                total: DoubleDouble::from(Constants::to_f64(&of.absolute_sum(*entry))).mul_narrow(&each.abs()),
                largest: of.largest(*entry).map(|value| each.abs() * value).collect(),
                most: each.abs(),
                least: each.abs(),
                weight: each,
                sums: [*weight, each * of.sums(*entry).0],
            }),
        }
    }
    found.extend(pairs.into_iter().filter_map(|(first, weights)| of_pair(of, first, weights)));
    found
}

/// Whether somebody's weight in a figure is more than that of their row: then shares are computed in doubles only.
pub(in crate::audit) fn has_own_weights<S>(of: &ReleaseGroups<S>, mut entries: impl Iterator<Item = usize>) -> bool {
    entries.any(|entry| of.place_in_pair(entry).is_some())
}

/// The share of a group that two rows stand for; `at` are the weights of a person in each of these.
fn of_pair<S>(of: &ReleaseGroups<S>, first: usize, at: [f64; 2]) -> Option<Share> {
    let group = of.group(first);
    let known = of.stand_ins.weights_of(group)?;
    let [low, high] = of.row_weights(first)?;
    let people = of.groups.sizes[group];
    // a + b·w
    let is_flat = (at[0] - at[1]).abs() <= SAME * at[0].abs();
    let is_multiple = (at[0] * high - at[1] * low).abs() <= SAME * (at[0] * high).abs();
    let (a, b) = match (is_flat, is_multiple) {
        (true, _) => (at[0], 0.0),
        (false, true) => (0.0, at[1] / high),
        (false, false) => {
            let b = (at[1] - at[0]) / (high - low);
            (at[0] - b * low, b)
        }
    };
    let plain = Constants::to_f64(&of.absolute_sum(first));
    let total = DoubleDouble::from(known.absolute.high).add_narrow(&known.absolute.low).mul_narrow(&b);
    let total = total.add(&DoubleDouble::from(plain).mul_narrow(&a));
    let is_negative = Constants::to_f64(&total) < 0.0;
    // Contributions are rounded, and a share that lies at a threshold must not be below it for that.
    let total = total.mul_narrow(&if is_negative { -1.0 } else { 1.0 }).mul_narrow(&(1.0 - 1e-14));
    let ends = [known.least, known.most].map(|weight| a + b * weight);
    let weighted = |place: usize| known.largest[place].max(0.0);
    let mut values = of.largest(first);
    let largest = (0..LARGEST.min(people as usize)).map(|place| {
        let value = values.next().unwrap_or(0.0);
        a.abs() * value + b.abs() * weighted(place)
    });
    Some(Share {
        entry: first,
        people: contributing(a, b, known, people),
        total,
        largest: largest.collect(),
        most: ends[0].abs().max(ends[1].abs()),
        least: if ends[0] * ends[1] > 0.0 { ends[0].abs().min(ends[1].abs()) } else { 0.0 },
        weight: if ends[0] == 0.0 { ends[1] } else { ends[0] },
        sums: [
            a * people as f64 + b * (known.sum.high + known.sum.low),
            a * of.sums(first).0 + b * (known.products.high + known.products.low),
        ],
    })
}

/// How many people have a weight a + b·w that is not 0; at least so many where it is not known.
fn contributing(a: f64, b: f64, known: &Weights, people: u64) -> u64 {
    if b == 0.0 || a == 0.0 {
        // Those with a weight of 0 are a group of their own.
        return people;
    }
    let root = -a / b;
    let near = SAME * root.abs();
    let is_at = |weight: f64| (weight - root).abs() <= near;
    match (is_at(known.least), is_at(known.most)) {
        (true, _) => people - known.at_least,
        (_, true) => people - known.at_most,
        (false, false) if root < known.least || root > known.most => people,
        (false, false) if known.are_two(people) => people,
        (false, false) => known.at_least + known.at_most,
    }
}
