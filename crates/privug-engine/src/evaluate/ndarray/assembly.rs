//! Arrays put together, taken apart and turned: `stack`, `split`, `roll`, `flip`, `repeat` and the like.

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::{Array, broadcast, shape_text};
use super::kind::Kind;
use super::{create, functions, kind, places, reduce, shape};
use crate::evaluate::{compare, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::NumpyFunction;

/// An array with at least so many dimensions.
pub(super) fn of_dimensions<S: Scalar>(state: &mut State<S>, array: &Array, dimensions: usize) -> Outcome<Value<S>> {
    let mut shape = array.shape.clone();
    while shape.len() < dimensions {
        shape.insert(0, 1);
    }
    let reshaped = shape::reshaped(state, array, &shape)?;
    create::view(state, reshaped)
}

pub(super) fn stretched_to<S: Scalar>(state: &mut State<S>, array: &Array, shape: &[usize]) -> Outcome<Value<S>> {
    if broadcast(&array.shape, shape).as_deref() != Some(shape) {
        let message = format!("an array of shape {} has no shape {}", shape_text(&array.shape), shape_text(shape));
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let stretched = array.stretched(shape);
    state.budget.check_elements(stretched.size() as u64)?;
    state.budget.spend_steps(stretched.size() as u64)?;
    let elements = state.heap.array_values(&stretched);
    create::new_array(state, elements, shape.to_vec(), array.kind)
}

/// `stack`, `hstack`, `vstack` and `column_stack`
pub(super) fn stacked_arrays<S: Scalar>(
    state: &mut State<S>,
    function: NumpyFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [arrays, axis] = arguments.bind(function.name(), ["arrays|tup", "axis"], 1, 2)?;
    let parts = containers::elements(state, given(arrays)?.value)?;
    if parts.is_empty() {
        return Err(Fault::new(Code::BadArgument, format!("`{}` of nothing", function.name())));
    }
    if axis.is_some() && function != NumpyFunction::Stack {
        return Err(Fault::new(Code::WrongArguments, format!("`{}` takes no axis", function.name())));
    }
    let mut joined = Vec::with_capacity(parts.len());
    let mut along = Value::Int(0);
    for part in &parts {
        let array = create::as_array(state, part)?;
        let (shape, at) = match function {
            NumpyFunction::Stack => {
                let axis = axis.map_or(Value::Int(0), |axis| axis.value.clone());
                let at = reduce::one_axis(&axis, array.shape.len() + 1)?;
                let mut shape = array.shape.clone();
                shape.insert(at, 1);
                (shape, at)
            }
            NumpyFunction::VStack if array.shape.len() < 2 => (vec![1, array.size()], 0),
            NumpyFunction::VStack => (array.shape.clone(), 0),
            NumpyFunction::ColumnStack if array.shape.len() < 2 => (vec![array.size(), 1], 1),
            NumpyFunction::ColumnStack => (array.shape.clone(), 1),
            _ if array.shape.len() < 2 => (vec![array.size()], 0),
            _ => (array.shape.clone(), 1),
        };
        along = Value::Int(at as i64);
        let reshaped = shape::reshaped(state, &array, &shape)?;
        joined.push(create::view(state, reshaped)?);
    }
    let joined = state.list(joined)?;
    shape::concatenated(state, &joined, Some(&along))
}

pub(super) fn appended<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [array, values, axis] = arguments.bind("append", ["arr", "values", "axis"], 2, 3)?;
    let (first, second) = (given(array)?.value.clone(), given(values)?.value.clone());
    let axis = axis.map_or(Value::None, |axis| axis.value.clone());
    if let Value::None = axis {
        let mut parts = Vec::new();
        for part in [first, second] {
            let array = create::as_array(state, &part)?;
            let flat = shape::flat_array(state, &array)?;
            parts.push(create::view(state, flat)?);
        }
        let parts = state.list(parts)?;
        return shape::concatenated(state, &parts, None);
    }
    let parts = state.list(vec![first, second])?;
    shape::concatenated(state, &parts, Some(&axis))
}

/// `np.split(a, 3)`, `np.split(a, [2, 5])`, `np.array_split(a, 3)`: views of the parts.
pub(super) fn split_array<S: Scalar>(
    state: &mut State<S>,
    function: NumpyFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [array, parts, axis] = arguments.bind("split", ["ary", "indices_or_sections", "axis"], 2, 3)?;
    let array = create::as_array(state, given(array)?.value)?;
    let axis = axis.map_or(Value::Int(0), |axis| axis.value.clone());
    let axis = reduce::one_axis(&axis, array.shape.len())?;
    let length = array.shape[axis];
    let parts = given(parts)?.value;
    let ends: Vec<usize> = match parts {
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => {
            let mut ends = Vec::new();
            for end in functions::whole_values(state, "an index", parts)? {
                let end = if end < 0 { end + length as i64 } else { end };
                ends.push(end.clamp(0, length as i64) as usize);
            }
            ends.push(length);
            ends
        }
        count => {
            let count = containers::whole(count, "the number of parts")?;
            if count < 1 {
                return Err(Fault::new(Code::BadArgument, "there is at least one part"));
            }
            let count = count as usize;
            if function == NumpyFunction::Split && !length.is_multiple_of(count) {
                let message = format!("{length} elements cannot be split into {count} equal parts");
                return Err(Fault::hinted(Code::BadArgument, message, "use `np.array_split`"));
            }
            state.budget.check_elements(count as u64)?;
            let (short, longer) = (length / count, length % count);
            (1..=count).map(|part| part * short + part.min(longer)).collect()
        }
    };
    let mut start = 0;
    let mut views = Vec::with_capacity(ends.len());
    for end in ends {
        let mut view = array.clone();
        let end = end.max(start);
        view.shape[axis] = end - start;
        view.offset = (array.offset as isize + start as isize * array.strides[axis]) as usize;
        views.push(create::view(state, view)?);
        start = end;
    }
    state.list(views)
}

pub(super) fn rolled<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, shift, axis] = arguments.bind("roll", ["a", "shift", "axis"], 2, 3)?;
    let array = create::as_array(state, given(values)?.value)?;
    let shift = containers::whole(given(shift)?.value, "the shift")?;
    state.budget.spend_steps(array.size() as u64)?;
    match axis.map(|axis| axis.value) {
        None | Some(Value::None) => {
            let mut elements = state.heap.array_values(&array);
            if !elements.is_empty() {
                let count = elements.len();
                elements.rotate_right(shift.rem_euclid(count as i64) as usize);
            }
            create::new_array(state, elements, array.shape.clone(), array.kind)
        }
        Some(axis) => {
            let axis = reduce::one_axis(axis, array.shape.len())?;
            let length = array.shape[axis];
            if length == 0 {
                return create::view(state, array);
            }
            let places: Vec<Value<S>> =
                (0..length as i64).map(|at| Value::Int((at - shift).rem_euclid(length as i64))).collect();
            picked_along(state, &array, axis, &places)
        }
    }
}

