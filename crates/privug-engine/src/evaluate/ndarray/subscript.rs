//! `array[…]` and `array[…] = …`: positions, slices, masks and arrays of positions, as in numpy.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::{Array, broadcast, shape_text};
use super::elementwise::{Operand, shapes_differ, size_of_shape};
use super::kind::Kind;
use super::{create, elementwise, kind};
use crate::evaluate::containers;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// What is in brackets, one part for a dimension.
enum Part {
    At(i64),
    /// First position, distance and count.
    Slice(usize, isize, usize),
    NewAxis,
    /// Positions, in a shape of their own.
    Positions(Vec<i64>, Vec<usize>),
}

/// What an index chooses.
enum Chosen {
    /// A view of the same elements.
    View(Array),
    /// Places in the buffer, and the shape they have together.
    Places(Vec<usize>, Vec<usize>),
}

/// `array[index]`
pub(in super::super) fn index_array<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    index: &Value<S>,
) -> Outcome<Value<S>> {
    match chosen(state, array, index)? {
        Chosen::View(view) => create::view(state, view),
        Chosen::Places(places, shape) => {
            let elements = state.heap.sequence(array.buffer);
            let picked = places.iter().map(|place| elements[*place].clone()).collect();
            create::new_array(state, picked, shape, array.kind)
        }
    }
}

/// `array[index] = value`
pub(in super::super) fn set_array<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    index: &Value<S>,
    value: &Value<S>,
) -> Outcome<()> {
    match chosen(state, array, index)? {
        Chosen::View(view) => assign_array(state, &view, value, false),
        Chosen::Places(places, shape) => {
            let values = assigned(state, value, &shape, array.kind)?;
            for (place, value) in places.iter().zip(values) {
                state.heap.sequences[array.buffer as usize][*place] = value;
            }
            Ok(())
        }
    }
}

/// Puts a value into all places of a view; of the same shape only, if `exactly`.
pub(in super::super) fn assign_array<S: Scalar>(
    state: &mut State<S>,
    target: &Array,
    value: &Value<S>,
    exactly: bool,
) -> Outcome<()> {
    if target.shape.is_empty() && !exactly {
        let is_single = !matches!(value, Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_));
        if !is_single {
            let message = format!("{} is put into a single element of an array", value.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, "assign a number"));
        }
    }
    let values = assigned(state, value, &target.shape, target.kind)?;
    for (place, value) in target.positions().zip(values) {
        state.heap.sequences[target.buffer as usize][place] = value;
    }
    Ok(())
}

/// The elements that an assignment puts into a shape.
fn assigned<S: Scalar>(state: &mut State<S>, value: &Value<S>, shape: &[usize], kind: Kind) -> Outcome<Vec<Value<S>>> {
    let count = size_of_shape(shape)?;
    state.budget.spend_steps(count as u64)?;
    match elementwise::operand(state, value)? {
        Operand::Single(value) => Ok(vec![kind::cast(state, &value, kind)?; count]),
        Operand::Array(mut array) => {
            // Dimensions of length 1 in front say nothing.
            while array.shape.len() > shape.len() && array.shape[0] == 1 {
                array = array.row(0);
            }
            if broadcast(&array.shape, shape).as_deref() != Some(shape) {
                return Err(shapes_differ(shape, &array.shape));
            }
            let values = state.heap.array_values(&array.stretched(shape));
            values.iter().map(|value| kind::cast(state, value, kind)).collect()
        }
    }
}

