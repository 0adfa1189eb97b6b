//! How far from a bound of the data a figure leaves its contributors.
//!
//! With b the smallest value of a column and dᵢ = wᵢ·(xᵢ − b) ≥ 0, a figure Σ wᵢ·xᵢ tells D = Σ dᵢ, so that nobody has
//! more than b + D/wᵢ; whoever contributes d_q of it knows that nobody else has more than b + (D − d_q)/wᵢ. Twelve people
//! with a total of 15 in a column of thousands have next to nothing, all of them, whatever a prior that reaches below b makes
//! of it. Likewise from the largest value downwards. (A negative weight turns the two round.)
//!
//! What is left is an interval of some width at a bound, and it is narrow if few of the column's values lie in it: the
//! attacker knows that each contributor is among these. Both this share and the width grow together, so that a share is a
//! width ([`Limits`]), found once for each column.

use super::grouped::{Near, ReleaseGroups};
use super::persons::Persons;
use super::policy::{Policy, Thresholds, Verdict};
use super::release::Release;

/// Doubles that differ by less of their size are meant to be the same.
const SAME: f64 = 1e-9;

/// So much noise is not taken for possible, in standard deviations.
const NOISE: f64 = 2.0;

/// At which end of a column's values: the smallest, or the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The smallest value.
    Smallest,
    /// The largest value.
    Largest,
}

const BOUNDS: [Bound; 2] = [Bound::Smallest, Bound::Largest];

/// What is too narrow at one bound of a column: an interval of less than this width.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Limits {
    review: f64,
    fail: f64,
}

/// A secret column: its smallest and its largest value, and what is too near to each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ColumnBounds {
    pub(super) least: f64,
    pub(super) most: f64,
    limits: [Limits; 2],
}

impl ColumnBounds {
    /// How far a value is from both bounds of what it adds to a figure with this weight: from the least and from the most.
    pub(super) fn distances(&self, weight: f64, value: f64) -> [f64; 2] {
        let (below, above) = (weight.abs() * (value - self.least), weight.abs() * (self.most - value));
        if weight > 0.0 { [below, above] } else { [above, below] }
    }

    /// The distances of people with the sums Σw and Σw·x, whose weights have the same sign.
    pub(super) fn distances_of(&self, [weights, products]: [f64; 2]) -> [f64; 2] {
        let (below, above) = ((products - weights * self.least).abs(), (weights * self.most - products).abs());
        if weights > 0.0 { [below, above] } else { [above, below] }
    }

    /// The limits at the same two ends.
    fn limits(&self, weight: f64) -> [Limits; 2] {
        let [least, most] = self.limits;
        if weight > 0.0 { [least, most] } else { [most, least] }
    }
}

/// The bounds of each secret column, or of the one of groups.
pub(super) fn column_bounds<S>(release: &Release<S>, persons: &Persons, policy: &Policy) -> Vec<ColumnBounds> {
    if let Some(groups) = &release.groups {
        return vec![of_groups(groups, policy)];
    }
    let columns = 0..persons.columns().max(1);
    columns.map(|column| of_values(&release.truths[persons.entries(column)], policy)).collect()
}

fn of_values(values: &[f64], policy: &Policy) -> ColumnBounds {
    let range = |(least, most): (f64, f64), value: &f64| (least.min(*value), most.max(*value));
    let (least, most) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
    if policy.near_bound.is_off() || values.is_empty() {
        return ColumnBounds { least, most, limits: Default::default() };
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    let mut sorted = values.to_vec();
    // Fewer than a share s of n values lie within the width W of a bound if the ⌈s·n⌉th from there is farther.
    let mut at = |bound: Bound, share: Option<f64>| match share.map(|share| (share * count - SAME).ceil() as usize) {
        None | Some(0) => 0.0,
        Some(place) => {
            let place = place.min(values.len()) - 1;
            match bound {
                Bound::Smallest => *sorted.select_nth_unstable_by(place, f64::total_cmp).1 - least,
                Bound::Largest => most - *sorted.select_nth_unstable_by(values.len() - 1 - place, f64::total_cmp).1,
            }
        }
    };
    let narrow = policy.near_bound_percent / 100.0 * spread;
    let limits = BOUNDS.map(|bound| Limits {
        fail: at(bound, policy.near_bound.fail).min(narrow),
        review: at(bound, policy.near_bound.review).min(narrow),
    });
    ColumnBounds { least, most, limits }
}

/// Groups tell between which two numbers it is how many values are near a bound: too few for certain fails, and what may be
/// too few is for a person to look at.
fn of_groups<S>(groups: &ReleaseGroups<S>, policy: &Policy) -> ColumnBounds {
    let (least, most) = groups.whole_range();
    let narrow = policy.near_bound_percent / 100.0 * groups.spread();
    if policy.near_bound.is_off() || !(narrow > 0.0) {
        return ColumnBounds { least, most, limits: Default::default() };
    }
    let Thresholds { fail, review } = policy.near_bound;
    let limits = BOUNDS.map(|bound| {
        let near = Near::new(&groups.groups, bound, (least, most), narrow);
        let either = fail.into_iter().chain(review).reduce(f64::max);
        Limits {
            fail: fail.map_or(0.0, |share| near.surely_few(share)),
            review: either.map_or(0.0, |share| near.perhaps_few(share)),
        }
    });
    ColumnBounds { least, most, limits }
}

/// How far the contributors of one figure are from the bounds, in the unit of the figure.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Distances {
    /// D
    pub(super) total: [f64; 2],
    /// Who is farthest, with how far, and how far the next one is.
    farthest: [(usize, f64, f64); 2],
    /// The largest |wᵢ| times what is too narrow.
    needed: [f64; 2],
}