/// The parts at some places of an axis.
fn picked_along<S: Scalar>(state: &mut State<S>, array: &Array, axis: usize, places: &[Value<S>]) -> Outcome<Value<S>> {
    let mut shape = array.shape.clone();
    shape[axis] = places.len();
    let mut order: Vec<usize> = (0..array.shape.len()).collect();
    order.remove(axis);
    order.insert(0, axis);
    let turned = array.permuted(&order);
    let mut elements = Vec::new();
    for place in places {
        let at = containers::whole(place, "a place")? as usize;
        elements.extend(state.heap.array_values(&turned.row(at)));
    }
    state.budget.spend_steps(elements.len() as u64)?;
    let mut turned_shape = turned.shape.clone();
    turned_shape[0] = places.len();
    let buffer = state.new_sequence(elements)?;
    let made = Array::rows(buffer, turned_shape, array.kind);
    // Back to the order of the axes.
    let mut back = vec![0; order.len()];
    for (now, before) in order.iter().enumerate() {
        back[*before] = now;
    }
    let made = made.permuted(&back);
    let elements = state.heap.array_values(&made);
    create::new_array(state, elements, shape, array.kind)
}

pub(super) fn flipped<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, axis] = arguments.bind("flip", ["m", "axis"], 1, 2)?;
    let array = create::as_array(state, given(values)?.value)?;
    let axes: Vec<usize> = match axis.map(|axis| axis.value) {
        None | Some(Value::None) => (0..array.shape.len()).collect(),
        Some(axis) => vec![reduce::one_axis(axis, array.shape.len())?],
    };
    let mut flipped = array.clone();
    for axis in axes.into_iter().filter(|axis| array.shape[*axis] > 0) {
        let last = (array.shape[axis] - 1) as isize * flipped.strides[axis];
        flipped.offset = (flipped.offset as isize + last) as usize;
        flipped.strides[axis] = -flipped.strides[axis];
    }
    create::view(state, flipped)
}

