//! The same in rationals: integers over one common denominator, multiplied out.

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::TooLarge;
use super::product::{self, Repeated};
use crate::number::{Exact, Rational};

/// Multiplications of 64-bit words that a product may take.
const MAX_WORK: u64 = 1 << 36;

/// What is known about one summand of each kind.
#[derive(Debug, Clone)]
pub struct Known {
    /// For each kind, the probabilities of a summand's values 0, 1, …, given what was seen of the sum.
    pub posteriors: Vec<Vec<Rational>>,
    /// The logarithm of the probability of what was seen.
    pub ln_probability: f64,
}

/// What is known about one summand of each kind, given the sum; `Ok(None)` if it is impossible.
pub fn given_sum(kinds: &[(Vec<Rational>, u64)], sum: usize) -> Result<Option<Known>, TooLarge> {
    let largest: u64 = kinds.iter().map(|(law, count)| (law.len() as u64 - 1) * count).sum();
    if sum as u64 > largest {
        return Ok(None);
    }
    let mut weights = vec![false; largest as usize + 1];
    weights[sum] = true;
    given_values(kinds, &weights)
}

/// The same where the sum is one of several values.
pub fn given_values(kinds: &[(Vec<Rational>, u64)], is_allowed: &[bool]) -> Result<Option<Known>, TooLarge> {
    let mut ln_denominator = 0.0;
    let mut bits = 0u64;
    let mut summands: Vec<Repeated<IBig>> = Vec::with_capacity(kinds.len());
    for (law, count) in kinds {
        let (law, denominator) = integers(law);
        ln_denominator += *count as f64 * ln(&denominator);
        bits = bits.saturating_add(count.saturating_mul(denominator.bit_len() as u64));
        summands.push((law, *count));
    }
    let words = bits / 64 + 1;
    let work = product::work(summands.iter().map(|(law, count)| (law.len() as u64, *count)));
    if work.saturating_mul(words) > MAX_WORK {
        return Err(TooLarge);
    }
    let weights: Vec<IBig> = is_allowed.iter().map(|allowed| IBig::from(u8::from(*allowed))).collect();
    let expected = product::expected_weights(&summands, &weights);
    let mut posteriors = Vec::with_capacity(kinds.len());
    let mut evidence = IBig::ZERO;
    for ((law, _), expected) in summands.iter().zip(&expected) {
        let joint: Vec<IBig> = law.iter().zip(expected).map(|(p, weight)| p * weight).collect();
        evidence = joint.iter().sum();
        if evidence.is_zero() {
            return Ok(None);
        }
        posteriors.push(joint.into_iter().map(|part| ratio(part, &evidence)).collect());
    }
    Ok(Some(Known { posteriors, ln_probability: ln(&evidence) - ln_denominator }))
}

/// A distribution as integers over a common denominator.
fn integers(law: &[Rational]) -> (Vec<IBig>, IBig) {
    use dashu_base::Gcd;
    let mut denominator = dashu_int::UBig::ONE;
    for p in law {
        let shared = (&denominator).gcd(p.denominator());
        denominator = denominator / shared * p.denominator();
    }
    let whole = |p: &Rational| p.numerator() * IBig::from(&denominator / p.denominator());
    (law.iter().map(whole).collect(), IBig::from(denominator.clone()))
}

fn ratio(numerator: IBig, denominator: &IBig) -> Rational {
    Rational::from_parts(numerator, denominator.clone().try_into().unwrap_or(dashu_int::UBig::ONE))
}

fn ln(value: &IBig) -> f64 {
    crate::choices::Mass::of(Exact::from(Rational::from(value.clone()))).ln()
}
