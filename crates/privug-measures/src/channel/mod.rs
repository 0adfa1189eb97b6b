//! Measures of discrete secrets, mixtures and outputs: the quantitative information flow of a channel.

use privug_engine::sorting::CompactSort;

mod capacity;
mod cells;
mod densities;
mod gain;
#[cfg(test)]
mod information_tests;
mod measures;
mod mixture;
mod names;
mod plane;
mod quadratic;
mod spread;
#[cfg(test)]
mod tests;

pub use capacity::{Capacity, capacity, maximal_leakage_bits};
pub use densities::DenseOutput;
pub use gain::{Gain, GainError};
pub use measures::{ChannelMeasures, Method, Uncertainty};
pub use mixture::{Bounds, Piece, kl_bounds_bits, total_variation_bounds};
pub use names::{CHANNEL_MEASURES, channel_measure};
pub use spread::{SpreadOutput, SpreadWorld, is_same, spread_information_bits};

/// −Σ p log₂ p
pub fn entropy_bits(probabilities: &[f64]) -> f64 {
    let terms = probabilities.iter().filter(|p| **p > 0.0).map(|p| -p * p.log2());
    terms.sum::<f64>().max(0.0)
}

/// The probability of guessing right at once.
pub fn vulnerability(probabilities: &[f64]) -> f64 {
    probabilities.iter().copied().fold(0.0, f64::max)
}

/// The expected number of guesses, from 1, most likely values first.
pub fn guessing_entropy(probabilities: &[f64]) -> f64 {
    let mut sorted = probabilities.to_vec();
    sorted.sort_compact_by(|a, b| b.total_cmp(a));
    sorted.iter().zip(1..).map(|(p, guess)| p * f64::from(guess)).sum()
}

/// The same three of values in classes: each class has so many values, which are equally likely.
pub(crate) fn entropy_bits_of_classes(probabilities: &[f64], sizes: &[f64]) -> f64 {
    let inside = probabilities.iter().zip(sizes).map(|(p, size)| p * size.log2());
    entropy_bits(probabilities) + inside.sum::<f64>()
}

pub(crate) fn vulnerability_of_classes(probabilities: &[f64], sizes: &[f64]) -> f64 {
    probabilities.iter().zip(sizes).map(|(p, size)| p / size).fold(0.0, f64::max)
}

/// Within a class of n, the guesses are numbered from its first on: their mean is (n + 1)/2 behind those before.
pub(crate) fn guessing_entropy_of_classes(probabilities: &[f64], sizes: &[f64]) -> f64 {
    let mut sorted: Vec<(f64, f64)> = probabilities.iter().copied().zip(sizes.iter().copied()).collect();
    sorted.sort_compact_by(|a, b| (b.0 / b.1).total_cmp(&(a.0 / a.1)));
    let mut before = 0.0;
    let guesses = sorted.iter().map(|(p, size)| {
        let mean = before + (size + 1.0) / 2.0;
        before += size;
        p * mean
    });
    guesses.sum()
}

/// Σ p log₂ (p / q), for two distributions over the same values.
///
/// Written as Σ q·((1 + d) ln(1 + d) − d) with d = (p − q)/q, the same since both add up to 1: no term is negative, so
/// that nearly equal distributions do not end in the rounding of terms that cancel.
pub fn kl_bits(p: &[f64], q: &[f64]) -> f64 {
    let term = |(p, q): (&f64, &f64)| match (*p > 0.0, *q > 0.0) {
        (false, _) => q.max(0.0),
        (true, false) => f64::INFINITY,
        (true, true) => excess(*p, *q),
    };
    p.iter().zip(q).map(term).sum::<f64>() / std::f64::consts::LN_2
}

/// p ln(p / q) − (p − q). Far from 1, a quotient is not taken by its distance from 1: of one below 1e-16 nothing would be left,
/// and the whole of q would be missing.
fn excess(p: f64, q: f64) -> f64 {
    let quotient = p / q;
    if (0.5..=2.0).contains(&quotient) {
        return q * convex((p - q) / q);
    }
    let logarithm = if quotient.is_normal() { quotient.ln() } else { p.ln() - q.ln() };
    (p * logarithm - (p - q)).max(0.0)
}

/// (1 + d) ln(1 + d) − d, which is about d²/2 near 0.
fn convex(d: f64) -> f64 {
    if d.abs() > 1e-3 {
        return ((1.0 + d) * d.ln_1p() - d).max(0.0);
    }
    // Σ (−1)ᵏ dᵏ / (k (k − 1)) from k = 2.
    d * d * (0.5 - d * (1.0 / 6.0 - d * (1.0 / 12.0 - d * (1.0 / 20.0 - d * (1.0 / 30.0 - d / 42.0)))))
}

/// Half the sum of the differences.
pub fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
}