/// `np.repeat(a, 3)`, `np.repeat(a, [1, 2])`
pub(in super::super) fn repeated_array<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    times: &Value<S>,
    axis: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let (array, axis) = match axis {
        None | Some(Value::None) => (shape::flat_array(state, array)?, 0),
        Some(axis) => (array.clone(), reduce::one_axis(axis, array.shape.len())?),
    };
    let length = array.shape[axis];
    let mut times = match times {
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => {
            functions::whole_values(state, "a number of times", times)?
        }
        single => vec![containers::whole(single, "the number of times")?],
    };
    if times.len() == 1 {
        times = vec![times[0]; length];
    }
    if times.len() != length || times.iter().any(|times| *times < 0) {
        return Err(Fault::new(Code::LengthMismatch, "the numbers of times do not fit"));
    }
    let total = times.iter().try_fold(0u64, |total, times| total.checked_add(*times as u64)).unwrap_or(u64::MAX);
    state.budget.check_elements(total.saturating_mul((array.size() / length.max(1)).max(1) as u64))?;
    let mut places = Vec::new();
    for (at, times) in times.iter().enumerate() {
        places.extend(std::iter::repeat_n(Value::Int(at as i64), *times as usize));
    }
    picked_along(state, &array, axis, &places)
}

pub(in super::super) fn squeezed_array<S: Scalar>(state: &mut State<S>, array: &Array) -> Outcome<Value<S>> {
    let kept: Vec<usize> = (0..array.shape.len()).filter(|axis| array.shape[*axis] != 1).collect();
    create::view(state, array.permuted(&kept))
}

pub(super) fn deleted<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, places, axis] = arguments.bind("delete", ["arr", "obj", "axis"], 2, 3)?;
    let array = create::as_array(state, given(values)?.value)?;
    let (array, axis) = match axis.map(|axis| axis.value) {
        None | Some(Value::None) => (shape::flat_array(state, &array)?, 0),
        Some(axis) => {
            let axis = reduce::one_axis(axis, array.shape.len())?;
            (array, axis)
        }
    };
    let length = array.shape[axis] as i64;
    let mut gone = std::collections::HashSet::new();
    let places = given(places)?.value;
    let places = match places {
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => functions::whole_values(state, "a position", places)?,
        single => vec![containers::whole(single, "a position")?],
    };
    for place in places {
        let at = if place < 0 { place + length } else { place };
        if !(0..length).contains(&at) {
            return Err(Fault::new(Code::IndexOutOfRange, format!("there is no position {place}")));
        }
        gone.insert(at);
    }
    let kept: Vec<Value<S>> = (0..length).filter(|at| !gone.contains(at)).map(Value::Int).collect();
    picked_along(state, &array, axis, &kept)
}

/// `np.diag(v)` makes a matrix of a vector, and a vector of a matrix.
pub(super) fn diagonal<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let array = create::as_array(state, arguments.one("diag")?)?;
    match array.shape.as_slice() {
        [length] => {
            let length = *length;
            state.budget.check_elements((length as u64).saturating_mul(length as u64))?;
            let zero = kind::cast(state, &Value::Int(0), array.kind)?;
            let mut elements = vec![zero; length * length];
            for (at, value) in state.heap.array_values(&array).into_iter().enumerate() {
                elements[at * length + at] = value;
            }
            create::new_array(state, elements, vec![length, length], array.kind)
        }
        [rows, columns] => {
            let count = (*rows).min(*columns);
            let values = state.heap.array_values(&array);
            let elements = (0..count).map(|at| values[at * columns + at].clone()).collect();
            create::new_array(state, elements, vec![count], array.kind)
        }
        _ => Err(Fault::new(Code::TypeMismatch, "`diag` takes vectors and matrices")),
    }
}

/// `np.unique(xs, return_counts=…, return_inverse=…)`
pub(super) fn distinct<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = ["ar", "return_counts", "return_inverse"];
    let [values, counts, inverse] = arguments.bind("unique", parameters, 1, 1)?;
    let counted = counts.map_or(Ok(false), |counts| compare::truth(state, counts.value))?;
    let inverse = inverse.map_or(Ok(false), |inverse| compare::truth(state, inverse.value))?;
    let values = functions::public_values(state, "unique", given(values)?.value)?;
    let order = places::order_of(state, &values)?;
    let (mut found, mut counts): (Vec<Value<S>>, Vec<i64>) = (Vec::new(), Vec::new());
    let mut places = vec![Value::NumpyInt(0); values.len()];
    for at in order {
        let is_new = match found.last() {
            Some(last) => {
                let last = last.clone();
                !compare::equal(state, &last.plain(), &values[at].plain(), 0)?
            }
            None => true,
        };
        if is_new {
            found.push(values[at].clone());
            counts.push(0);
        }
        if let Some(count) = counts.last_mut() {
            *count += 1;
        }
        places[at] = Value::NumpyInt(found.len() as i64 - 1);
    }
    let found = create::array(state, found)?;
    if !counted && !inverse {
        return Ok(found);
    }
    let mut all = vec![found];
    if inverse {
        let shape = vec![places.len()];
        all.push(create::new_array(state, places, shape, Kind::Int)?);
    }
    if counted {
        let shape = vec![counts.len()];
        all.push(create::new_array(state, counts.into_iter().map(Value::NumpyInt).collect(), shape, Kind::Int)?);
    }
    state.tuple(all)
}
