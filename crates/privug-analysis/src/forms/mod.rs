//! Columns of affine forms over secrets: what a secret column, and all that is linear in it, is to somebody who does not
//! know it.
//!
//! Element i of a column is
//!
//! ```text
//! (Σⱼ wᵢⱼ·xⱼ)/dᵢ + bᵢ        (sparse rows, j ascending; bᵢ is NaN where the element is missing)
//! ```
//!
//! The dᵢ are there because a third is no double: a mean is a sum of people with the weights as they are, and a number that
//! divides it. What is redundant and who is disclosed is decided by these weights, so no digit of them is lost silently:
//! [`Forms::is_rounded`] tells whether one was.

mod arithmetic;
mod column;
mod combine;
mod decimals;
#[cfg(test)]
mod tests;

use privug_engine::number::{Constants, DoubleDouble, Field, Wide};

pub use column::{Column, Parts};
pub use combine::Rows;

/// More terms than these are not kept: they would take gigabytes.
const MAX_TERMS: usize = 200_000_000;

/// Why a column cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormsError {
    /// It would have more terms than fit.
    TooLarge,
    /// A secret is divided by zero, at this place.
    DivisionByZero(usize),
    /// A secret meets an infinite number, or one too large, at this place.
    NotFinite(usize),
    /// A rounded secret is added to another secret, at this place.
    Rounded(usize),
    /// Two columns differ in length.
    Length,
    /// There is no element at this place.
    OutOfRange(i64),
}

/// A column of affine forms.
#[derive(Debug, Clone, PartialEq)]
pub struct Forms {
    /// Where the terms of each element begin; one more than there are elements.
    starts: Vec<u32>,
    sources: Vec<u32>,
    weights: Vec<f64>,
    offsets: Vec<f64>,
    /// `None` if all are 1.
    divisors: Option<Vec<f64>>,
    /// To multiples of what each element is rounded, 0 for those that are not; `None` if none is.
    units: Option<Vec<f64>>,
    is_rounded: bool,
}

/// One element, borrowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Form<'a> {
    /// The secrets, ascending.
    pub sources: &'a [u32],
    /// What each of them is multiplied by, before the division.
    pub weights: &'a [f64],
    /// What the sum is divided by.
    pub divisor: f64,
    /// What is added after the division; NaN if the element is missing.
    pub offset: f64,
    /// To multiples of what it is rounded; 0 if it is not.
    pub unit: f64,
}

impl Form<'_> {
    /// Its value for some values of the secrets, as accurately as a double can tell.
    pub fn at(&self, values: &[f64]) -> f64 {
        let mut sum = DoubleDouble::zero();
        for (source, weight) in self.sources.iter().zip(self.weights) {
            sum = sum.add(&DoubleDouble::widen(weight).mul_narrow(&values[*source as usize]));
        }
        Constants::to_f64(&sum.div(&DoubleDouble::widen(&self.divisor)).add_narrow(&self.offset))
    }
}

impl Forms {
    /// A column of secrets; `None` where there is no value.
    pub fn of_secrets(secrets: impl IntoIterator<Item = Option<u32>>) -> Self {
        let mut forms = Self::with_capacity(0);
        for secret in secrets {
            forms.sources.extend(secret);
            forms.weights.extend(secret.map(|_| 1.0));
            forms.finish(if secret.is_some() { 0.0 } else { f64::NAN });
        }
        forms
    }

    /// A column of numbers; NaN is missing.
    pub fn of_numbers(numbers: &[f64]) -> Self {
        let mut forms = Self::with_capacity(numbers.len());
        numbers.iter().for_each(|number| forms.finish(*number));
        forms
    }

    fn with_capacity(len: usize) -> Self {
        let mut starts = Vec::with_capacity(len + 1);
        starts.push(0);
        Forms {
            starts,
            sources: Vec::new(),
            weights: Vec::new(),
            offsets: Vec::with_capacity(len),
            divisors: None,
            units: None,
            is_rounded: false,
        }
    }

