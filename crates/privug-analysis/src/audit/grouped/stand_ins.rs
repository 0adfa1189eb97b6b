//! The rows of a table of groups: one for each group, or two where its people have weights of their own.
//!
//! With weights w₁ … wₙ, every figure that is affine in them depends on the group through Σx and Σw·x only. Two rows of n₁ and n₂
//! people, n₁ + n₂ = n, with the weights w̄ − σ√(n₂/n₁) and w̄ + σ√(n₁/n₂) and with means x̄₁ and x̄₂ for which Σx and Σw·x are
//! those of the group, have the same Σw, Σw² and sums: the figures, and all their covariances, are those of everybody
//! (docs/scale.md). Where people have just two weights, the rows are these people.

use std::sync::Arc;

use super::statistics::rational;
use privug_engine::evaluate::{RowPair, Somebody};
use privug_engine::number::{Constants, Rational, Scalar};
use privug_tables::register::{Groups, PairSum, Weights};

/// Which rows stand for which groups.
#[derive(Debug, Clone)]
pub(in crate::audit) struct StandIns {
    pub(super) groups: Arc<Groups>,
    /// The group of each row.
    pub(super) group: Vec<u32>,
    /// How many people each row stands for.
    pub(in crate::audit) sizes: Vec<u64>,
    /// The mean of their secrets.
    pub(super) means: Vec<Option<Rational>>,
    /// The variance of their secrets.
    pub(super) variances: Vec<f64>,
    pub(super) prior_means: Option<Vec<Option<Rational>>>,
    pub(super) weights: Option<Vec<Option<Rational>>>,
    /// The first rows of groups that two stand for, ascending, and who is looked at in them.
    pub(super) pairs: Vec<RowPair>,
}

impl StandIns {
    pub(super) fn new(groups: Arc<Groups>) -> Self {
        let count = groups.len();
        let mut rows = StandIns {
            group: Vec::with_capacity(count),
            sizes: Vec::with_capacity(count),
            means: Vec::with_capacity(count),
            variances: Vec::with_capacity(count),
            prior_means: groups.prior_means.as_ref().map(|_| Vec::with_capacity(count)),
            weights: groups.weights.as_ref().map(|_| Vec::with_capacity(count)),
            pairs: Vec::new(),
            groups: groups.clone(),
        };
        for group in 0..count {
            let weights = groups.weights.as_ref().map(|(_, weights)| weights[group]);
            match weights.flatten().filter(|weights| !weights.is_one() && groups.sums[group].is_some()) {
                Some(weights) if rows.push_two(group, &weights).is_some() => {}
                _ => rows.push_one(group, weights),
            }
        }
        rows
    }

    /// The sum of the secrets of a group.
    fn sum(&self, group: usize) -> Option<Rational> {
        Some(rational(self.groups.sums[group]?, self.groups.scale))
    }

    fn prior_sum(&self, group: usize) -> Option<Rational> {
        self.groups.prior_means.as_ref()?.1[group].as_ref().and_then(exact)
    }

    /// One row for a group. `weights` are those of its people, if there is such a column.
    fn push_one(&mut self, group: usize, weights: Option<Option<Weights>>) {
        let size = Rational::from(self.groups.sizes[group]);
        self.group.push(group as u32);
        self.sizes.push(self.groups.sizes[group]);
        self.means.push(self.sum(group).map(|sum| sum / &size));
        self.variances.push(self.groups.variances[group]);
        let prior_mean = self.prior_sum(group).map(|sum| sum / &size);
        if let Some(means) = &mut self.prior_means {
            means.push(prior_mean);
        }
        if let (Some(all), Some(weights)) = (&mut self.weights, weights) {
            // Of people without a secret only the sum counts.
            all.push(weights.and_then(|weights| match weights.is_one() {
                true => from_double(weights.least),
                false => exact(&weights.sum).map(|sum| sum / &size),
            }));
        }
    }

