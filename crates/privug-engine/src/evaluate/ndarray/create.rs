//! Making arrays: of lists, of nothing, and of numbers in a row.

use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::array::{Array, MAX_DIMENSIONS, shape_text};
use super::elementwise::size_of_shape;
use super::kind;
use super::kind::Kind;
use crate::evaluate::{builtins, containers, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// An array of these elements, row by row; a single one without dimensions is itself.
pub(in super::super) fn new_array<S: Scalar>(
    state: &mut State<S>,
    mut elements: Vec<Value<S>>,
    shape: Vec<usize>,
    kind: Kind,
) -> Outcome<Value<S>> {
    if shape.is_empty()
        && let Some(only) = elements.pop()
    {
        return Ok(only);
    }
    let buffer = state.new_sequence(elements)?;
    view(state, Array::rows(buffer, shape, kind))
}

/// An array that shows elements that are there already.
pub(in super::super) fn view<S: Scalar>(state: &mut State<S>, array: Array) -> Outcome<Value<S>> {
    if array.shape.is_empty() {
        return Ok(state.heap.sequence(array.buffer)[array.offset].clone());
    }
    if array.shape.len() > MAX_DIMENSIONS {
        let message = format!("an array has more than {MAX_DIMENSIONS} dimensions");
        return Err(Fault::new(Code::ValueNesting, message));
    }
    state.budget.spend_elements(2)?;
    state.heap.arrays.push(array);
    Ok(Value::Array(state.heap.arrays.len() as u32 - 1))
}

/// An array of one dimension, of the type that its elements ask for.
pub(in super::super) fn array<S: Scalar>(state: &mut State<S>, elements: Vec<Value<S>>) -> Outcome<Value<S>> {
    let shape = vec![elements.len()];
    let (elements, kind) = of_one_kind(state, elements, None)?;
    new_array(state, elements, shape, kind)
}

fn of_one_kind<S: Scalar>(
    state: &mut State<S>,
    elements: Vec<Value<S>>,
    wanted: Option<Kind>,
) -> Outcome<(Vec<Value<S>>, Kind)> {
    let mut largest = None;
    let mut has_texts = false;
    for element in &elements {
        let kind = kind::kind_of(element)?;
        has_texts |= kind == Kind::Text;
        largest = largest.max(Some(kind));
    }
    let kind = wanted.or(largest).unwrap_or(Kind::Float);
    if has_texts && wanted.is_some() {
        return Err(Fault::new(Code::TypeMismatch, format!("strings are made {}", kind.name())));
    }
    if elements.iter().all(|element| is_element(element, kind)) {
        return Ok((elements, kind));
    }
    let elements = elements.iter().map(|element| kind::cast(state, element, kind)).collect::<Outcome<_>>()?;
    Ok((elements, kind))
}

/// A value as an array: lists of lists become dimensions, a single value has none.
pub(in super::super) fn as_array<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Array> {
    match value {
        Value::Array(handle) => Ok(state.heap.array(*handle).clone()),
        other => copied_array(state, other, None),
    }
}

/// A new array of the elements of a value.
pub(in super::super) fn copied_array<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    kind: Option<Kind>,
) -> Outcome<Array> {
    if let Value::Array(handle) = value {
        let array = state.heap.array(*handle).clone();
        state.budget.spend_steps(array.size() as u64)?;
        let elements = state.heap.array_values(&array);
        let (elements, kind) = match kind {
            Some(kind) if kind != array.kind => {
                refuse_random_cast(state, &elements, kind)?;
                of_one_kind(state, elements, Some(kind))?
            }
            _ => (elements, array.kind),
        };
        let buffer = state.new_sequence(elements)?;
        return Ok(Array::rows(buffer, array.shape, kind));
    }
    let mut elements = Vec::new();
    let shape = nested(state, value, 0, &mut elements)?;
    let (elements, kind) = of_one_kind(state, elements, kind)?;
    let buffer = state.new_sequence(elements)?;
    Ok(Array::rows(buffer, shape, kind))
}

fn refuse_random_cast<S: Scalar>(state: &State<S>, elements: &[Value<S>], kind: Kind) -> Outcome<()> {
    match elements.iter().find(|element| element.as_random().is_some()) {
        Some(random) => kind::cast(state, random, kind).map(|_| ()),
        None => Ok(()),
    }
}

