//! The same in rationals: integers over one common denominator, multiplied out, or found from their remainders.

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::TooLarge;
use super::product::{self, Repeated};
use super::residues::{self, Power};
use crate::number::{Exact, Rational};

/// Multiplications of 64-bit words that a product may take.
const MAX_WORK: u64 = 1 << 34;
/// Nanoseconds for multiplications of remainders.
const MAX_RESIDUE_WORK: u64 = 20_000_000_000;
/// Digits of all numbers that are put together from remainders, in bits.
const MAX_RESIDUE_BITS: u64 = 1 << 27;
/// Products with fewer multiplications are simply multiplied out.
const SMALL_PRODUCT_WORK: u64 = 1 << 13;

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
    given_sum_of(kinds, sum, &vec![true; kinds.len()])
}

/// The same for the kinds that are asked for; of others there may be no posterior.
pub fn given_sum_of(kinds: &[(Vec<Rational>, u64)], sum: usize, asked: &[bool]) -> Result<Option<Known>, TooLarge> {
    let largest: u64 = kinds.iter().map(|(law, count)| (law.len() as u64 - 1) * count).sum();
    if sum as u64 > largest {
        return Ok(None);
    }
    if let Some(known) = of_yes_and_no(kinds, sum as u64, largest, asked)? {
        return Ok(Some(known));
    }
    let mut weights = vec![false; largest as usize + 1];
    weights[sum] = true;
    given_values(kinds, &weights)
}

/// The same for people who say yes or no, by remainders where that is less to do; `None` if it is not, or they say more.
fn of_yes_and_no(
    kinds: &[(Vec<Rational>, u64)],
    sum: u64,
    largest: u64,
    asked: &[bool],
) -> Result<Option<Known>, TooLarge> {
    let is_simple = kinds.iter().all(|(law, _)| law.len() == 2);
    if !is_simple || sum == 0 || sum == largest || product::work(std::iter::once((2, largest))) < SMALL_PRODUCT_WORK {
        return Ok(None);
    }
    // Who says no is counted where that is less.
    let counts_yes = sum <= largest / 2;
    let k = if counts_yes { sum } else { largest - sum };
    let mut ln_denominator = 0.0;
    let mut powers = Vec::with_capacity(kinds.len());
    for (law, count) in kinds {
        let (mut law, denominator) = integers(law);
        ln_denominator += *count as f64 * ln(&denominator);
        if !counts_yes {
            law.reverse();
        }
        let [no, yes] = [0, 1].map(|place| law[place].clone().unsigned_abs());
        powers.push(Power { no, yes, count: *count });
    }
    let people = asked.iter().filter(|asked| **asked).count() as u64;
    let digits = residues::bits(&powers).saturating_mul(people);
    if residues::work(&powers, k, people) > MAX_RESIDUE_WORK || digits > MAX_RESIDUE_BITS {
        return Err(TooLarge);
    }
    let (evidence, without) = residues::coefficients(&powers, k as usize, asked);
    let posterior = |(power, without): (&Power, &Option<UBig>)| {
        let Some(without) = without else { return Vec::new() };
        let yes = Rational::from_parts(IBig::from(&power.yes * without), evidence.clone());
        let no = Rational::ONE - &yes;
        if counts_yes { vec![no, yes] } else { vec![yes, no] }
    };
    let posteriors = powers.iter().zip(&without).map(posterior).collect();
    Ok(Some(Known { posteriors, ln_probability: ln(&IBig::from(evidence.clone())) - ln_denominator }))
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
    let mut denominator = UBig::ONE;
    for p in law {
        let shared = (&denominator).gcd(p.denominator());
        denominator = denominator / shared * p.denominator();
    }
    let whole = |p: &Rational| p.numerator() * IBig::from(&denominator / p.denominator());
    (law.iter().map(whole).collect(), IBig::from(denominator.clone()))
}

fn ratio(numerator: IBig, denominator: &IBig) -> Rational {
    Rational::from_parts(numerator, denominator.clone().try_into().unwrap_or(UBig::ONE))
}

fn ln(value: &IBig) -> f64 {
    crate::choices::Mass::of(Exact::from(Rational::from(value.clone()))).ln()
}
