//! Sums of many values, and inner products.

use super::fault::{Fault, Outcome};
use super::random::Total;
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

impl<S: Scalar> State<S> {
    /// Σ aᵢ·bᵢ
    pub(super) fn inner_product(&mut self, a: &[Value<S>], b: &[Value<S>]) -> Outcome<Value<S>> {
        if a.len() != b.len() {
            let message = format!("vectors of {} and {} elements are multiplied", a.len(), b.len());
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        self.budget.spend_steps(a.len() as u64)?;
        let products: Vec<Value<S>> =
            a.iter().zip(b).map(|(a, b)| self.binary(Binary::Multiply, a, b)).collect::<Outcome<_>>()?;
        self.sum_values(&products, Value::Int(0))
    }

    /// `start + Σ elements` of a list that holds numbers and random variables only, and how many there are. They need not
    /// be copied. `None` for everything else.
    pub(super) fn sum_plain(&mut self, list: &Value<S>, start: Value<S>) -> Outcome<Option<(Value<S>, usize)>> {
        let (buffer, range) = match list {
            Value::List(handle) | Value::Tuple(handle) => (*handle, 0..self.heap.sequence(*handle).len()),
            Value::Array(handle) => {
                let array = self.heap.array(*handle);
                if array.shape.len() != 1 || !array.is_contiguous() || array.size() == 0 {
                    return Ok(None);
                }
                (array.buffer, array.offset..array.offset + array.size())
            }
            _ => return Ok(None),
        };
        let is_plain = |element: &Value<S>| {
            matches!(
                element,
                Value::Random { .. }
                    | Value::Float(_)
                    | Value::Int(_)
                    | Value::Bool(_)
                    | Value::NumpyFloat(_)
                    | Value::NumpyInt(_)
                    | Value::NumpyBool(_)
            )
        };
        if !self.heap.sequence(buffer)[range.clone()].iter().all(is_plain) {
            return Ok(None);
        }
        // Adding plain values looks at no list, so this one may be missing meanwhile.
        let elements = std::mem::take(&mut self.heap.sequences[buffer as usize]);
        let count = range.len();
        let total = self.budget.spend_steps(count as u64).and_then(|()| self.sum_values(&elements[range], start));
        self.heap.sequences[buffer as usize] = elements;
        Ok(Some((total?, count)))
    }

    /// The sum of distinct random variables in the order in which they were made, which need not be sorted or merged.
    fn sum_ascending(&mut self, values: &[Value<S>], start: &Value<S>) -> Outcome<Option<Value<S>>> {
        let Some(start) = self.number(start) else { return Ok(None) };
        let mut constant = Total::new();
        let mut previous = None;
        for value in values {
            match value {
                Value::Random { node, scale, offset } if previous < Some(*node) && !scale.is_zero() => {
                    previous = Some(*node);
                    constant.add(offset);
                }
                _ => return Ok(None),
            }
        }
        self.budget.spend_steps(values.len() as u64)?;
        self.number_parts(&start)?.iter().for_each(|part| constant.add(part));
        let terms = values.iter().map(|value| match value {
            Value::Random { node, scale, .. } => (*node, scale.clone()),
            _ => unreachable!("all values are random"),
        });
        self.push_sum(terms, &constant).map(Value::random).map(Some)
    }

    /// `start + Σ values`: one node for all random terms, however many.
    pub(super) fn sum_values(&mut self, values: &[Value<S>], start: Value<S>) -> Outcome<Value<S>> {
        if !values.is_empty()
            && let Some(total) = self.sum_ascending(values, &start)?
        {
            return Ok(total);
        }
        let mut terms = Vec::new();
        let mut constant = Total::new();
        let mut rest = start;
        if let Some(x) = rest.as_random() {
            terms.push((x.node, x.scale));
            constant.add(&x.offset);
            rest = Value::Int(0);
        }
        for value in values {
            match value {
                Value::Random { node, scale, offset } => {
                    terms.push((*node, scale.clone()));
                    constant.add(offset);
                }
                // Poison, lists and texts say for themselves what is wrong with adding them.
                other => match self.number(other).filter(|_| !terms.is_empty()) {
                    Some(number) => self.number_parts(&number)?.iter().for_each(|part| constant.add(part)),
                    None => rest = self.binary(Binary::Add, &rest, other)?,
                },
            }
        }
        if terms.is_empty() {
            return Ok(rest);
        }
        match self.number(&rest) {
            Some(number) => {
                self.number_parts(&number)?.iter().for_each(|part| constant.add(part));
                self.sum_terms(terms, &constant).map(Value::random)
            }
            None => {
                let total = self.sum_terms(terms, &constant).map(Value::random)?;
                self.binary(Binary::Add, &rest, &total)
            }
        }
    }
}
