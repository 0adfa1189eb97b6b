//! What is known of people whose group has weights of their own: it depends on a person's weight w, and on nothing else.
//!
//! Somebody's secret is c₁·x̄₁ + c₂·x̄₂ of two rows' means and something that no figure depends on, with c₁ and c₂ affine in w
//! (`stand_ins`). So the mean moves by something affine in w, and what is left of the variance is quadratic in w: both are
//! known for everybody once they are for three people, those with the smallest and the largest weight and one in the middle. What
//! the release takes away from the variance, a variance itself, is convex in w: nobody loses more than one of the two at the ends.

use privug_engine::posterior::{Marginals, Spread};
use privug_tables::register::Rows;

use super::statistics::ReleaseGroups;
use crate::audit::contributions::Involvement;
use crate::audit::people::PeopleColumns;
use crate::audit::policy::Policy;

/// What is known of somebody.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    mean_shift: f64,
    posterior_variance: f64,
    variance_reduction: f64,
}

/// What is known of the people of a group, by their weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::audit) struct Curve {
    least: f64,
    most: f64,
    /// Whether there are no other weights.
    are_two: bool,
    /// Of somebody in the middle.
    middle: Known,
}

/// Which entry tells about the people of which group.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::audit) struct EntryMap {
    /// The entry of each group, or the first of two; `u32::MAX` for those without a secret.
    first: Vec<u32>,
    /// One for each group, where there are weights of their own.
    curves: Vec<Option<Curve>>,
}

impl EntryMap {
    /// `between` is what is known of the people in the middle.
    pub(in crate::audit) fn new<S>(of: &ReleaseGroups<S>, between: &Marginals<f64>) -> Self {
        let mut map = EntryMap { first: vec![u32::MAX; of.groups.len()], curves: Vec::new() };
        for entry in (0..of.rows.len()).rev() {
            map.first[of.group(entry)] = entry as u32;
        }
        if of.stand_ins.pairs.is_empty() {
            return map;
        }
        map.curves = vec![None; of.groups.len()];
        for (pair, spread) in of.stand_ins.pairs.iter().zip(between.spreads()) {
            let group = of.stand_ins.group[pair.first as usize] as usize;
            let Some(weights) = of.stand_ins.weights_of(group) else { continue };
            map.curves[group] = Some(Curve {
                least: weights.least,
                most: weights.most,
                are_two: weights.are_two(of.groups.sizes[group]),
                middle: Known {
                    mean_shift: spread.mean_shift,
                    posterior_variance: spread.posterior_variance,
                    variance_reduction: spread.variance_reduction,
                },
            });
        }
        map
    }

    /// The entry of a group, or the first of two.
    pub(in crate::audit) fn entry(&self, group: usize) -> Option<usize> {
        Some(self.first[group]).filter(|entry| *entry != u32::MAX).map(|entry| entry as usize)
    }

    /// How many groups have an entry.
    pub(in crate::audit) fn count(&self) -> usize {
        self.first.iter().filter(|entry| **entry != u32::MAX).count()
    }

    /// How many groups there are.
    pub(in crate::audit) fn len(&self) -> usize {
        self.first.len()
    }

    /// How far the mean of somebody in the middle moves, and the variance that is left.
    pub(in crate::audit) fn in_the_middle(&self, group: usize) -> Option<[f64; 2]> {
        let curve = self.curves.get(group)?.as_ref()?;
        Some([curve.middle.mean_shift, curve.middle.posterior_variance])
    }

    /// What is known about some people, as an audit of everybody alone has it; of those in groups that are `wanted`. `known` has the
    /// entries. Those without a secret are left out; the places of the others come with it.
    pub(in crate::audit) fn measured(
        &self,
        rows: &Rows,
        known: &PeopleColumns,
        scale: f64,
        policy: &Policy,
        wanted: &dyn Fn(usize) -> bool,
    ) -> (Vec<usize>, PeopleColumns) {
        let mut marginals: Marginals<f64> = Marginals::default();
        let mut involvement = Involvement::default();
        let (mut places, mut own) = (Vec::new(), Vec::new());
        for (place, (group, truth)) in rows.groups.iter().zip(&rows.secrets).enumerate() {
            let group = *group as usize;
            let Some(entry) = self.entry(group).filter(|_| !truth.is_nan() && wanted(group)) else { continue };
            let curve = self.curves.get(group).and_then(Option::as_ref);
            let (entry, found) = match (curve, &rows.weights) {
                (Some(curve), Some(weights)) => curve.at(known, entry, weights[place]),
                _ => (entry, of_entry(known, entry)),
            };
            let spread = Spread {
                mean_shift: found.mean_shift,
                prior_variance: known.prior_variance[entry],
                posterior_variance: found.posterior_variance,
                variance_reduction: found.variance_reduction,
                variance_if_all_published: found.posterior_variance,
                reduction_if_all_published: found.variance_reduction,
                fully_disclosed: known.fully_disclosed[entry] && found.posterior_variance == 0.0,
            };
            // Means of one group differ by what they are before.
            let before = rows.prior_means.as_ref().map_or(known.prior_mean[entry], |means| means[place]);
            let after = match before == known.prior_mean[entry] && found.mean_shift == known.mean_shift[entry] {
                true => known.posterior_mean[entry],
                false => before + found.mean_shift,
            };
            marginals.push(before, after, spread);
            involvement.figures.push(known.figures[entry]);
            involvement.smallest_frequency.push(known.smallest_frequency[entry]);
            places.push(place);
            own.push(*truth);
        }
        (places, PeopleColumns::measure(marginals, &own, |_| scale, involvement, policy))
    }
}

fn of_entry(known: &PeopleColumns, entry: usize) -> Known {
    Known {
        mean_shift: known.mean_shift[entry],
        posterior_variance: known.posterior_variance[entry],
        variance_reduction: known.variance_reduction[entry],
    }
}

impl Curve {
    /// What is known of somebody with a weight, and the entry that is like them. `first` is the entry of the smallest weight, and the
    /// next one that of the largest.
    fn at(&self, known: &PeopleColumns, first: usize, weight: f64) -> (usize, Known) {
        let ends = [of_entry(known, first), of_entry(known, first + 1)];
        if weight == self.least || weight == self.most || self.are_two {
            let place = usize::from(weight != self.least);
            return (first + place, ends[place]);
        }
        // The parabola through three points: its parts at t = 0, 1 and 1/2.
        let t = (weight - self.least) / (self.most - self.least);
        let parts = [(1.0 - t) * (1.0 - 2.0 * t), t * (2.0 * t - 1.0), 4.0 * t * (1.0 - t)];
        let through =
            |of: fn(&Known) -> f64| parts[0] * of(&ends[0]) + parts[1] * of(&ends[1]) + parts[2] * of(&self.middle);
        let variance = through(|known| known.posterior_variance);
        let found = Known {
            mean_shift: (1.0 - t) * ends[0].mean_shift + t * ends[1].mean_shift,
            // Somebody in between is not disclosed.
            posterior_variance: variance.max(f64::EPSILON * known.prior_variance[first]),
            variance_reduction: through(|known| known.variance_reduction).max(0.0),
        };
        (first, found)
    }
}
