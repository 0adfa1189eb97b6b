//! Where weights that lost digits come from, so that they are known exactly all the same.
//!
//! Prices per square metre have the weights 1/57, 1/83, …, and sums of them no common divisor that fits. As doubles these
//! weights are rounded, and whether a mean of all follows from the means of groups would hang on their last digits. So an
//! element whose weights lose digits keeps what it was computed from:
//!
//! ```text
//! (Σ wⱼ·xⱼ + Σ cₖ·partₖ)/d
//! ```
//!
//! The model of a release is built from that, as it is from the text of a script.

use std::collections::BTreeMap;
use std::sync::Arc;

use privug_engine::number::{Constants, Rational, Scalar};

use super::{Form, Forms};

/// Deeper ones are not kept.
const MAX_DEPTH: u32 = 64;

/// What takes more terms to write out is not kept.
const MAX_SIZE: usize = 20_000;

/// Columns with more elements keep none.
pub(super) const MAX_ELEMENTS: usize = 100_000;

/// What an element was computed from.
#[derive(Debug, PartialEq)]
pub struct Origin {
    /// Secrets, and what each is multiplied by.
    pub terms: Vec<(u32, f64)>,
    /// Other sums, and what each is multiplied by.
    pub parts: Vec<(Arc<Origin>, f64)>,
    /// What the sum is divided by.
    pub divisor: f64,
    depth: u32,
    /// How many terms there are, written out.
    size: usize,
}

impl Origin {
    /// (Σ weight·form)/divisor; `None` if it is too large.
    pub(super) fn of<'a>(forms: impl Iterator<Item = (Form<'a>, f64)>, divisor: f64) -> Option<Arc<Self>> {
        let mut sum = Origin { terms: Vec::new(), parts: Vec::new(), divisor, depth: 0, size: 0 };
        for (form, weight) in forms.filter(|(form, weight)| !form.sources.is_empty() && *weight != 0.0) {
            match form.origin {
                Some(origin) if weight == 1.0 && origin.divisor == 1.0 => {
                    sum.terms.extend_from_slice(&origin.terms);
                    sum.parts.extend_from_slice(&origin.parts);
                    (sum.depth, sum.size) = (sum.depth.max(origin.depth), sum.size + origin.size);
                }
                Some(origin) => sum.add(origin.clone(), weight),
                None if weight == 1.0 && form.divisor == 1.0 => {
                    sum.terms.extend(form.terms());
                    sum.size += form.sources.len();
                }
                None => {
                    let (terms, size) = (form.terms().collect(), form.sources.len());
                    sum.add(
                        Arc::new(Origin { terms, parts: Vec::new(), divisor: form.divisor, depth: 0, size }),
                        weight,
                    );
                }
            }
            if sum.size > MAX_SIZE || sum.depth > MAX_DEPTH {
                return None;
            }
        }
        Some(Arc::new(sum))
    }

    fn add(&mut self, part: Arc<Origin>, weight: f64) {
        (self.depth, self.size) = (self.depth.max(part.depth + 1), self.size + part.size);
        self.parts.push((part, weight));
    }

    /// Adds the weights of the secrets, each a double that stands for the decimal that it is written as.
    fn write_out(&self, times: &Rational, weights: &mut BTreeMap<u32, Rational>) -> Option<()> {
        let times = times / &Rational::from_written(self.divisor)?;
        for (source, weight) in &self.terms {
            let weight = &times * &Rational::from_written(*weight)?;
            let sum = weights.get(source).map_or_else(|| weight.clone(), |before| before + &weight);
            weights.insert(*source, sum);
        }
        self.parts
            .iter()
            .try_for_each(|(part, weight)| part.write_out(&(&times * &Rational::from_written(*weight)?), weights))
    }
}

