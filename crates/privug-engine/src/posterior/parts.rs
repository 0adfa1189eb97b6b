//! The parts that a sweep passes on from node to node: coefficients with bounds on their errors.

use super::range::{OutOfRange, exponent};
use super::residue::Primes;
use super::row::{Part, number_error};
use crate::number::{Constants, Field, NUMBER_ERROR, Scalar, Wide};

/// Coefficients beyond 2^±900 would lose digits to underflow in products.
pub(super) const COEFFICIENT_EXPONENT: i32 = 900;

/// Stands for the part of a node that nothing has been passed on to.
pub(super) const NOTHING: u32 = 0;

/// The parts of a sweep. Sums of very many variables pass the same on to all of them.
#[derive(Debug)]
pub(super) struct Parts<S: Scalar> {
    /// The first is [`NOTHING`], the second 1.
    pub all: Vec<Part<S::Wide>>,
    /// The last product that was added to something: of what, with which weight, to what, and the result.
    last: Option<(u32, S, u32, u32)>,
    pub primes: Primes,
}

impl<S: Scalar> Parts<S> {
    pub(super) fn new(primes: Primes) -> Self {
        Parts { all: Vec::new(), last: None, primes }
    }

    /// Forgets all parts, and gives the number of 1.
    pub(super) fn begin(&mut self) -> u32 {
        self.last = None;
        self.all.clear();
        self.all.push(Part::new(S::Wide::zero()));
        self.all.push(Part { residue: self.primes.one(), ..Part::new(S::Wide::one()) });
        1
    }

    /// The number of `part / divisor`.
    pub(super) fn divided(&mut self, part: u32, divisor: Option<&S>) -> Result<u32, OutOfRange> {
        let Some(divisor) = divisor else { return Ok(part) };
        let quotient = quotient(&self.all[part as usize], divisor, &self.primes)?;
        self.all.push(quotient);
        Ok(self.all.len() as u32 - 1)
    }

    /// The number of `to + part·weight`.
    pub(super) fn passed_on(&mut self, part: u32, weight: &S, to: u32) -> Result<u32, OutOfRange> {
        if to == NOTHING && *weight == S::one() {
            return Ok(part);
        }
        if let Some((last_part, last_weight, last_to, result)) = &self.last
            && (*last_part, *last_to) == (part, to)
            && last_weight == weight
        {
            return Ok(*result);
        }
        let sum = sum(&self.all[part as usize], weight, &self.all[to as usize], &self.primes)?;
        let result = self.all.len() as u32;
        self.all.push(sum);
        self.last = Some((part, weight.clone(), to, result));
        Ok(result)
    }
}

/// `to + part·weight`
fn sum<S: Scalar>(
    part: &Part<S::Wide>,
    weight: &S,
    to: &Part<S::Wide>,
    primes: &Primes,
) -> Result<Part<S::Wide>, OutOfRange> {
    let Part { coefficient, error, residue, rounded } = part;
    let product = coefficient.mul_narrow(weight);
    let mut sum = Part::new(to.coefficient.add(&product));
    if S::EXACT {
        // Only numbers that are known to be rounded bring errors.
        if weight.is_rounded() || error.max(to.error) > 0.0 {
            let (size, by) = (coefficient.to_f64().abs(), weight.to_f64().abs());
            sum.error = to.error + error * by + (size + error) * number_error(weight);
            sum.error = sum.error.max(f64::MIN_POSITIVE);
        }
        return Ok(sum);
    }
    let (size, product_size) = (coefficient.to_f64().abs(), product.to_f64().abs());
    let vanished = product_size == 0.0 || exponent(product_size).abs() > COEFFICIENT_EXPONENT;
    if !coefficient.is_zero() && vanished {
        return Err(OutOfRange);
    }
    let weight_error = number_error(weight);
    sum.error = to.error + error * weight.to_f64().abs() + (size + error) * weight_error;
    sum.rounded = to.rounded | rounded | (weight_error > 0.0);
    // Products and sums of single doubles are exact in a pair of them.
    if is_pair(coefficient) {
        sum.error += S::Wide::UNIT_ROUNDOFF * product_size;
    }
    if !to.coefficient.is_zero() && (is_pair(&to.coefficient) || is_pair(&product)) {
        sum.error += S::Wide::UNIT_ROUNDOFF * (to.coefficient.to_f64().abs() + product_size);
    }
    sum.residue = primes.sum_of_product(&to.residue, residue, &primes.of_double(weight.to_f64()));
    Ok(sum)
}

/// `part / divisor`
fn quotient<S: Scalar>(part: &Part<S::Wide>, divisor: &S, primes: &Primes) -> Result<Part<S::Wide>, OutOfRange> {
    let Part { coefficient, error, residue, rounded } = part;
    let mut quotient = Part::new(coefficient.div(&S::Wide::widen(divisor)));
    if S::EXACT {
        if divisor.is_rounded() || *error > 0.0 {
            let size = quotient.coefficient.to_f64().abs();
            quotient.error = error / divisor.to_f64().abs() + (size + error) * 2.0 * NUMBER_ERROR;
            quotient.error = quotient.error.max(f64::MIN_POSITIVE);
        }
        return Ok(quotient);
    }
    let (size, divisor_size) = (quotient.coefficient.to_f64().abs(), divisor.to_f64().abs());
    let vanished = size == 0.0 || exponent(size).abs() > COEFFICIENT_EXPONENT;
    if !coefficient.is_zero() && vanished {
        return Err(OutOfRange);
    }
    let error = error / divisor_size;
    // 1/(1 − ρ) is below 1 + ρ + 2ρ² for a relative error ρ of the divisor.
    let relative = number_error(divisor) / divisor_size;
    quotient.error = error + (size + error) * (relative * (1.0 + 2.0 * relative) + S::Wide::UNIT_ROUNDOFF);
    quotient.rounded = *rounded || divisor.is_rounded();
    match primes.quotient(residue, &primes.of_double(divisor.to_f64())) {
        Some(residue) => quotient.residue = residue,
        None => quotient.rounded = true,
    }
    Ok(quotient)
}

/// Whether a wide number needs more than one double.
fn is_pair<W: Wide>(number: &W) -> bool {
    number.mantissa_bits() > 53
}
