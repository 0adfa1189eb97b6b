//! The most that a channel can tell, whatever the prior.

use std::collections::HashSet;

/// Rounds of the iteration at most; the gap is reported as it is.
const MAX_ROUNDS: usize = 100_000;
/// Probabilities that are looked at in all rounds together at most.
const MAX_CELLS: usize = 20_000_000;
/// A gap below this is not worth another round.
const ENOUGH_BITS: f64 = 1e-12;
/// Half a unit in the last place of 1.
const UNIT: f64 = f64::EPSILON / 2.0;

/// A capacity that lies between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// What some prior attains.
    pub low_bits: f64,
    /// What no prior exceeds.
    pub high_bits: f64,
}

/// The largest mutual information over all priors, by the iteration of Blahut and Arimoto.
///
/// For any prior r with output distribution q, I(r) ≤ C ≤ maxₛ D(W(·|s) ‖ q): both ends are computed, so that the result
/// is certified whenever the iteration stops (Blahut 1972, theorem 2). `docs/proofs/capacity.md` says how far rounding can
/// move them; where they meet, that is the last digits of a closed form.
pub fn capacity(channel: &[Vec<f64>]) -> Capacity {
    let channel = &distinct(channel);
    let secrets = channel.len();
    if secrets == 0 {
        return Capacity { low_bits: 0.0, high_bits: 0.0 };
    }
    let outputs = channel[0].len();
    let mut prior = vec![1.0 / secrets as f64; secrets];
    let mut best = Capacity { low_bits: 0.0, high_bits: f64::INFINITY };
    let rounds = (MAX_CELLS / (secrets * outputs).max(1)).clamp(1, MAX_ROUNDS);
    for _ in 0..rounds {
        let divergences = divergences_bits(channel, &prior);
        let information: f64 =
            prior.iter().zip(&divergences).filter(|(weight, _)| **weight > 0.0).map(|(weight, d)| weight * d).sum();
        let largest = divergences.iter().copied().fold(0.0, f64::max);
        best.low_bits = best.low_bits.max(information);
        best.high_bits = best.high_bits.min(largest);
        if best.high_bits - best.low_bits <= ENOUGH_BITS {
            break;
        }
        tilt(&mut prior, &divergences);
    }
    best.low_bits = best.low_bits.min(best.high_bits);
    if best.low_bits < best.high_bits {
        let off = rounding_bits(secrets, outputs, best.high_bits);
        best = Capacity { low_bits: (best.low_bits - off).max(0.0), high_bits: best.high_bits + off };
    }
    best
}

/// How far what each secret publishes is from what is published under a prior.
fn divergences_bits(channel: &[Vec<f64>], prior: &[f64]) -> Vec<f64> {
    let mut published = vec![0.0; channel[0].len()];
    for (row, weight) in channel.iter().zip(prior) {
        for (sum, p) in published.iter_mut().zip(row) {
            *sum += weight * p;
        }
    }
    channel.iter().map(|row| super::kl_bits(row, &published)).collect()
}

/// Makes secrets likelier that tell more.
fn tilt(prior: &mut [f64], divergences: &[f64]) {
    let largest = divergences.iter().copied().fold(0.0, f64::max);
    for (weight, divergence) in prior.iter_mut().zip(divergences) {
        *weight *= (divergence - largest).exp2();
    }
    let total: f64 = prior.iter().sum();
    for weight in prior {
        *weight /= total;
    }
}

/// A prior for which the information is about as large as it can be.
pub(super) fn best_prior(channel: &[Vec<f64>]) -> Vec<f64> {
    const ROUNDS: usize = 500;
    let mut prior = vec![1.0 / channel.len() as f64; channel.len()];
    for _ in 0..ROUNDS {
        let divergences = divergences_bits(channel, &prior);
        tilt(&mut prior, &divergences);
    }
    prior
}

/// How far rounding can move either end: probabilities of outputs are sums over all secrets, divergences over all outputs,
/// the information over the secrets again, and rows add up to 1 but for a unit in the last place of each probability.
fn rounding_bits(secrets: usize, outputs: usize, bits: f64) -> f64 {
    let roundings = (2 * secrets + 2 * outputs + 16) as f64;
    4.0 * roundings * UNIT * (1.0 + bits)
}

/// The different rows: secrets with the same row cannot be told apart, so that one of them carries all that is told.
fn distinct(channel: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut seen = HashSet::new();
    let bits = |row: &Vec<f64>| row.iter().map(|p| p.to_bits()).collect::<Vec<u64>>();
    channel.iter().filter(|row| seen.insert(bits(row))).cloned().collect()
}

/// log₂ Σ over outputs of the largest probability of the output: the min-entropy leakage of the worst prior.
pub fn maximal_leakage_bits(channel: &[Vec<f64>]) -> f64 {
    let outputs = channel.first().map_or(0, Vec::len);
    let largest = |output: usize| channel.iter().map(|row| row[output]).fold(0.0, f64::max);
    (0..outputs).map(largest).sum::<f64>().log2().max(0.0)
}