impl<'a> Form<'a> {
    fn terms(&self) -> impl Iterator<Item = (u32, f64)> + use<'a> {
        self.sources.iter().copied().zip(self.weights.iter().copied())
    }

    /// Whether what it was computed from gives the same secrets the same weights, up to the digits that were lost. A weight
    /// that is next to nothing there and nothing here would make somebody a contributor who is none.
    fn agrees_with(&self, origin: &Origin) -> bool {
        let mut exact = BTreeMap::new();
        if origin.write_out(&Rational::ONE, &mut exact).is_none() {
            return false;
        }
        exact.retain(|_, weight| !weight.is_zero());
        exact.len() == self.sources.len()
            && exact.into_iter().zip(self.terms()).all(|((source, weight), (own, double))| {
                let double = double / self.divisor;
                source == own && (Constants::to_f64(&weight) - double).abs() <= 1e-12 * double.abs()
            })
    }
}

impl Forms {
    /// The same, in which an element that is not the sum of its origin counts as rounded.
    pub fn settled(&self) -> Self {
        let mut settled = self.clone();
        for (at, origin) in settled.origins.iter_mut().flatten().enumerate() {
            if origin.as_ref().is_some_and(|origin| !self.get(at).agrees_with(origin)) {
                *origin = None;
                settled.is_rounded = true;
            }
        }
        settled
    }

    /// What the element that was finished last was computed from, as it lost digits.
    pub(super) fn set_origin(&mut self, origin: Option<Arc<Origin>>) {
        self.put_origin(self.len() - 1, origin);
    }

    /// The same for any element; what is not kept is rounded from here on.
    pub(super) fn put_origin(&mut self, at: usize, origin: Option<Arc<Origin>>) {
        let len = self.len();
        self.is_rounded |= origin.is_none();
        let origins = self.origins.get_or_insert_default();
        origins.resize(len.max(origins.len()), None);
        origins[at] = origin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices() -> Forms {
        Forms::of_secrets((0..6).map(Some))
    }

    #[test]
    fn means_of_quotients_know_their_weights() {
        let areas = [10_007.0, 10_009.0, 10_037.0, 10_039.0, 10_061.0, 10_067.0];
        let each = prices().over(&areas).expect("quotients");
        let mean = each.sums(&[0; 6], 1).and_then(|sum| sum.over(&[6.0])).expect("a mean").settled();
        assert!(!mean.is_rounded());
        let origin = mean.get(0).origin.expect("an origin").clone();
        let mut weights = BTreeMap::new();
        origin.write_out(&Rational::ONE, &mut weights).expect("decimals");
        let expected = &Rational::ONE / &Rational::from_written(6.0 * 10_037.0).expect("a number");
        assert_eq!(weights[&2], expected);
    }

    #[test]
    fn products_of_decimals_know_their_weights() {
        let bill = prices().times(&[0.5169]).and_then(|bill| bill.times(&[1.25])).expect("products").settled();
        assert!(!bill.is_rounded());
        let mut weights = BTreeMap::new();
        bill.get(3).origin.expect("an origin").write_out(&Rational::ONE, &mut weights).expect("decimals");
        assert_eq!(weights[&3], Rational::from_written(0.646125).expect("a decimal"));
    }

    #[test]
    fn who_is_left_by_rounding_alone_is_not_taken_for_a_contributor() {
        // A third as a double, three times, is 1 in doubles and a little less as a decimal.
        let third = prices().take(&[0]).and_then(|one| one.times(&[1.0 / 3.0])).and_then(|third| third.times(&[3.0]));
        let rest = third.and_then(|third| third.plus_forms(&prices().take(&[0]).expect("one"), -1.0)).expect("a rest");
        let both = rest.plus_forms(&prices().take(&[1]).expect("another"), 1.0).expect("a sum").settled();
        assert_eq!(both.get(0).sources, [1]);
        assert!(both.is_rounded() && both.get(0).origin.is_none());
    }

    #[test]
    fn running_sums_are_no_deeper_than_their_elements() {
        let areas: Vec<f64> = (0..500).map(|at| 10_007.0 + f64::from(at * 2)).collect();
        let each = Forms::of_secrets((0..500).map(Some)).over(&areas).expect("quotients");
        let running = each.running(&[0; 500]).expect("sums").settled();
        assert!(!running.is_rounded());
        assert!(running.get(499).origin.is_some_and(|origin| origin.depth == 1));
    }
}
