//! Weights that are nearly everybody's own, which nobody is grouped by: their sums are kept in each group.
//!
//! Where everybody's weight in a figure is affine in a column w, the sums Σw, Σw², Σw·x of a group say what the figure is
//! (docs/scale.md). People with weights above 0, below 0 and of 0 are groups of their own, so that nobody's sign is in doubt.

use super::summary::{LARGEST, PairSum};

/// The weights of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// The smallest weight.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// How many people have the smallest.
    pub at_least: u64,
    /// How many have the largest.
    pub at_most: u64,
    /// The secret of somebody with the smallest weight and of somebody with the largest, where they are known.
    pub secrets: [f64; 2],
    /// The prior means of the same two, where everybody has their own.
    pub prior_means: [f64; 2],
    /// Σw
    pub sum: PairSum,
    /// Σw²
    pub squares: PairSum,
    /// Σw·x over those who have a secret.
    pub products: PairSum,
    /// Σw·|x|
    pub absolute: PairSum,
    /// Σw·m with everybody's own prior mean m.
    pub prior_products: PairSum,
    /// The largest |w·x|, descending; −1 where there are fewer.
    pub largest: [f64; LARGEST],
}

/// How weights tell people apart, although nobody is grouped by them: missing, below 0, 0 and above 0.
pub(super) fn sign_code(weight: f64) -> u32 {
    match weight {
        weight if weight.is_nan() => 0,
        weight if weight < 0.0 => 1,
        0.0 => 2,
        _ => 3,
    }
}

impl Weights {
    pub(super) fn empty() -> Self {
        Weights {
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            at_least: 0,
            at_most: 0,
            secrets: [f64::NAN; 2],
            prior_means: [f64::NAN; 2],
            sum: PairSum::default(),
            squares: PairSum::default(),
            products: PairSum::default(),
            absolute: PairSum::default(),
            prior_products: PairSum::default(),
            largest: [-1.0; LARGEST],
        }
    }

    /// Takes up somebody with a weight; a secret or a prior mean that is missing is NaN.
    pub(super) fn add(&mut self, weight: f64, secret: f64, prior_mean: f64) {
        let sums = self;
        sums.sum.add(weight);
        sums.squares.add_product(weight, weight);
        if weight < sums.least {
            (sums.least, sums.at_least, sums.secrets[0], sums.prior_means[0]) = (weight, 0, secret, prior_mean);
        }
        if weight > sums.most {
            (sums.most, sums.at_most, sums.secrets[1], sums.prior_means[1]) = (weight, 0, secret, prior_mean);
        }
        sums.at_least += u64::from(weight == sums.least);
        sums.at_most += u64::from(weight == sums.most);
        if !prior_mean.is_nan() {
            sums.prior_products.add_product(weight, prior_mean);
        }
        if secret.is_nan() {
            return;
        }
        sums.products.add_product(weight, secret);
        sums.absolute.add_product(weight, secret.abs());
        let mut next = (weight * secret).abs();
        for largest in &mut sums.largest {
            if next > *largest {
                std::mem::swap(largest, &mut next);
            }
        }
    }

    /// Whether everybody has the same.
    pub fn is_one(&self) -> bool {
        self.least == self.most
    }

    /// Whether so many people have two different ones.
    pub fn are_two(&self, people: u64) -> bool {
        !self.is_one() && self.at_least + self.at_most == people
    }
}