impl Distances {
    /// Adds what a person adds to the figure.
    pub(super) fn add(&mut self, person: usize, distances: [f64; 2]) {
        for (end, distance) in distances.into_iter().enumerate() {
            self.total[end] += distance;
            let (who, most, next) = &mut self.farthest[end];
            if distance > *most {
                (*who, *next, *most) = (person, *most, distance);
            } else {
                *next = next.max(distance);
            }
        }
    }

    /// Adds what a group of people add to the figure, of whom nobody adds more than `farthest`; who that is, is not known.
    pub(super) fn add_group(&mut self, totals: [f64; 2], farthest: [f64; 2]) {
        for (end, (total, distance)) in totals.into_iter().zip(farthest).enumerate() {
            self.total[end] += total;
            let (who, most, next) = &mut self.farthest[end];
            (*who, *most) = (usize::MAX, most.max(distance));
            *next = *most;
        }
    }

    /// Takes note of an entry's weight.
    pub(super) fn weigh(&mut self, bounds: &ColumnBounds, weight: f64) {
        for (needed, limits) in self.needed.iter_mut().zip(bounds.limits(weight)) {
            *needed = needed.max(weight.abs() * limits.review.max(limits.fail));
        }
    }

    /// Whether bounds alone say that nobody is near enough, also where some others are subtracted: (these, and whether their
    /// ends are the same).
    pub(super) fn is_clear(&self, times: f64, less: impl Iterator<Item = (Distances, f64, bool)> + Clone) -> bool {
        (0..2).all(|end| {
            let inner = less.clone().map(|(of, times, is_same)| of.total[if is_same { end } else { 1 - end }] * times);
            let left = self.total[end] * times * (1.0 - SAME) - inner.sum::<f64>();
            left - self.farthest[end].1 * times >= self.needed[end] * times
        })
    }

    /// What the figure leaves its contributors, whose entries, weights and columns these are, if that is too little. At both
    /// ends the figure may be farther away than it is by what rounding `hides`.
    pub(super) fn nearest<'b>(
        &self,
        entries: impl Iterator<Item = (usize, f64, &'b ColumnBounds)> + Clone,
        hides: [f64; 2],
    ) -> Option<NearBound> {
        let mut found: Option<NearBound> = None;
        for (end, hides) in hides.into_iter().enumerate() {
            let (who, most, next) = self.farthest[end];
            if self.total[end] - most + hides >= self.needed[end] {
                continue;
            }
            for (person, weight, bounds) in entries.clone() {
                // What the others leave together, for whoever of them has most.
                let left = (self.total[end] - if person == who { next } else { most }).max(0.0) + hides;
                let limits = bounds.limits(weight)[end];
                let short = |limit: f64| limit * (1.0 - SAME) * weight.abs() - left;
                let (fail_by, review_by) = (short(limits.fail), short(limits.review));
                if fail_by.max(review_by) <= 0.0 {
                    continue;
                }
                let is_least = (end == 0) == (weight > 0.0);
                let bound = if is_least { Bound::Smallest } else { Bound::Largest };
                let one = NearBound { bound, width: left / weight.abs(), fail_by, review_by };
                let is_worse = |other: &NearBound| (one.fail_by, one.review_by) > (other.fail_by, other.review_by);
                if found.as_ref().is_none_or(is_worse) {
                    found = Some(one);
                }
            }
        }
        found
    }
}

/// What a figure leaves somebody: an interval at a bound of the column that is too narrow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearBound {
    /// At which end.
    pub bound: Bound,
    /// How wide the interval is, for another contributor.
    pub width: f64,
    /// By how much the figure would have to be farther away not to fail; not positive if it does not.
    pub(super) fail_by: f64,
    /// The same for a review.
    pub(super) review_by: f64,
}

