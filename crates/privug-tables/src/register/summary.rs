//! What is kept of the secrets of a group: counts, exact sums, and the largest contributions.

use super::decimal::Decimal;

/// Powers of ten with more digits are not kept.
const MOST_DIGITS: u32 = 38;

/// So many of the largest absolute values are kept.
pub const LARGEST: usize = 3;

/// The secrets of one group. Sums are whole numbers of units, 10^−scale for one scale of all groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    pub(super) rows: u64,
    pub(super) sum: i128,
    pub(super) absolute: i128,
    /// The mean of the values and Σ(x − mean)², as they come in (Welford).
    pub(super) mean: f64,
    pub(super) deviations: f64,
    pub(super) least: f64,
    pub(super) most: f64,
    /// Descending absolute values; −1 where there are fewer.
    pub(super) largest: [f64; LARGEST],
    /// The sum of everybody's own prior mean.
    pub(super) prior_means: PairSum,
}

/// A sum in two doubles: what is rounded off the first is kept in the second, so that the sum of n numbers is off by some
/// n·2⁻¹⁰⁶ of their sizes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSum {
    /// The sum.
    pub high: f64,
    /// What has to be added to it.
    pub low: f64,
}

impl PairSum {
    /// A decimal, of which some 10⁻³⁰ may be lost.
    pub(super) fn of_decimal(decimal: Decimal) -> PairSum {
        let power = 10i128.pow(decimal.scale.min(MOST_DIGITS));
        let (whole, fraction) = (decimal.units / power, decimal.units % power);
        let high = whole as f64;
        // Whole numbers of more than 53 bits are rounded to others.
        let low = (whole - high as i128) as f64 + fraction as f64 / power as f64;
        PairSum { high: high + low, low: low - ((high + low) - high) }
    }

    /// Takes up a number. The rounding of a sum of two doubles is one itself (Knuth).
    pub(super) fn add(&mut self, value: f64) {
        let sum = self.high + value;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (value - part);
        self.high = sum;
    }

    /// Takes up so many times another sum.
    pub(super) fn add_times(&mut self, other: &PairSum, times: f64) {
        self.add_product(other.high, times);
        self.add_product(other.low, times);
    }

    /// Takes up a product, of which nothing is rounded off.
    pub(super) fn add_product(&mut self, one: f64, other: f64) {
        let product = one * other;
        self.add(product);
        self.low += one.mul_add(other, -product);
    }
}

impl Summary {
    pub(super) fn empty() -> Self {
        Summary {
            rows: 0,
            sum: 0,
            absolute: 0,
            mean: 0.0,
            deviations: 0.0,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            largest: [-1.0; LARGEST],
            prior_means: PairSum::default(),
        }
    }

    /// Takes up a value, which is so many units; `None` if a sum gets too large.
    pub(super) fn add(&mut self, value: f64, units: i128) -> Option<()> {
        self.rows += 1;
        self.sum = self.sum.checked_add(units)?;
        self.absolute = self.absolute.checked_add(units.abs())?;
        let before = value - self.mean;
        self.mean += before / self.rows as f64;
        self.deviations += before * (value - self.mean);
        self.least = self.least.min(value);
        self.most = self.most.max(value);
        let mut next = value.abs();
        for largest in &mut self.largest {
            if next > *largest {
                std::mem::swap(largest, &mut next);
            }
        }
        Some(())
    }

    /// The same with `digits` more digits after the decimal point.
    pub(super) fn rescale(&mut self, digits: u32) -> Option<()> {
        let factor = 10i128.checked_pow(digits)?;
        self.sum = self.sum.checked_mul(factor)?;
        self.absolute = self.absolute.checked_mul(factor)?;
        Some(())
    }
}
