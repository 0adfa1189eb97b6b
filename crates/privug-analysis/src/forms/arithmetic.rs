//! Sums, multiples and quotients of forms, element by element.

use super::combine::Gathered;
use super::decimals::{Whole, is_plain};
use super::{Forms, FormsError};

/// One number for all elements, or one for each.
fn number(numbers: &[f64], at: usize) -> f64 {
    if numbers.len() == 1 { numbers[0] } else { numbers[at] }
}

/// Whether a product of doubles is no double, or is written as another decimal than the product of theirs: 2·0.30000000000000004
/// is 0.6000000000000001.
pub(super) fn loses_digits(one: f64, other: f64, product: f64) -> bool {
    one.abs() != 1.0
        && other.abs() != 1.0
        && (one.mul_add(other, -product) != 0.0 || !(is_plain(one) && is_plain(other) && is_plain(product)))
}

/// A divisor as a whole number, and the power of two that the dividend is multiplied by instead; the number itself where it
/// has many digits, as it stands for the decimal that it is written as.
fn whole_divisor(by: f64) -> (f64, f64) {
    const MOST_TWOS: i32 = 20;
    let twos = (0..=MOST_TWOS).map(|power| 2.0_f64.powi(power)).find(|twos| (by * twos).fract() == 0.0);
    match twos {
        Some(twos) if (by * twos).abs() < 1e9 => (by * twos, twos),
        Some(_) | None => (by, 1.0),
    }
}

impl Forms {
    fn check_numbers(&self, numbers: &[f64]) -> Result<(), FormsError> {
        if numbers.len() == 1 || numbers.len() == self.len() { Ok(()) } else { Err(FormsError::Length) }
    }

    /// The sum with numbers: one for all, or one for each element. NaN makes an element missing.
    pub fn plus(&self, numbers: &[f64]) -> Result<Self, FormsError> {
        self.check_numbers(numbers)?;
        let mut sum = self.clone();
        for (at, offset) in sum.offsets.iter_mut().enumerate() {
            let was_missing = offset.is_nan();
            *offset += number(numbers, at);
            if offset.is_infinite() || (offset.is_nan() && !was_missing && !number(numbers, at).is_nan()) {
                return Err(FormsError::NotFinite(at));
            }
        }
        sum.forget_missing();
        Ok(sum)
    }

    /// The product with numbers: one for all, or one for each element. NaN makes an element missing.
    pub fn times(&self, numbers: &[f64]) -> Result<Self, FormsError> {
        self.check_numbers(numbers)?;
        let mut product = Self::with_capacity(self.len());
        product.is_rounded = self.is_rounded;
        product.sources.reserve(self.sources.len());
        product.weights.reserve(self.weights.len());
        for at in 0..self.len() {
            let (form, factor) = (self.get(at), number(numbers, at));
            let offset = form.offset * factor;
            if offset.is_nan() && (form.offset.is_nan() || factor.is_nan()) {
                product.finish(f64::NAN);
                continue;
            }
            if !factor.is_finite() || !offset.is_finite() {
                return Err(FormsError::NotFinite(at));
            }
            // A mean times the number of its people is the sum again.
            let (factor, divisor) = match factor.abs() == form.divisor {
                true => (factor.signum(), 1.0),
                false => (factor, form.divisor),
            };
            let is_lost = form.weights.iter().any(|weight| loses_digits(*weight, factor, weight * factor));
            let whole = if is_lost { Whole::scaled(form, number(numbers, at), 1.0) } else { None };
            let divisor = match whole {
                Some(whole) => {
                    product.sources.extend(whole.terms.iter().map(|(source, _)| *source));
                    product.weights.extend(whole.terms.iter().map(|(_, weight)| *weight));
                    whole.divisor
                }
                None if factor != 0.0 => {
                    product.is_rounded |= is_lost;
                    for (source, weight) in form.sources.iter().zip(form.weights) {
                        let scaled = weight * factor;
                        if !scaled.is_normal() {
                            return Err(FormsError::NotFinite(at));
                        }
                        product.sources.push(*source);
                        product.weights.push(scaled);
                    }
                    divisor
                }
                None => divisor,
            };
            product.finish(offset);
            product.set_divisor(divisor);
            product.set_unit(form.unit * number(numbers, at).abs());
        }
        product.pad();
        Ok(product)
    }