    /// The terms that were pushed last are those of a new element.
    fn finish(&mut self, offset: f64) {
        self.starts.push(self.sources.len() as u32);
        self.offsets.push(offset);
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Whether a weight lost digits when two numbers met.
    pub fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// The same, of which the last digits of the weights are not certain, as they were computed in doubles.
    pub fn inexact(&self) -> Self {
        Forms { is_rounded: true, ..self.clone() }
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let optional = |column: &Option<Vec<f64>>| column.as_ref().map_or(0, |column| column.len() * 8);
        self.starts.len() * 4
            + self.sources.len() * 12
            + self.offsets.len() * 8
            + optional(&self.divisors)
            + optional(&self.units)
    }

    fn terms(&self, at: usize) -> std::ops::Range<usize> {
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    fn divisor(&self, at: usize) -> f64 {
        self.divisors.as_ref().map_or(1.0, |divisors| divisors[at])
    }

    fn unit(&self, at: usize) -> f64 {
        self.units.as_ref().map_or(0.0, |units| units[at])
    }

    /// Element `at`.
    pub fn get(&self, at: usize) -> Form<'_> {
        let terms = self.terms(at);
        Form {
            sources: &self.sources[terms.clone()],
            weights: &self.weights[terms],
            divisor: self.divisor(at),
            offset: self.offsets[at],
            unit: self.unit(at),
        }
    }

    /// Which elements are missing.
    pub fn missing(&self) -> Vec<bool> {
        self.offsets.iter().map(|offset| offset.is_nan()).collect()
    }

    /// Which elements depend on a secret.
    pub fn depends(&self) -> Vec<bool> {
        self.starts.windows(2).map(|pair| pair[0] < pair[1]).collect()
    }

    /// The elements at some places, in their order; missing ones for -1.
    pub fn take(&self, places: &[i64]) -> Result<Self, FormsError> {
        let mut total = 0;
        for place in places {
            match usize::try_from(*place) {
                Ok(at) if at < self.len() => total += self.terms(at).len(),
                Err(_) if *place == -1 => {}
                Ok(_) | Err(_) => return Err(FormsError::OutOfRange(*place)),
            }
        }
        check_terms(total)?;
        let mut taken = Self::with_capacity(places.len());
        taken.is_rounded = self.is_rounded;
        taken.sources.reserve_exact(total);
        taken.weights.reserve_exact(total);
        for place in places {
            let Ok(at) = usize::try_from(*place) else {
                taken.finish(f64::NAN);
                continue;
            };
            taken.sources.extend_from_slice(&self.sources[self.terms(at)]);
            taken.weights.extend_from_slice(&self.weights[self.terms(at)]);
            taken.finish(self.offsets[at]);
        }
        let or = |column: &[f64], other: f64| {
            places.iter().map(|place| usize::try_from(*place).map_or(other, |at| column[at])).collect()
        };
        taken.divisors = self.divisors.as_ref().map(|divisors| or(divisors, 1.0));
        taken.units = self.units.as_ref().map(|units| or(units, 0.0));
        Ok(taken)
    }

    /// Columns one after the other.
    pub fn concat(parts: &[&Forms]) -> Result<Self, FormsError> {
        check_terms(parts.iter().map(|part| part.sources.len()).sum())?;
        let len = parts.iter().map(|part| part.len()).sum();
        let mut all = Self::with_capacity(len);
        for part in parts {
            let before = all.sources.len() as u32;
            all.starts.extend(part.starts[1..].iter().map(|start| start + before));
            all.sources.extend_from_slice(&part.sources);
            all.weights.extend_from_slice(&part.weights);
            all.offsets.extend_from_slice(&part.offsets);
            all.is_rounded |= part.is_rounded;
        }
        if parts.iter().any(|part| part.divisors.is_some()) {
            all.divisors = Some(parts.iter().flat_map(|part| (0..part.len()).map(|at| part.divisor(at))).collect());
        }
        if parts.iter().any(|part| part.units.is_some()) {
            all.units = Some(parts.iter().flat_map(|part| (0..part.len()).map(|at| part.unit(at))).collect());
        }
        Ok(all)
    }

    /// The value of each element for some values of the secrets.
    pub fn at(&self, values: &[f64]) -> Vec<f64> {
        (0..self.len()).map(|element| self.get(element).at(values)).collect()
    }
}

fn check_terms(total: usize) -> Result<(), FormsError> {
    if total <= MAX_TERMS { Ok(()) } else { Err(FormsError::TooLarge) }
}
