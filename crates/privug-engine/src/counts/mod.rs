//! Sums over people of independent small integers: what is known about a person when the sum is known.
//!
//! Equal summands are one distribution and how many of them there are. Up to a few thousand values the distribution of
//! the sum is multiplied out ([`product`]); beyond that the one probability that matters is found by a Fourier sum with a
//! proven bound ([`fourier`]). In exact arithmetic everything is multiplied out in integers.

mod chances;
pub mod exact;
pub mod fourier;
mod lanes;
mod linear;
mod pairs;
pub mod product;
mod residues;
mod scaled;
mod series;
mod transform;

pub use chances::Chances;
pub use product::{Repeated, work};
pub use scaled::Scaled;

/// Multiplications that a product may take.
const MAX_PRODUCT_WORK: u64 = 1 << 33;
/// With more, a Fourier sum is tried first.
const LARGE_PRODUCT_WORK: u64 = 1 << 23;
/// Terms of a Fourier sum.
const MAX_FOURIER_WORK: u64 = 1 << 30;

/// With a bound that is larger, it is multiplied out where that can be done.
const USEFUL_BOUND: f64 = 1e-10;

/// There is more to multiply than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

/// What is known about one summand of each kind.
#[derive(Debug, Clone)]
pub struct Known {
    /// For each kind, the probabilities of a summand's values 0, 1, …, given what was seen of the sum.
    pub posteriors: Vec<Chances>,
    /// How far off any of them can be, where a Fourier sum has found them: else they are off by rounding only.
    pub bound: Option<f64>,
    /// A bound on the relative error of each of them where they were multiplied out.
    pub relative_error: f64,
    /// The logarithm of the probability of what was seen.
    pub ln_probability: f64,
}

/// What is known about one summand of each kind, given the sum. `Ok(None)`: the sum is impossible.
///
/// Each distribution begins with a probability that is not 0.
pub fn given_sum<L: AsRef<[f64]> + Sync>(kinds: &[(L, u64)], sum: i64) -> Result<Option<Known>, TooLarge> {
    given_sum_of(kinds, sum, &vec![true; kinds.len()])
}

/// The same for the kinds that are asked for; of others there may be no posterior.
pub fn given_sum_of<L: AsRef<[f64]> + Sync>(
    kinds: &[(L, u64)],
    sum: i64,
    asked: &[bool],
) -> Result<Option<Known>, TooLarge> {
    let lengths = || kinds.iter().map(|(law, count)| (law.as_ref().len() as u64, *count));
    let largest: u64 = lengths().map(|(length, count)| (length - 1) * count).sum();
    let Some(sum) = u64::try_from(sum).ok().filter(|sum| *sum <= largest) else { return Ok(None) };
    let shared = stride(kinds).max(1);
    if shared > 1 {
        if sum % shared != 0 {
            return Ok(None);
        }
        let thinned: Vec<(Vec<f64>, u64)> =
            kinds.iter().map(|(law, count)| (thinned(law.as_ref(), shared as usize), *count)).collect();
        let known = given_sum_of(&thinned, (sum / shared) as i64, asked)?;
        return Ok(known.map(|known| Known { posteriors: spread(&known.posteriors, shared as usize), ..known }));
    }
    if sum == 0 || sum == largest {
        return Ok(Some(at_the_end(kinds, sum != 0)));
    }
    let effort = work(lengths());
    if effort > LARGE_PRODUCT_WORK
        && let Some(found) = fourier::observed_of(kinds, sum, MAX_FOURIER_WORK, asked)
    {
        let bound = found.posteriors.iter().map(|(_, bound)| *bound).fold(0.0, f64::max);
        if bound <= USEFUL_BOUND || effort > MAX_PRODUCT_WORK {
            let posteriors = found.posteriors.into_iter().map(|(posterior, _)| posterior).collect();
            return Ok(Some(Known {
                posteriors,
                bound: Some(bound),
                relative_error: 0.0,
                ln_probability: found.ln_probability,
            }));
        }
    }
    let mut weights = vec![Scaled::ZERO; largest as usize + 1];
    weights[sum as usize] = Scaled::ONE;
    given_weights(kinds, &weights)
}

/// Every so manieth of some probabilities.
fn thinned(law: &[f64], step: usize) -> Vec<f64> {
    law.iter().step_by(step).copied().collect()
}