    /// Two rows for a group; `None` if its weights are no usual numbers.
    fn push_two(&mut self, group: usize, weights: &Weights) -> Option<()> {
        let people = self.groups.sizes[group];
        let (sum, size) = (exact(&weights.sum)?, Rational::from(people));
        // Σ(w − w̄)² of the people themselves.
        let own_squares = exact(&weights.squares)? - &sum * &sum / &size;
        let (first, low) = match weights.are_two(people) {
            true => (weights.at_least, weights.least),
            false => {
                let first = people / 2;
                let ratio = (people - first) as f64 / first as f64;
                let mean = weights.sum.high / people as f64 + weights.sum.low / people as f64;
                let variance = Constants::to_f64(&own_squares) / people as f64;
                (first, mean - (variance * ratio).sqrt())
            }
        };
        let sizes = [first, people - first];
        let (n_low, n_high) = (Rational::from(sizes[0]), Rational::from(sizes[1]));
        let low = from_double(low)?;
        let high = match weights.are_two(people) {
            true => from_double(weights.most)?,
            false => (&sum - &n_low * &low) / &n_high,
        };
        if low >= high {
            return None;
        }
        // x̄ + slope·(w − w̄) for both: the line of least squares has the group's Σx and Σw·x.
        let mean_weight = &sum / &size;
        let squares = {
            let (down, up) = (&low - &mean_weight, &high - &mean_weight);
            &n_low * &down * &down + &n_high * &up * &up
        };
        let line = |total: Rational, products: Rational| {
            let slope = (products - &mean_weight * &total) / &squares;
            let mean = total / &size;
            let at = |weight: &Rational| &mean + &slope * (weight - &mean_weight);
            ([at(&low), at(&high)], slope)
        };
        let (means, slope) = line(self.sum(group)?, exact(&weights.products)?);
        let explained = Constants::to_f64(&slope).powi(2) * Constants::to_f64(&squares) / people as f64;
        let left = (self.groups.variances[group] - explained).max(0.0);
        let prior_means = match self.prior_sum(group) {
            Some(total) => line(total, exact(&weights.prior_products)?).0.map(Some),
            None => [None, None],
        };
        let first_row = self.group.len() as u32;
        self.group.extend([group as u32; 2]);
        self.sizes.extend(sizes);
        self.means.extend(means.map(Some));
        self.variances.extend([left; 2]);
        if let Some(all) = &mut self.prior_means {
            all.extend(prior_means);
        }
        let (w_low, w_high) = (Constants::to_f64(&low), Constants::to_f64(&high));
        let middle = 0.5 * (weights.least + weights.most);
        let people = match weights.are_two(people) {
            true => {
                let left = |parts: [f64; 2]| {
                    1.0 - parts[0] * parts[0] / sizes[0] as f64 - parts[1] * parts[1] / sizes[1] as f64
                };
                [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]].map(|parts| Somebody { parts, left: left(parts) })
            }
            false => {
                let somebody = |weight: f64| {
                    let of_high = (weight - w_low) / (w_high - w_low);
                    // 1 − 1/n − (w − w̄)²/Σ(w − w̄)²: of somebody with nearly all of the weight next to nothing, so that no digit of
                    // it may be lost; but not nothing, as two sums tell nobody of several with different weights.
                    let off = from_double(weight)? - &mean_weight;
                    let left = Rational::ONE - Rational::ONE / &size - &off * &off / &own_squares;
                    let left = Constants::to_f64(&left).max(f64::MIN_POSITIVE);
                    Some(Somebody { parts: [1.0 - of_high, of_high], left })
                };
                [somebody(weights.least)?, somebody(weights.most)?, somebody(middle)?]
            }
        };
        self.pairs.push(RowPair { first: first_row, people });
        if let Some(all) = &mut self.weights {
            all.extend([Some(low), Some(high)]);
        }
        Some(())
    }

    /// What is known of the weights of a group.
    pub(in crate::audit) fn weights_of(&self, group: usize) -> Option<&Weights> {
        self.groups.weights.as_ref().and_then(|(_, weights)| weights[group].as_ref())
    }

    /// Whether a row is the first, or the second, of two.
    pub(in crate::audit) fn place_in_pair(&self, row: u32) -> Option<usize> {
        let found = self.pairs.binary_search_by_key(&row, |pair| pair.first);
        match found {
            Ok(_) => Some(0),
            Err(place) => (place > 0 && self.pairs[place - 1].first + 1 == row).then_some(1),
        }
    }
}

fn from_double(value: f64) -> Option<Rational> {
    <Rational as Scalar>::from_f64(value)
}

/// Both doubles of a sum.
fn exact(sum: &PairSum) -> Option<Rational> {
    Some(from_double(sum.high)? + from_double(sum.low)?)
}
