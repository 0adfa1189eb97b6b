//! Other shapes for the same elements, and arrays put together.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::{Array, shape_text};
use super::elementwise::size_of_shape;
use super::kind::Kind;
use super::{create, kind, reduce};
use crate::evaluate::containers;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// An array of one dimension: a view where that is possible.
pub(in super::super) fn flat_array<S: Scalar>(state: &mut State<S>, array: &Array) -> Outcome<Array> {
    let shape = [array.size()];
    reshaped(state, array, &shape)
}

/// The same elements under another shape: a view where that is possible.
pub(in super::super) fn reshaped<S: Scalar>(state: &mut State<S>, array: &Array, shape: &[usize]) -> Outcome<Array> {
    if let Some(view) = array.reshaped(shape) {
        return Ok(view);
    }
    state.budget.spend_steps(array.size() as u64)?;
    let values = state.heap.array_values(array);
    let buffer = state.new_sequence(values)?;
    Ok(Array::rows(buffer, shape.to_vec(), array.kind))
}

/// `array.reshape(…)`: one length may be -1, which stands for what is left.
pub(in super::super) fn reshape<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    lengths: &[Value<S>],
) -> Outcome<Value<S>> {
    let lengths = match lengths {
        [tuple @ (Value::Tuple(_) | Value::List(_))] => containers::elements(state, tuple)?,
        several => several.to_vec(),
    };
    let lengths = lengths.iter().map(|length| containers::whole(length, "a length")).collect::<Outcome<Vec<i64>>>()?;
    let size = array.size();
    let misfit = || {
        let message = format!("an array of shape {} has no shape {lengths:?}", shape_text(&array.shape));
        Fault::new(Code::LengthMismatch, message)
    };
    let known: Vec<usize> = lengths.iter().filter(|length| **length >= 0).map(|length| *length as usize).collect();
    let known_size = size_of_shape(&known)?;
    let shape: Vec<usize> = match lengths.len() - known.len() {
        0 => known,
        1 if lengths.contains(&-1) && known_size > 0 && size.is_multiple_of(known_size) => {
            lengths.iter().map(|length| if *length < 0 { size / known_size } else { *length as usize }).collect()
        }
        _ => return Err(misfit()),
    };
    if size_of_shape(&shape)? != size || shape.is_empty() {
        return Err(misfit());
    }
    let reshaped = reshaped(state, array, &shape)?;
    create::view(state, reshaped)
}

/// `np.concatenate(arrays, axis=…)`
pub(in super::super) fn concatenated<S: Scalar>(
    state: &mut State<S>,
    arrays: &Value<S>,
    axis: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let parts = containers::elements(state, arrays)?;
    let mut arrays = parts.iter().map(|part| create::as_array(state, part)).collect::<Outcome<Vec<Array>>>()?;
    if matches!(axis, Some(Value::None)) {
        arrays = arrays.iter().map(|array| flat_array(state, array)).collect::<Outcome<_>>()?;
    }
    let Some(first) = arrays.first() else {
        return Err(Fault::new(Code::BadArgument, "`concatenate` of nothing"));
    };
    let dimensions = first.shape.len();
    if dimensions == 0 {
        return Err(Fault::new(Code::TypeMismatch, "`concatenate` takes arrays, not numbers"));
    }
    let axis = match axis {
        None | Some(Value::None) => 0,
        Some(axis) => reduce::one_axis(axis, dimensions)?,
    };
    let mut shape = first.shape.clone();
    shape[axis] = 0;
    for array in &arrays {
        let fits = array.shape.len() == dimensions
            && (0..dimensions).all(|other| other == axis || array.shape[other] == shape[other]);
        if !fits {
            let message = format!(
                "arrays of shapes {} and {} are joined along axis {axis}",
                shape_text(&first.shape),
                shape_text(&array.shape)
            );
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        shape[axis] += array.shape[axis];
    }
    let kind = arrays.iter().map(|array| array.kind).max().unwrap_or(Kind::Float);
    if kind == Kind::Text && arrays.iter().any(|array| array.kind != Kind::Text) {
        return Err(Fault::new(Code::TypeMismatch, "strings and numbers are joined"));
    }
    let total = size_of_shape(&shape)?;
    state.budget.check_elements(total as u64)?;
    state.budget.spend_steps(total as u64)?;
    // One part of every array for each place of the dimensions in front of the axis.
    let outer: usize = shape[..axis].iter().product();
    let mut elements = Vec::with_capacity(total);
    let values: Vec<Vec<Value<S>>> = arrays.iter().map(|array| state.heap.array_values(array)).collect();
    for place in 0..outer {
        for values in &values {
            let length = values.len() / outer;
            for value in &values[place * length..(place + 1) * length] {
                elements.push(kind::cast(state, value, kind)?);
            }
        }
    }
    create::new_array(state, elements, shape, kind)
}

/// `array.tolist()`: lists within lists, of Python's own numbers.
pub(in super::super) fn array_to_list<S: Scalar>(state: &mut State<S>, array: &Array) -> Outcome<Value<S>> {
    if array.shape.len() == 1 {
        state.budget.spend_steps(array.size() as u64)?;
        let values = state.heap.array_values(array).iter().map(Value::plain).collect();
        return state.list(values);
    }
    state.budget.spend_steps(array.len() as u64)?;
    let rows = (0..array.len()).map(|index| array_to_list(state, &array.row(index))).collect::<Outcome<_>>()?;
    state.list(rows)
}