impl NearBound {
    /// What the rule says, where the figure has noise of this standard deviation.
    pub(super) fn verdict(&self, noise_std: f64) -> Verdict {
        let is_short = |by: f64| by > NOISE * noise_std;
        match (is_short(self.fail_by), is_short(self.review_by)) {
            (true, _) => Verdict::Fail,
            (false, true) => Verdict::Review,
            (false, false) => Verdict::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of people with these values and weights, of a column with these values.
    fn nearest(column: &[f64], people: &[(f64, f64)]) -> Option<NearBound> {
        nearest_rounded(column, people, [0.0; 2])
    }

    /// The same of a figure that is rounded, which hides so much at both ends.
    fn nearest_rounded(column: &[f64], people: &[(f64, f64)], hides: [f64; 2]) -> Option<NearBound> {
        let bounds = of_values(column, &Policy::default());
        let mut distances = Distances::default();
        for (person, (value, weight)) in people.iter().enumerate() {
            distances.weigh(&bounds, *weight);
            distances.add(person, bounds.distances(*weight, *value));
        }
        distances.nearest(people.iter().enumerate().map(|(person, (_, weight))| (person, *weight, &bounds)), hides)
    }

    fn thousands() -> Vec<f64> {
        (0..12).map(|_| 1.0).chain((0..28).map(|row| 1000.0 + 100.0 * f64::from(row))).collect()
    }

    #[test]
    fn a_small_total_bounds_everybody_and_a_large_one_nobody() {
        // Twelve with 1, 1, 2: others know their own 1 of the 3 that are above the smallest value, 1.
        let few: Vec<(f64, f64)> = [1.0, 2.0, 2.0, 2.0].into_iter().chain([1.0; 8]).map(|value| (value, 1.0)).collect();
        let found = nearest(&thousands(), &few).expect("narrow");
        assert_eq!((found.bound, found.width, found.verdict(0.0)), (Bound::Smallest, 2.0, Verdict::Fail));
        // A mean says the same.
        let mean: Vec<(f64, f64)> = few.iter().map(|(value, _)| (*value, 1.0 / 12.0)).collect();
        let found = nearest(&thousands(), &mean).expect("narrow");
        assert!((found.width - 2.0).abs() < 1e-12 && found.verdict(0.0) == Verdict::Fail);
        // Negative weights: the sum of what is missing.
        let turned: Vec<(f64, f64)> = few.iter().map(|(value, _)| (*value, -1.0)).collect();
        assert_eq!(nearest(&thousands(), &turned), nearest(&thousands(), &few));
        let many: Vec<(f64, f64)> = (0..12).map(|row| (1000.0 + f64::from(row), 1.0)).collect();
        assert_eq!(nearest(&thousands(), &many), None);
    }

    #[test]
    fn the_limits_are_those_of_the_shares() {
        // Of 0, 0, 0, 1, 2, 3, 4, 5, 6, 60 fewer than half lie within 1.9 of 0, and half lie within 2; fewer than three
        // quarters within 4.9. Half of the standard deviation is 8.7.
        let column = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 60.0];
        let [least, most] = of_values(&column, &Policy::default()).limits;
        assert_eq!((least.fail, least.review), (2.0, 5.0));
        let spread = ((1.0 + 4.0 + 9.0 + 16.0 + 25.0 + 36.0 + 3600.0) / 10.0 - 8.1f64.powi(2)).sqrt();
        assert!((most.fail - 0.5 * spread).abs() < 1e-9, "{most:?}");
        let of =
            |others: f64| nearest(&column, &[(60.0, 1.0), (others, 1.0), (0.0, 1.0)]).map(|near| near.verdict(0.0));
        // Whoever has 60 knows what the others have together.
        let verdicts = [1.9, 2.0, 4.9, 5.0].map(of);
        assert_eq!(verdicts, [Some(Verdict::Fail), Some(Verdict::Review), Some(Verdict::Review), None]);
    }

    #[test]
    fn what_rounding_hides_is_added_at_each_end() {
        let few: Vec<(f64, f64)> = [2.0; 3].into_iter().chain([1.0; 9]).map(|value| (value, 1.0)).collect();
        assert_eq!(nearest_rounded(&thousands(), &few, [500.0, 0.0]).map(|near| near.width), Some(502.0));
        assert_eq!(nearest_rounded(&thousands(), &few, [700.0, 0.0]), None);
        // At the other end these are far from 3700 anyway.
        assert_eq!(nearest_rounded(&thousands(), &few, [0.0, 700.0]), nearest(&thousands(), &few));
    }

    #[test]
    fn all_but_one_at_a_bound_are_known_to_that_one() {
        let column: Vec<f64> = (0..20).map(|row| f64::from(row % 5)).collect();
        let people: Vec<(f64, f64)> = [2.0].into_iter().chain([4.0; 11]).map(|value| (value, 1.0)).collect();
        let found = nearest(&column, &people).expect("narrow");
        assert_eq!((found.bound, found.width, found.verdict(0.0)), (Bound::Largest, 0.0, Verdict::Fail));
    }

    #[test]
    fn what_most_have_anyway_is_nothing_new_and_noise_widens_it() {
        let column: Vec<f64> = (0..100).map(|row| f64::from(u8::from(row < 5))).collect();
        let people: Vec<(f64, f64)> = [1.0].into_iter().chain([0.0; 11]).map(|value| (value, 1.0)).collect();
        assert_eq!(nearest(&column, &people), None);
        let found = nearest(&thousands(), &[(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]).expect("narrow");
        // The standard deviation is 1271; half of it is more than two standard deviations of the first noise.
        assert_eq!((found.width, found.fail_by.round()), (1.0, 635.0));
        let verdicts = [317.0, 318.0].map(|noise| found.verdict(noise));
        assert_eq!(verdicts, [Verdict::Fail, Verdict::Pass]);
    }
}