/// The same where each value of the sum has a weight: how likely is all else that was seen, given the sum.
pub fn given_weights<L: AsRef<[f64]>>(kinds: &[(L, u64)], weights: &[Scaled]) -> Result<Option<Known>, TooLarge> {
    let lengths = || kinds.iter().map(|(law, count)| (law.as_ref().len() as u64, *count));
    if work(lengths()) > MAX_PRODUCT_WORK {
        return Err(TooLarge);
    }
    let summands = scaled(kinds);
    let expected = product::expected_weights(&summands, weights);
    let mut posteriors = Vec::with_capacity(kinds.len());
    let mut evidence = Scaled::ZERO;
    for ((law, _), expected) in summands.iter().zip(&expected) {
        let joint: Vec<Scaled> = law.iter().zip(expected).map(|(p, weight)| p.times(*weight)).collect();
        evidence = joint.iter().fold(Scaled::ZERO, |sum, part| sum.plus(*part));
        if evidence.is_zero() {
            return Ok(None);
        }
        // What is possible stays possible.
        let share = |part: &Scaled| if part.is_zero() { 0.0 } else { part.over(evidence).max(f64::MIN_POSITIVE) };
        posteriors.push(joint.iter().map(share).collect());
    }
    if kinds.is_empty() {
        evidence = weights[0];
        if evidence.is_zero() {
            return Ok(None);
        }
    }
    Ok(Some(Known { posteriors, bound: None, relative_error: rounding(lengths()), ln_probability: evidence.ln() }))
}

/// The distribution of a sum.
pub fn distribution<L: AsRef<[f64]>>(kinds: &[(L, u64)]) -> Vec<Scaled> {
    product::distribution(&scaled(kinds))
}

/// A bound on the relative error of probabilities that were multiplied out in doubles, and divided by their sum.
///
/// Nothing is negative, so that relative errors only add up. A coefficient of a product of two polynomials is off by what
/// they are off, and by u for each of its terms and one more: as many as the shorter has coefficients. Halves of a tree
/// with a total length n add up to at most n of these on each of at most 2·log₂(n) + 2 levels, and going down again does
/// the same once more. `docs/proofs/counts.md` has the proof.
pub fn rounding(kinds: impl Iterator<Item = (u64, u64)>) -> f64 {
    let (length, count) = kinds.fold((1u64, 1u64), |(length, all), (values, count)| {
        (length.saturating_add((values - 1).saturating_mul(count)), all.saturating_add(count))
    });
    let all = length as f64 + count as f64;
    4.0 * all * (2.0 * all.log2() + 4.0) * crate::number::ROUNDOFF
}

fn scaled<L: AsRef<[f64]>>(kinds: &[(L, u64)]) -> Vec<Repeated<Scaled>> {
    kinds.iter().map(|(law, count)| (law.as_ref().iter().map(|p| Scaled::new(*p)).collect(), *count)).collect()
}

/// The greatest number that all values are multiples of.
fn stride<L: AsRef<[f64]>>(kinds: &[(L, u64)]) -> u64 {
    let mut shared = 0u64;
    for (law, _) in kinds {
        for (value, p) in law.as_ref().iter().enumerate().skip(1) {
            if *p != 0.0 {
                shared = greatest_common_divisor(shared, value as u64);
            }
            if shared == 1 {
                return 1;
            }
        }
    }
    shared
}

/// The largest number that divides both.
pub fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn spread(posteriors: &[Chances], stride: usize) -> Vec<Chances> {
    let spread_one = |posterior: &Chances| {
        if posterior.is_empty() {
            return Chances::default();
        }
        let mut all = vec![0.0; (posterior.len() - 1) * stride + 1];
        for (place, p) in posterior.iter().enumerate() {
            all[place * stride] = *p;
        }
        all.into()
    };
    posteriors.iter().map(spread_one).collect()
}

/// The smallest sum, or the largest: everybody has their smallest or largest value.
fn at_the_end<L: AsRef<[f64]>>(kinds: &[(L, u64)], is_largest: bool) -> Known {
    let mut ln_probability = 0.0;
    let mut posteriors = Vec::with_capacity(kinds.len());
    for (law, count) in kinds {
        let law = law.as_ref();
        let place = if is_largest { law.len() - 1 } else { 0 };
        ln_probability += *count as f64 * law[place].ln();
        let mut posterior = vec![0.0; law.len()];
        posterior[place] = 1.0;
        posteriors.push(posterior.into());
    }
    Known { posteriors, bound: None, relative_error: 0.0, ln_probability }
}

#[cfg(test)]
mod tests;
