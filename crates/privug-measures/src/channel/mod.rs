//! Measures of discrete secrets and outputs: the quantitative information flow of a channel.

mod capacity;
mod measures;

pub use capacity::{Capacity, capacity, maximal_leakage_bits};
pub use measures::{CHANNEL_MEASURES, ChannelMeasure, ChannelMeasures, Method};

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
    sorted.sort_by(|a, b| b.total_cmp(a));
    sorted.iter().zip(1..).map(|(p, guess)| p * f64::from(guess)).sum()
}

/// Σ p log₂ (p / q), with p and q over the same values.
pub fn kl_bits(p: &[f64], q: &[f64]) -> f64 {
    let terms = p.iter().zip(q).filter(|(p, _)| **p > 0.0).map(|(p, q)| p * (p / q).log2());
    terms.sum::<f64>().max(0.0)
}

/// Half the sum of the differences.
pub fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        assert_eq!(entropy_bits(&[0.5, 0.25, 0.25]), 1.5);
        assert_eq!(entropy_bits(&[1.0, 0.0]), 0.0);
        assert_eq!(guessing_entropy(&[0.25, 0.5, 0.25]), 1.75);
        assert_eq!(vulnerability(&[0.25, 0.5, 0.25]), 0.5);
        assert_eq!(kl_bits(&[1.0, 0.0], &[0.25, 0.75]), 2.0);
        assert_eq!(kl_bits(&[0.5, 0.5], &[1.0, 0.0]), f64::INFINITY);
        assert!((total_variation(&[0.7, 0.3], &[0.5, 0.5]) - 0.2).abs() < 1e-15);
    }
}