    /// The quotient by numbers: one for all, or one for each element. NaN makes an element missing.
    pub fn over(&self, numbers: &[f64]) -> Result<Self, FormsError> {
        self.check_numbers(numbers)?;
        let mut quotient = self.clone();
        for at in 0..self.len() {
            let by = number(numbers, at);
            if quotient.offsets[at].is_nan() || by.is_nan() {
                quotient.offsets[at] = f64::NAN;
                continue;
            }
            if by == 0.0 {
                return Err(FormsError::DivisionByZero(at));
            }
            quotient.offsets[at] /= by;
            if !quotient.offsets[at].is_finite() || !by.is_finite() {
                return Err(FormsError::NotFinite(at));
            }
            let terms = self.terms(at);
            let whole = if by.fract() == 0.0 { None } else { Whole::scaled(self.get(at), 1.0, by) };
            if let Some(whole) = whole {
                for (weight, (_, own)) in quotient.weights[terms].iter_mut().zip(&whole.terms) {
                    *weight = *own;
                }
                quotient.put_divisor(at, whole.divisor);
                if let Some(units) = &mut quotient.units {
                    units[at] /= by.abs();
                }
                continue;
            }
            // 12.5 is 25/2: a whole divisor is a common one with others.
            let are_plain = quotient.weights[terms.clone()].iter().all(|weight| is_plain(*weight));
            let (by, twos) = if are_plain { whole_divisor(by) } else { (by, 1.0) };
            if twos != 1.0 {
                for weight in &mut quotient.weights[terms.clone()] {
                    *weight *= twos;
                    if !weight.is_normal() {
                        return Err(FormsError::NotFinite(at));
                    }
                }
            }
            let exact = |weight: &f64| (weight / by).is_normal() && !loses_digits(weight / by, by, *weight);
            let divisor = self.divisor(at) * by;
            if quotient.weights[terms.clone()].iter().all(exact) {
                quotient.weights[terms].iter_mut().for_each(|weight| *weight /= by);
            } else if divisor.is_normal() && !loses_digits(self.divisor(at), by, divisor) {
                quotient.put_divisor(at, divisor);
            } else if let Some(whole) = Whole::scaled(self.get(at), 1.0, number(numbers, at)) {
                for (weight, (_, own)) in quotient.weights[terms].iter_mut().zip(&whole.terms) {
                    *weight = *own;
                }
                quotient.put_divisor(at, whole.divisor);
            } else {
                quotient.is_rounded = true;
                let own = self.divisor(at);
                // A deflated sum over the number of its people: the number stays, so that both have the same digits.
                let by = if by.fract() == 0.0 && own.fract() != 0.0 {
                    quotient.put_divisor(at, by);
                    own
                } else {
                    by
                };
                for weight in &mut quotient.weights[terms] {
                    *weight /= by;
                    if !weight.is_normal() {
                        return Err(FormsError::NotFinite(at));
                    }
                }
            }
            if let Some(units) = &mut quotient.units {
                units[at] /= number(numbers, at).abs();
            }
        }
        quotient.forget_missing();
        Ok(quotient)
    }

    /// The sum with `sign` times another column of the same length, or of one element.
    pub fn plus_forms(&self, other: &Forms, sign: f64) -> Result<Self, FormsError> {
        if other.len() != self.len() && other.len() != 1 {
            return Err(FormsError::Length);
        }
        let mut sum = Self::with_capacity(self.len());
        let mut gathered = Gathered::default();
        for at in 0..self.len() {
            let right = other.get(if other.len() == 1 { 0 } else { at });
            sum.push_combination(&mut gathered, [(self.get(at), 1.0), (right, sign)].into_iter(), at)?;
        }
        sum.is_rounded |= self.is_rounded | other.is_rounded;
        Ok(sum)
    }

    /// The same, rounded to multiples of a unit. The weights stay as they are: rounding is a function of the figure.
    pub fn rounded_to(&self, unit: f64) -> Self {
        let mut rounded = self.clone();
        let units = (0..self.len()).map(|at| if self.terms(at).is_empty() { 0.0 } else { self.unit(at).max(unit) });
        rounded.units = Some(units.collect());
        rounded
    }

    /// Missing elements have no terms.
    fn forget_missing(&mut self) {
        let has_terms = |at: usize| self.offsets[at].is_nan() && !self.terms(at).is_empty();
        if !(0..self.len()).any(has_terms) {
            return;
        }
        let places: Vec<i64> =
            (0..self.len()).map(|at| if self.offsets[at].is_nan() { -1 } else { at as i64 }).collect();
        if let Ok(kept) = self.take(&places) {
            *self = kept;
        }
    }

    /// The divisor of the element that was finished last.
    pub(super) fn set_divisor(&mut self, divisor: f64) {
        if divisor != 1.0 {
            self.put_divisor(self.len() - 1, divisor);
        }
    }

    fn put_divisor(&mut self, at: usize, divisor: f64) {
        let len = self.len();
        let divisors = self.divisors.get_or_insert_default();
        divisors.resize(len.max(divisors.len()), 1.0);
        divisors[at] = divisor;
    }

    /// The unit of the element that was finished last.
    pub(super) fn set_unit(&mut self, unit: f64) {
        if unit != 0.0 {
            let len = self.len();
            let units = self.units.get_or_insert_default();
            units.resize(len, 0.0);
            units[len - 1] = unit;
        }
    }

    /// Gives every element a divisor and a unit where some have one.
    pub(super) fn pad(&mut self) {
        let len = self.len();
        if let Some(divisors) = &mut self.divisors {
            divisors.resize(len, 1.0);
        }
        if let Some(units) = &mut self.units {
            units.resize(len, 0.0);
        }
    }
}