fn chosen<S: Scalar>(state: &mut State<S>, array: &Array, index: &Value<S>) -> Outcome<Chosen> {
    let indices = match index {
        Value::Tuple(handle) => state.heap.sequence(*handle).to_vec(),
        single => vec![single.clone()],
    };
    let mut parts = Vec::with_capacity(indices.len());
    let mut axis = 0;
    for index in &indices {
        axis = read_part(state, array, index, axis, &mut parts)?;
    }
    for length in &array.shape[axis..] {
        parts.push(Part::Slice(0, 1, *length));
    }
    if parts.iter().any(|part| matches!(part, Part::Positions(_, _))) {
        return chosen_places(state, array, &parts);
    }
    let mut view = Array { shape: Vec::new(), strides: Vec::new(), ..array.clone() };
    let mut offset = array.offset as isize;
    let mut axis = 0;
    for part in &parts {
        match part {
            Part::At(index) => {
                offset += position(*index, array.shape[axis], axis)? as isize * array.strides[axis];
                axis += 1;
            }
            Part::Slice(first, step, count) => {
                // Without elements there is nothing to point to.
                if *count > 0 {
                    offset += *first as isize * array.strides[axis];
                }
                view.shape.push(*count);
                view.strides.push(if *count > 1 { array.strides[axis] * step } else { 1 });
                axis += 1;
            }
            Part::NewAxis => {
                view.shape.push(1);
                view.strides.push(0);
            }
            Part::Positions(_, _) => {}
        }
    }
    view.offset = offset as usize;
    Ok(Chosen::View(view))
}

/// One of the values in brackets; gives the dimension behind those it is about.
fn read_part<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    index: &Value<S>,
    axis: usize,
    parts: &mut Vec<Part>,
) -> Outcome<usize> {
    let left = &array.shape[axis.min(array.shape.len())..];
    let too_many = || {
        let message = format!("too many indices for an array of shape {}", shape_text(&array.shape));
        Fault::new(Code::IndexOutOfRange, message)
    };
    match index {
        Value::None => {
            parts.push(Part::NewAxis);
            Ok(axis)
        }
        Value::Slice(handle) => {
            let length = *left.first().ok_or_else(too_many)?;
            let bounds = state.heap.sequence(*handle).to_vec();
            let (first, step, count) = containers::slice_bounds(&bounds, length)?;
            parts.push(Part::Slice(first, step, count));
            Ok(axis + 1)
        }
        Value::List(_) | Value::Array(_) | Value::Range(_) => {
            let positions = create::as_array(state, index)?;
            let is_empty_list = positions.size() == 0 && matches!(index, Value::List(_));
            match positions.kind {
                Kind::Bool if positions.shape.len() > left.len() => Err(too_many()),
                Kind::Bool => {
                    if positions.shape != left[..positions.shape.len()] {
                        let message = format!(
                            "a mask of shape {} for an array of shape {}",
                            shape_text(&positions.shape),
                            shape_text(&array.shape)
                        );
                        return Err(Fault::new(Code::LengthMismatch, message));
                    }
                    let dimensions = positions.shape.len();
                    parts.extend(where_true(state, &positions)?);
                    Ok(axis + dimensions)
                }
                Kind::Int | Kind::Float if positions.kind == Kind::Int || is_empty_list => {
                    left.first().ok_or_else(too_many)?;
                    state.budget.spend_steps(positions.size() as u64)?;
                    let values = state.heap.array_values(&positions);
                    let values = values.iter().map(|value| containers::whole(value, "a position"));
                    let values = values.collect::<Outcome<Vec<i64>>>()?;
                    parts.push(Part::Positions(values, positions.shape));
                    Ok(axis + 1)
                }
                Kind::Int | Kind::Float | Kind::Text => {
                    if state.heap.array_values(&positions).iter().any(|value| value.as_random().is_some()) {
                        let hint = "use numbers that are known beforehand";
                        return Err(Fault::hinted(Code::RandomIndex, "an index is random", hint));
                    }
                    let message = "an array is indexed by integers, slices and masks";
                    Err(Fault::new(Code::TypeMismatch, message))
                }
            }
        }
        Value::Bool(_) | Value::NumpyBool(_) => {
            let hint = "a mask is an array of booleans";
            Err(Fault::hinted(Code::TypeMismatch, "an array is indexed by a single boolean", hint))
        }
        single => {
            let index = containers::whole(single, "an index")?;
            left.first().ok_or_else(too_many)?;
            parts.push(Part::At(index));
            Ok(axis + 1)
        }
    }
}

