//! Affine arithmetic on random variables: the rules P-Op-PM, P-Op-MD and P-Sum of the paper's figure 2.

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::Value;
use crate::network::{Affine, NodeId};
use crate::number::{Scalar, Wide};
use privug_language::diagnostic::Code;

/// Mantissas up to this length are taken as exact; longer ones have probably been rounded.
pub(super) const EXACT_MANTISSA_BITS: u32 = 40;
/// If coefficients that were rounded cancel by more than this factor, what is left is rounding error.
const CANCELLATION: f64 = 65_536.0;
/// The same for offsets, which have to stay within the few units in the last place that published values may be off by.
const OFFSET_CANCELLATION: f64 = 16.0;

impl<S: Scalar> State<S> {
    /// `x + c` (P-Op-PM)
    pub(super) fn shift(&mut self, x: &Affine<S>, by: &S) -> Outcome<Value<S>> {
        let offset = self.finite(x.offset.add(by))?;
        self.doubt_cancellation(&x.offset, by, &offset, OFFSET_CANCELLATION);
        Ok(Value::Random { node: x.node, scale: x.scale.clone(), offset })
    }

    /// `x · c` (P-Op-MD)
    pub(super) fn scale(&self, x: &Affine<S>, by: &S) -> Outcome<Value<S>> {
        let scale = self.factor(x.scale.mul(by), &x.scale, by)?;
        Ok(Value::Random { node: x.node, scale, offset: self.finite(x.offset.mul(by))? })
    }

    /// `x / c` (P-Op-MD)
    pub(super) fn divide(&self, x: &Affine<S>, by: &S) -> Outcome<Value<S>> {
        if by.is_zero() {
            return Err(Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?"));
        }
        let scale = self.factor(x.scale.div(by), &x.scale, by)?;
        Ok(Value::Random { node: x.node, scale, offset: self.finite(x.offset.div(by))? })
    }

    /// A product of factors that are not zero is not zero either, and keeps its digits.
    fn factor(&self, product: S, a: &S, b: &S) -> Outcome<S> {
        let vanished = !a.is_zero() && !b.is_zero() && (product.is_zero() || is_subnormal(&product));
        if vanished {
            let hint = "choose other units, or use `--exact`";
            return Err(Fault::hinted(Code::ScaleOutOfRange, "a coefficient is too small for a double", hint));
        }
        self.finite(product)
    }

    /// `x + sign·y` (P-Sum)
    pub(super) fn add(&mut self, x: &Affine<S>, y: &Affine<S>, negate: bool) -> Outcome<Value<S>> {
        let (y_scale, y_offset) =
            if negate { (y.scale.neg(), y.offset.neg()) } else { (y.scale.clone(), y.offset.clone()) };
        let offset = self.finite(x.offset.add(&y_offset))?;
        self.doubt_cancellation(&x.offset, &y_offset, &offset, OFFSET_CANCELLATION);
        if x.node == y.node {
            let scale = self.finite(x.scale.add(&y_scale))?;
            self.doubt_cancellation(&x.scale, &y_scale, &scale, CANCELLATION);
            return Ok(Value::Random { node: x.node, scale, offset });
        }
        let sum = match (x.scale.is_zero(), y_scale.is_zero()) {
            (false, false) => self.push_node(offset, [(x.node, x.scale.clone()), (y.node, y_scale)], S::zero())?,
            (true, _) => Affine { node: y.node, scale: y_scale, offset },
            (_, true) => Affine { node: x.node, scale: x.scale.clone(), offset },
        };
        Ok(Value::random(sum))
    }

    /// `0.1*x*3 - 0.3*x` leaves 5.6e-17·x in doubles and nothing in truth: only exact arithmetic can tell.
    fn doubt_cancellation(&mut self, a: &S, b: &S, sum: &S, allowed: f64) {
        if S::EXACT || sum.is_zero() || a.is_zero() || b.is_zero() {
            return;
        }
        let rounded = |scale: &S| S::Wide::widen(scale).mantissa_bits() > EXACT_MANTISSA_BITS;
        let largest = a.to_f64().abs().max(b.to_f64().abs());
        if sum.to_f64().abs() * allowed < largest && (rounded(a) || rounded(b)) {
            self.doubt.get_or_insert(self.span);
        }
    }

    /// `-x`
    pub(super) fn negate(&self, x: &Affine<S>) -> Value<S> {
        Value::Random { node: x.node, scale: x.scale.neg(), offset: x.offset.neg() }
    }

    /// The sum of many affine terms and a constant, as one node with each parent once.
    pub(super) fn sum_terms(&mut self, mut terms: Vec<(NodeId, S)>, constant: &S::Wide) -> Outcome<Affine<S>> {
        self.spend_steps(terms.len() as u64)?;
        if !terms.is_sorted_by(|a, b| a.0 < b.0) {
            terms.sort_by_key(|(node, _)| *node);
            let mut merged: Vec<(NodeId, S)> = Vec::with_capacity(terms.len());
            for (node, scale) in terms {
                match merged.last_mut() {
                    Some((last, sum)) if *last == node => {
                        let total = self.finite(sum.add(&scale))?;
                        self.doubt_cancellation(sum, &scale, &total, CANCELLATION);
                        *sum = total;
                    }
                    _ => merged.push((node, scale)),
                }
            }
            terms = merged;
        }
        terms.retain(|(_, scale)| !scale.is_zero());
        let constant = self.finite(constant.narrow())?;
        self.push_node(constant, terms, S::zero())
    }
}

fn is_subnormal<S: Scalar>(value: &S) -> bool {
    !S::EXACT && value.to_f64().is_subnormal()
}
