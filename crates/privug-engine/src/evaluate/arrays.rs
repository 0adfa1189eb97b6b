//! Sums of many values, and inner products.

use super::fault::{Fault, Outcome};
use super::random::Total;
use super::state::State;
use super::value::Value;
use super::{arithmetic, random};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// Σ aᵢ·bᵢ
pub(super) fn inner_product<S: Scalar>(state: &mut State<S>, a: &[Value<S>], b: &[Value<S>]) -> Outcome<Value<S>> {
    if a.len() != b.len() {
        let message = format!("vectors of {} and {} elements are multiplied", a.len(), b.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    state.budget.spend_steps(a.len() as u64)?;
    let products: Vec<Value<S>> =
        a.iter().zip(b).map(|(a, b)| arithmetic::binary(state, Binary::Multiply, a, b)).collect::<Outcome<_>>()?;
    sum_values(state, &products, Value::Int(0))
}

/// `start + Σ elements` of a list that holds numbers and random variables only, and how many there are. They need not
/// be copied. `None` for everything else.
pub(super) fn sum_plain<S: Scalar>(
    state: &mut State<S>,
    list: &Value<S>,
    start: Value<S>,
) -> Outcome<Option<(Value<S>, usize)>> {
    let (buffer, range) = match list {
        Value::List(handle) | Value::Tuple(handle) => (*handle, 0..state.heap.sequence(*handle).len()),
        Value::Array(handle) => {
            let array = state.heap.array(*handle);
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
    if !state.heap.sequence(buffer)[range.clone()].iter().all(is_plain) {
        return Ok(None);
    }
    // Adding plain values looks at no list, so this one may be missing meanwhile.
    let elements = std::mem::take(&mut state.heap.sequences[buffer as usize]);
    let count = range.len();
    let total = state.budget.spend_steps(count as u64).and_then(|()| sum_values(state, &elements[range], start));
    state.heap.sequences[buffer as usize] = elements;
    Ok(Some((total?, count)))
}

/// The sum of distinct random variables in the order in which they were made, which need not be sorted or merged.
fn sum_ascending<S: Scalar>(state: &mut State<S>, values: &[Value<S>], start: &Value<S>) -> Outcome<Option<Value<S>>> {
    let Some(start) = state.number(start) else { return Ok(None) };
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
    state.budget.spend_steps(values.len() as u64)?;
    random::number_parts(state, &start)?.iter().for_each(|part| constant.add(part));
    let terms = values.iter().map(|value| match value {
        Value::Random { node, scale, .. } => (*node, scale.clone()),
        _ => unreachable!("all values are random"),
    });
    random::push_sum(state, terms, &constant).map(Value::random).map(Some)
}

/// `start + Σ values`: one node for all random terms, however many.
pub(super) fn sum_values<S: Scalar>(state: &mut State<S>, values: &[Value<S>], start: Value<S>) -> Outcome<Value<S>> {
    if !values.is_empty()
        && let Some(total) = sum_ascending(state, values, &start)?
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
            other => match state.number(other).filter(|_| !terms.is_empty()) {
                Some(number) => random::number_parts(state, &number)?.iter().for_each(|part| constant.add(part)),
                None => rest = arithmetic::binary(state, Binary::Add, &rest, other)?,
            },
        }
    }
    if terms.is_empty() {
        return Ok(rest);
    }
    match state.number(&rest) {
        Some(number) => {
            random::number_parts(state, &number)?.iter().for_each(|part| constant.add(part));
            random::sum_terms(state, terms, &constant).map(Value::random)
        }
        None => {
            let total = random::sum_terms(state, terms, &constant).map(Value::random)?;
            arithmetic::binary(state, Binary::Add, &rest, &total)
        }
    }
}
