//! Affine arithmetic on random variables: the rules P-Op-PM, P-Op-MD and P-Sum of the paper's figure 2.
//!
//! No coefficient is ever rounded here. `offset + scale·node` is changed in place as long as that is exact; otherwise the
//! operands become a node of the network as they are, and conditioning, which has more digits and knows how many, does
//! the arithmetic.

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::{Number, Value};
use crate::network::{Affine, NodeId, Rest};
use crate::number::{Constants, Field, NUMBER_ERROR, Scalar, Wide};
use privug_language::diagnostic::Code;

/// A sum of very many numbers, and a bound on its error; `docs/proofs/rows.md` has the proof.
pub(super) struct Total<S: Scalar> {
    sum: S::Wide,
    error: f64,
    /// Σ of the numbers' sizes, and how many they are.
    size: f64,
    count: u64,
}

impl<S: Scalar> Total<S> {
    pub(super) fn new() -> Self {
        Total { sum: S::Wide::zero(), error: 0.0, size: 0.0, count: 0 }
    }

    pub(super) fn add(&mut self, number: &S) {
        self.add_times(number, 1);
    }

    /// Adds a number so many times.
    pub(super) fn add_times(&mut self, number: &S, times: i64) {
        if number.is_zero() {
            return;
        }
        self.sum = match times {
            1 => self.sum.add_narrow(number),
            times => self.sum.add(&S::Wide::widen(number).mul_narrow(&S::from_i64(times))),
        };
        if S::EXACT {
            return;
        }
        let size = number.to_f64().abs() * times as f64;
        self.size += size;
        self.count += times.unsigned_abs();
        if number.is_rounded() {
            self.error += NUMBER_ERROR * size;
        }
    }

    /// The sum as the nearest number.
    pub(in crate::evaluate) fn narrow(&self) -> S {
        self.sum.narrow()
    }

    /// The sum as a number and the rest.
    fn parts(&self) -> (S, Option<Rest<S>>) {
        let high = self.sum.narrow();
        if S::EXACT {
            return (high, None);
        }
        let low = self.sum.sub(&S::Wide::widen(&high)).narrow();
        // A single number knows for itself whether it was rounded.
        let rounding = if self.count > 2 { self.count as f64 * S::Wide::UNIT_ROUNDOFF * self.size } else { 0.0 };
        let error = if self.count > 1 { self.error + rounding } else { 0.0 };
        let is_whole = low.is_zero() && error == 0.0;
        (high, (!is_whole).then_some(Rest { low, error }))
    }
}

/// `x + c` (P-Op-PM)
pub(super) fn shift<S: Scalar>(state: &mut State<S>, x: &Affine<S>, by: &S) -> Outcome<Value<S>> {
    state.finite(x.offset.add(by))?;
    let (x, offset) = match x.offset.joined(by) {
        Some(offset) => (x.clone(), offset),
        None => (as_node(state, x)?, by.clone()),
    };
    Ok(Value::Random { node: x.node, scale: x.scale, offset })
}

/// `x · c` (P-Op-MD)
pub(super) fn scale<S: Scalar>(state: &mut State<S>, x: &Affine<S>, by: &S) -> Outcome<Value<S>> {
    factor(state, x.scale.mul(by), &x.scale, by)?;
    state.finite(x.offset.mul(by))?;
    Ok(match (x.scale.exact_product(by), x.offset.exact_product(by)) {
        (Some(scale), Some(offset)) => Value::Random { node: x.node, scale, offset },
        _ => Value::Random { node: as_node(state, x)?.node, scale: by.clone(), offset: S::zero() },
    })
}