/// Collects the elements of lists within lists and gives their shape.
fn nested<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    depth: usize,
    elements: &mut Vec<Value<S>>,
) -> Outcome<Vec<usize>> {
    if depth > MAX_DIMENSIONS {
        let message = format!("an array has more than {MAX_DIMENSIONS} dimensions");
        return Err(Fault::hinted(Code::ValueNesting, message, "does a list contain itself?"));
    }
    let parts = match value {
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            state.budget.spend_steps(array.size() as u64)?;
            elements.extend(state.heap.array_values(&array));
            return Ok(array.shape);
        }
        Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Series(_) => containers::elements(state, value)?,
        Value::Frame(handle) => tables::frames::table_rows(state, *handle)?,
        // What was refused is told already, and nothing is computed from the array in the end: any number will do.
        Value::Poison => {
            elements.push(Value::Float(S::one()));
            return Ok(Vec::new());
        }
        single => {
            kind::kind_of(single)?;
            elements.push(single.clone());
            return Ok(Vec::new());
        }
    };
    let mut shape: Option<Vec<usize>> = None;
    for part in &parts {
        let found = nested(state, part, depth + 1, elements)?;
        match &shape {
            Some(first) if *first != found => {
                let message =
                    format!("parts of shapes {} and {} are in one array", shape_text(first), shape_text(&found));
                let hint = "all rows of an array have the same length";
                return Err(Fault::hinted(Code::LengthMismatch, message, hint));
            }
            Some(_) => {}
            None => shape = Some(found),
        }
    }
    let mut whole = vec![parts.len()];
    whole.extend(shape.unwrap_or_default());
    Ok(whole)
}

/// A shape: a length, or a tuple of lengths.
pub(in super::super) fn shape_of<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Vec<usize>> {
    let sizes: Vec<i64> = match value {
        Value::Tuple(_) | Value::List(_) => {
            let sizes = containers::elements(state, value)?;
            sizes.iter().map(|size| containers::whole(size, "a size")).collect::<Outcome<_>>()?
        }
        Value::Bool(_) => return Err(Fault::new(Code::TypeMismatch, "the size is a boolean")),
        size => vec![containers::whole(size, "the size")?],
    };
    if sizes.len() > MAX_DIMENSIONS {
        let message = format!("an array has more than {MAX_DIMENSIONS} dimensions");
        return Err(Fault::new(Code::ValueNesting, message));
    }
    match sizes.iter().find(|size| **size < 0) {
        Some(negative) => Err(Fault::new(Code::BadArgument, format!("the size {negative} is negative"))),
        None => Ok(sizes.into_iter().map(|size| size as usize).collect()),
    }
}

/// `np.full(shape, value)`
pub(in super::super) fn filled_array<S: Scalar>(
    state: &mut State<S>,
    shape: Vec<usize>,
    value: Value<S>,
    kind: Kind,
) -> Outcome<Value<S>> {
    let count = shape.iter().try_fold(1u64, |size, length| size.checked_mul(*length as u64)).unwrap_or(u64::MAX);
    // Counted before they are made.
    state.budget.check_elements(count)?;
    state.budget.spend_steps(count)?;
    let value = kind::cast(state, &value, kind)?;
    new_array(state, vec![value; size_of_shape(&shape)?], shape, kind)
}

/// `np.arange(start, stop, step)`
pub(in super::super) fn arange_of<S: Scalar>(state: &mut State<S>, bounds: &[Value<S>]) -> Outcome<Value<S>> {
    let numbers: Vec<Number<S>> = bounds
        .iter()
        .map(|bound| builtins::numbers::required_number(state, "arange", bound))
        .collect::<Outcome<_>>()?;
    let integers: Option<Vec<i64>> =
        numbers.iter().map(|number| number.integer().and_then(|value| i64::try_from(&value).ok())).collect();
    if let Some(integers) = integers {
        let (start, stop, step) = (integers[0], integers[1], integers[2]);
        if step == 0 {
            return Err(Fault::new(Code::BadArgument, "the step is zero"));
        }
        let range = builtins::sequences::whole_range(start, stop, step);
        state.budget.check_elements(range.length)?;
        state.budget.spend_steps(range.length)?;
        let elements = (0..range.length).map(|index| Value::NumpyInt(range.get(index))).collect();
        return new_array(state, elements, vec![range.length as usize], Kind::Int);
    }
    let scalars: Vec<S> = numbers.iter().map(|number| state.scalar(number)).collect::<Outcome<_>>()?;
    let (start, stop, step) = (&scalars[0], &scalars[1], &scalars[2]);
    if step.is_zero() {
        return Err(Fault::new(Code::BadArgument, "the step is zero"));
    }
    let length: IBig = -stop.sub(start).div(step).neg().floor();
    let length = u64::try_from(&length).unwrap_or(if length > IBig::ZERO { u64::MAX } else { 0 });
    state.budget.check_elements(length)?;
    state.budget.spend_steps(length)?;
    // numpy takes the difference of the first two, which is not always the step.
    let difference = start.add(step).sub(start);
    let mut elements = Vec::with_capacity(length as usize);
    for index in 0..length {
        let value = match index {
            0 => start.clone(),
            1 => start.add(step),
            _ => start.add(&S::from_i64(index as i64).mul(&difference)),
        };
        elements.push(Value::NumpyFloat(state.finite(value)?));
    }
    new_array(state, elements, vec![length as usize], Kind::Float)
}

/// Whether a value is an element of an array of this kind as it is.
fn is_element<S>(value: &Value<S>, kind: Kind) -> bool {
    matches!(
        (kind, value),
        (Kind::Bool, Value::NumpyBool(_))
            | (Kind::Int, Value::NumpyInt(_))
            | (Kind::Text, Value::Text(_))
            | (Kind::Float, Value::NumpyFloat(_) | Value::Random { .. })
    )
}
