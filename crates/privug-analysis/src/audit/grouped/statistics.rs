//! What is known of the secrets of groups.

use std::sync::Arc;

use super::members::Members;
use super::stand_ins::StandIns;
use crate::audit::in_effect::Steps;
use privug_engine::network::{Affine, Variables};
use privug_engine::number::{Constants, Rational};
use privug_tables::register::Groups;

/// The groups behind the entries of a release.
#[derive(Debug, Clone)]
pub struct ReleaseGroups<S> {
    pub(in crate::audit) groups: Arc<Groups>,
    pub(in crate::audit) stand_ins: Arc<StandIns>,
    /// The row of each entry.
    pub(in crate::audit) rows: Vec<u32>,
    /// The mean of each entry's group, which the figures depend on.
    pub(in crate::audit) means: Vec<Affine<S>>,
    /// Of each group that two rows stand for, somebody whose weight is in the middle.
    pub(in crate::audit) between: Variables<S>,
    pub(in crate::audit) members: Option<Arc<dyn Members>>,
}

/// units · 10^−scale; scales of sums of squares are at most 36.
pub(super) fn rational(units: i128, scale: u32) -> Rational {
    Rational::from(units) / Rational::from(10i128.pow(scale))
}

impl<S> ReleaseGroups<S> {
    /// The group of an entry.
    pub(in crate::audit) fn group(&self, entry: usize) -> usize {
        self.stand_ins.group[self.rows[entry] as usize] as usize
    }

    /// Whether an entry is the first, or the second, of two that stand for a group.
    pub(in crate::audit) fn place_in_pair(&self, entry: usize) -> Option<usize> {
        if self.stand_ins.pairs.is_empty() { None } else { self.stand_ins.place_in_pair(self.rows[entry]) }
    }

    /// What two rows have in the place of weights, of which `first` is the first entry.
    pub(in crate::audit) fn row_weights(&self, first: usize) -> Option<[f64; 2]> {
        let weights = self.stand_ins.weights.as_ref()?;
        let row = self.rows[first] as usize;
        Some([Constants::to_f64(weights[row].as_ref()?), Constants::to_f64(weights[row + 1].as_ref()?)])
    }

    /// How many people are behind an entry.
    pub(in crate::audit) fn size(&self, entry: usize) -> u64 {
        self.stand_ins.sizes[self.rows[entry] as usize]
    }

    /// Σ|x| of an entry.
    pub(in crate::audit) fn absolute_sum(&self, entry: usize) -> Rational {
        rational(self.groups.absolute_sums[self.group(entry)].unwrap_or(0), self.groups.scale)
    }

    /// Σx and Σ|x| of an entry, rounded.
    pub(in crate::audit) fn sums(&self, entry: usize) -> (f64, f64) {
        let group = self.group(entry);
        let unit = 10f64.powi(self.groups.scale as i32);
        let rounded = |units: &[Option<i128>]| units[group].unwrap_or(0) as f64 / unit;
        (rounded(&self.groups.sums), rounded(&self.groups.absolute_sums))
    }

    /// The smallest and the largest secret of an entry.
    pub(in crate::audit) fn range(&self, entry: usize) -> (f64, f64) {
        let group = self.group(entry);
        (self.groups.least[group], self.groups.most[group])
    }

    /// The largest |x| of an entry, descending.
    pub(in crate::audit) fn largest(&self, entry: usize) -> impl Iterator<Item = f64> {
        self.groups.largest[self.group(entry)].into_iter().filter(|value| *value >= 0.0)
    }

    /// The smallest and the largest secret of all.
    pub(in crate::audit) fn whole_range(&self) -> (f64, f64) {
        let ranges = (0..self.rows.len()).map(|entry| self.range(entry));
        ranges.fold((f64::INFINITY, f64::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    /// The steps in which the secrets are written: their sums have these decimals.
    pub(in crate::audit) fn steps(&self) -> Option<Steps> {
        let (least, most) = self.whole_range();
        let unit = 10_f64.powi(-(self.groups.scale as i32));
        (most > least).then(|| Steps { unit, count: ((most - least) / unit).round() })
    }

    /// √(Σ(x − x̄)²/n), where Σ(x − x̄)² = Σ n_g·(v_g + (x̄_g − x̄)²) over groups of n_g with the mean x̄_g and variance v_g.
    pub(in crate::audit) fn spread(&self) -> f64 {
        let scale = self.groups.scale;
        let people: u64 = (0..self.rows.len()).map(|entry| self.size(entry)).sum();
        if people == 0 {
            return 0.0;
        }
        let total = self.groups.sums.iter().flatten().fold(Rational::ZERO, |sum, units| sum + rational(*units, scale));
        let mean = total / Rational::from(people);
        let part = |entry: usize| {
            let row = self.rows[entry] as usize;
            let off = self.stand_ins.means[row].as_ref().map_or(0.0, |own| Constants::to_f64(&(own - &mean)));
            self.stand_ins.sizes[row] as f64 * (self.stand_ins.variances[row] + off * off)
        };
        ((0..self.rows.len()).map(part).sum::<f64>() / people as f64).sqrt()
    }
}