/// `x / c` (P-Op-MD)
pub(super) fn divide<S: Scalar>(state: &mut State<S>, x: &Affine<S>, by: &S) -> Outcome<Value<S>> {
    if by.is_zero() {
        return Err(Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?"));
    }
    factor(state, x.scale.div(by), &x.scale, by)?;
    state.finite(x.offset.div(by))?;
    if let (Some(scale), Some(offset)) = (x.scale.exact_quotient(by), x.offset.exact_quotient(by)) {
        return Ok(Value::Random { node: x.node, scale, offset });
    }
    let (node, scale) =
        if x.offset.is_zero() { (x.node, x.scale.clone()) } else { (as_node(state, x)?.node, S::one()) };
    let node = state.push_quotient(node, by.clone())?;
    Ok(Value::Random { node, scale, offset: S::zero() })
}

/// The same with the quotient rounded, where rounding is within the error that every such number is taken to have.
/// Very many rows of a table need no nodes of their own then.
pub(in crate::evaluate) fn divide_rounding<S: Scalar>(x: &Affine<S>, by: &S) -> Option<Affine<S>> {
    let plain = !x.scale.is_rounded() && !by.is_rounded() && x.offset.is_zero() && !by.is_zero();
    let scale = plain.then(|| x.scale.div(by))?;
    let normal = scale.is_finite() && !is_subnormal(&scale);
    (normal && scale.is_rounded()).then(|| Affine { node: x.node, scale, offset: S::zero() })
}

/// A product of factors that are not zero is not zero either, and keeps its digits.
fn factor<S: Scalar>(state: &State<S>, product: S, a: &S, b: &S) -> Outcome<S> {
    let vanished = !a.is_zero() && !b.is_zero() && (product.is_zero() || is_subnormal(&product));
    if vanished {
        let hint = "choose other units, or use `--exact`";
        return Err(Fault::hinted(Code::ScaleOutOfRange, "a coefficient is too small for a double", hint));
    }
    state.finite(product)
}

/// `x + sign·y` (P-Sum)
pub(super) fn add<S: Scalar>(state: &mut State<S>, x: &Affine<S>, y: &Affine<S>, negate: bool) -> Outcome<Value<S>> {
    let (y_scale, y_offset) =
        if negate { (y.scale.neg(), y.offset.neg()) } else { (y.scale.clone(), y.offset.clone()) };
    state.finite(x.offset.add(&y_offset))?;
    // An offset that cannot be joined with the constant stays outside.
    let (constant, offset) = match x.offset.joined(&y_offset) {
        Some(sum) => (sum, S::zero()),
        None => (x.offset.clone(), y_offset),
    };
    if x.node == y.node {
        state.finite(x.scale.add(&y_scale))?;
        if let Some(scale) = x.scale.joined(&y_scale)
            && offset.is_zero()
        {
            return Ok(Value::Random { node: x.node, scale, offset: constant });
        }
    }
    let sum = match (x.scale.is_zero(), y_scale.is_zero()) {
        (false, false) => state.push_node(constant, [(x.node, x.scale.clone()), (y.node, y_scale)], S::zero())?,
        (true, _) => Affine { node: y.node, scale: y_scale, offset: constant },
        (_, true) => Affine { node: x.node, scale: x.scale.clone(), offset: constant },
    };
    if offset.is_zero() { Ok(Value::random(sum)) } else { shift(state, &sum, &offset) }
}

/// `-x`
pub(super) fn negate<S: Scalar>(x: &Affine<S>) -> Value<S> {
    Value::Random { node: x.node, scale: x.scale.neg(), offset: x.offset.neg() }
}

/// The same variable as a node.
fn as_node<S: Scalar>(state: &mut State<S>, x: &Affine<S>) -> Outcome<Affine<S>> {
    if x.offset.is_zero() && x.scale == S::one() {
        return Ok(x.clone());
    }
    let terms = (!x.scale.is_zero()).then(|| (x.node, x.scale.clone()));
    state.push_node(x.offset.clone(), terms, S::zero())
}

/// A number that meets a random variable, as a sum of numbers that are exactly what they are.
pub(super) fn number_parts<S: Scalar>(state: &mut State<S>, number: &Number<S>) -> Outcome<Vec<S>> {
    if let Some(exact) = number.exact_scalar() {
        return Ok(vec![exact]);
    }
    let parts = S::integer_parts(&number.integer().unwrap_or_default());
    let parts = parts.ok_or_else(|| Fault::new(Code::Overflow, "an integer is too large for a double"))?;
    state.budget.spend_steps(parts.len() as u64)?;
    parts.iter().try_for_each(|part| state.budget.check_bits(part.bits()))?;
    Ok(parts)
}

/// The same as one number; where that has to be rounded, exact arithmetic will not.
pub(super) fn met_number<S: Scalar>(state: &mut State<S>, number: &Number<S>) -> Outcome<S> {
    if let Some(exact) = number.exact_scalar() {
        return Ok(exact);
    }
    if number_parts(state, number)?.len() > 1 {
        state.certainty.doubt_at(state.span);
    }
    state.scalar(number)
}

/// The sum of many affine terms and a constant, as one node.
pub(super) fn sum_terms<S: Scalar>(
    state: &mut State<S>,
    mut terms: Vec<(NodeId, S)>,
    constant: &Total<S>,
) -> Outcome<Affine<S>> {
    state.budget.spend_steps(terms.len() as u64)?;
    if !terms.is_sorted_by(|a, b| a.0 < b.0) {
        terms.sort_by_key(|(node, _)| *node);
        let mut merged: Vec<(NodeId, S)> = Vec::with_capacity(terms.len());
        for (node, scale) in terms {
            match merged.last_mut() {
                Some((last, sum)) if *last == node => {
                    state.finite(sum.add(&scale))?;
                    match sum.joined(&scale) {
                        Some(total) => *sum = total,
                        None => merged.push((node, scale)),
                    }
                }
                _ => merged.push((node, scale)),
            }
        }
        terms = merged;
    }
    terms.retain(|(_, scale)| !scale.is_zero());
    push_sum(state, terms, constant)
}

/// A node with these terms and a constant.
pub(super) fn push_sum<S: Scalar>(
    state: &mut State<S>,
    terms: impl IntoIterator<Item = (NodeId, S)>,
    constant: &Total<S>,
) -> Outcome<Affine<S>> {
    let (constant, rest) = constant.parts();
    let constant = state.finite(constant)?;
    let sum = state.push_node(constant, terms, S::zero())?;
    if let Some(rest) = rest {
        state.builder.network.add_rest(rest);
    }
    Ok(sum)
}

fn is_subnormal<S: Scalar>(value: &S) -> bool {
    !S::EXACT && value.to_f64().is_subnormal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Rational;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn exact(value: f64) -> Rational {
        <Rational as Scalar>::from_f64(value).expect("finite")
    }

    proptest! {
        /// Sums over many scales, with everything taken away again but a little.
        #[test]
        fn totals_are_within_their_bound(
            numbers in vec((-(1i64 << 39)..1i64 << 39, -200..200i32, any::<bool>()), 1..80), twice in any::<bool>(),
        ) {
            let mut all: Vec<f64> = numbers.iter().map(|(digits, scale, _)| *digits as f64 * 2f64.powi(*scale)).collect();
            if twice {
                let undone: Vec<f64> =
                    all.iter().zip(&numbers).filter(|(_, (_, _, undo))| *undo).map(|(number, _)| -number).collect();
                all.extend(undone);
            }
            let mut total = Total::<f64>::new();
            all.iter().for_each(|number| total.add(number));
            let truth = all.iter().fold(Rational::ZERO, |sum, number| sum + exact(*number));
            let (high, rest) = total.parts();
            let (low, error) = rest.map_or((0.0, 0.0), |rest| (rest.low, rest.error));
            let off = exact(high) + exact(low) - truth;
            // Short mantissas have no error of their own, so that all there is comes from the sum.
            prop_assert!(-exact(error) <= off && off <= exact(error), "{high:e} {low:e} ± {error:e}");
        }
    }
}