/// The positions where a mask is true, one list for each of its dimensions.
fn where_true<S: Scalar>(state: &mut State<S>, mask: &Array) -> Outcome<Vec<Part>> {
    state.budget.spend_steps(mask.size() as u64)?;
    let mut found: Vec<Vec<i64>> = vec![Vec::new(); mask.shape.len()];
    for (place, value) in state.heap.array_values(mask).iter().enumerate() {
        if matches!(value, Value::NumpyBool(true)) {
            let mut rest = place;
            for (axis, length) in mask.shape.iter().enumerate().rev() {
                found[axis].push((rest % length) as i64);
                rest /= length;
            }
        }
    }
    let count = found.first().map_or(0, Vec::len);
    Ok(found.into_iter().map(|positions| Part::Positions(positions, vec![count])).collect())
}

/// numpy's advanced indexing: all arrays of positions are stretched to one shape, which stands where they stood, or
/// in front if something stands between them.
fn chosen_places<S: Scalar>(state: &mut State<S>, array: &Array, parts: &[Part]) -> Outcome<Chosen> {
    let is_advanced = |part: &Part| matches!(part, Part::At(_) | Part::Positions(_, _));
    let mut shape: Vec<usize> = Vec::new();
    for part in parts {
        if let Part::Positions(_, own) = part {
            shape = broadcast(&shape, own).ok_or_else(|| shapes_differ(&shape, own))?;
        }
    }
    let count = size_of_shape(&shape)?;
    let mut offsets = vec![array.offset as isize; count];
    let (mut before, mut after): (Vec<(usize, isize)>, Vec<(usize, isize)>) = (Vec::new(), Vec::new());
    let first = parts.iter().position(is_advanced).unwrap_or(0);
    let last = parts.iter().rposition(is_advanced).unwrap_or(0);
    let together = parts[first..=last].iter().all(is_advanced);
    let mut start = 0isize;
    let mut axis = 0;
    for (place, part) in parts.iter().enumerate() {
        let dimensions = if together && place < first { &mut before } else { &mut after };
        match part {
            Part::At(index) => {
                start += position(*index, array.shape[axis], axis)? as isize * array.strides[axis];
                axis += 1;
            }
            Part::Positions(positions, own) => {
                let (length, stride) = (array.shape[axis], array.strides[axis]);
                // The positions as an array of their own, stretched.
                let numbers = Array::rows(0, own.clone(), Kind::Int).stretched(&shape);
                for (offset, place) in offsets.iter_mut().zip(numbers.positions()) {
                    *offset += position(positions[place], length, axis)? as isize * stride;
                }
                // Positions are checked even where nothing is taken.
                for index in positions {
                    position(*index, length, axis)?;
                }
                axis += 1;
            }
            Part::Slice(first, step, count) => {
                if *count > 0 {
                    start += *first as isize * array.strides[axis];
                }
                dimensions.push((*count, array.strides[axis] * if *count > 1 { *step } else { 1 }));
                axis += 1;
            }
            Part::NewAxis => dimensions.push((1, 0)),
        }
    }
    let mut whole: Vec<usize> = before.iter().map(|(length, _)| *length).collect();
    whole.extend(&shape);
    whole.extend(after.iter().map(|(length, _)| *length));
    let total = size_of_shape(&whole)?;
    state.budget.check_elements(total as u64)?;
    state.budget.spend_steps(total as u64)?;
    let (before, after) = (distances(&before), distances(&after));
    let mut places = Vec::with_capacity(total);
    for outer in &before {
        for offset in &offsets {
            places.extend(after.iter().map(|inner| (start + outer + offset + inner) as usize));
        }
    }
    Ok(Chosen::Places(places, whole))
}

/// How far the elements of dimensions are from the first, in their order.
pub(super) fn distances(dimensions: &[(usize, isize)]) -> Vec<isize> {
    let mut all = vec![0];
    for (length, stride) in dimensions {
        all = all.iter().flat_map(|start| (0..*length).map(move |index| start + index as isize * stride)).collect();
    }
    all
}

/// An index as a position, counting from the end if it is negative.
fn position(index: i64, length: usize, axis: usize) -> Outcome<usize> {
    let from_start = if index < 0 { i128::from(index) + length as i128 } else { i128::from(index) };
    if from_start < 0 || from_start >= length as i128 {
        let message = format!("index {index} is out of range for dimension {axis}, which has {length} elements");
        return Err(Fault::new(Code::IndexOutOfRange, message));
    }
    Ok(from_start as usize)
}
