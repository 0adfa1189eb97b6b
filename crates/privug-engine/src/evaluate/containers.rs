//! Indexing, slicing and counting the elements of containers.

use super::budget::BYTES_PER_STEP;
use super::fault::{Fault, Outcome};
use super::heap::Range;
use super::state::State;
use super::value::{Part, Value};
use super::{builtins, choices, iterators, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `object[index]`
#[inline]
pub(super) fn index<S: Scalar>(state: &mut State<S>, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
    if let (Value::List(handle), Value::Int(position)) = (object, index)
        && let Some(value) = state.heap.sequence(*handle).get(*position as usize)
        && *position >= 0
        && !state.worlds.exist()
    {
        return Ok(value.clone());
    }
    index_slow(state, object, index)
}

fn index_slow<S: Scalar>(state: &mut State<S>, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
    if matches!(index, Value::Counted(_)) {
        state.tables.tells_rows.set(true);
    }
    if state.worlds.exist()
        && (choices::calls::is_choice(object)
            || choices::calls::is_choice(index)
            || choices::lift::holds_choice(state, index, 0)
            || choices::lift::has_holes(state, object))
    {
        return choices::calls::index_choices(state, object, index);
    }
    index_value(state, object, index)
}

/// The same where neither depends on choices.
pub(super) fn index_value<S: Scalar>(state: &mut State<S>, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
    match object {
        Value::Poison => Ok(Value::Poison),
        Value::Array(handle) => {
            if let Value::Int(index) = index
                && let Some(element) = state.heap.array_element(*handle, *index)
            {
                return Ok(element.clone());
            }
            let array = state.heap.array(*handle).clone();
            ndarray::subscript::index_array(state, &array, index)
        }
        Value::List(handle) | Value::Tuple(handle) => {
            let length = state.heap.sequence(*handle).len();
            let position = position(index, length).map_err(|fault| beyond(object, fault))?;
            Ok(state.heap.sequence(*handle)[position].clone())
        }
        Value::Range(handle) => {
            let range = state.heap.range(*handle);
            let position = position(index, range.length as usize)?;
            Ok(Value::Int(range.get(position as u64)))
        }
        Value::Dict(handle) => {
            let key = state.key(index)?;
            let dict = state.heap.dict(*handle);
            match dict.positions.get(&key) {
                Some(position)
                    if dict.default.is_some() && choices::dictionaries::is_hole(state, &dict.entries[*position].1) =>
                {
                    let entry = dict.entries[*position].1.clone();
                    choices::dictionaries::entry_or_default(state, *handle, index, &entry)
                }
                Some(position) => Ok(dict.entries[*position].1.clone()),
                None if dict.default.is_some() => builtins::collections::default_entry(state, *handle, index),
                None => {
                    let message = format!("the dictionary has no key {}", text::show(state, index));
                    let fault = Fault::hinted(Code::MissingKey, message, "check its spelling, or use `.get`");
                    Err(fault.saying(text::quoted(state, index)))
                }
            }
        }
        Value::Text(handle) => {
            let text = state.heap.text(*handle);
            let (bytes, length) = (text.len(), text.chars().count());
            let position = position(index, length).map_err(|fault| beyond(object, fault))?;
            state.budget.spend_steps(bytes as u64 / BYTES_PER_STEP)?;
            let character = state.heap.text(*handle).chars().nth(position).map(String::from);
            state.text(character.unwrap_or_default())
        }
        Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_) => {
            tables::lookup::index_table(state, object, index)
        }
        Value::Random { .. } => Err(Fault::hinted(
            Code::TypeMismatch,
            "a random variable is indexed",
            "`Normal(mean, variance, size=n)` makes a list of n variables",
        )),
        Value::Choice(_) => choices::calls::index_choices(state, object, index),
        Value::Iterator(_) | Value::View(_, _) => {
            let message = format!("{} cannot be indexed", object.kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "make it a list: `list(...)`"))
        }
        Value::Unbound
        | Value::None
        | Value::Missing
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Counted(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::NumpyBool(_)
        | Value::NumpyInt(_)
        | Value::NumpyFloat(_)
        | Value::Function(_)
        | Value::Set(_)
        | Value::Object(..)
        | Value::Slice(_) => Err(Fault::new(Code::TypeMismatch, format!("{} cannot be indexed", object.kind()))),
    }
}

/// What Python says of an index that is out of range.
#[cold]
fn beyond<S: Scalar>(object: &Value<S>, fault: Box<Fault>) -> Box<Fault> {
    let kind = match object {
        Value::List(_) => "list",
        Value::Tuple(_) => "tuple",
        Value::Text(_) => "string",
        _ => return fault,
    };
    if fault.code == Code::IndexOutOfRange { fault.saying(format!("{kind} index out of range")) } else { fault }
}

/// An index as a position, counting from the end if it is negative.
pub(super) fn position<S: Scalar>(index: &Value<S>, length: usize) -> Outcome<usize> {
    let index = whole(index, "an index")?;
    let from_start = if index < 0 { i128::from(index) + length as i128 } else { i128::from(index) };
    if from_start < 0 || from_start >= length as i128 {
        let message = format!("index {index} is out of range for {length} elements");
        return Err(Fault::new(Code::IndexOutOfRange, message));
    }
    Ok(from_start as usize)
}

/// A machine integer; `what` says what it is for.
pub(super) fn whole<S: Scalar>(value: &Value<S>, what: &str) -> Outcome<i64> {
    match value {
        Value::Int(value) | Value::NumpyInt(value) => Ok(*value),
        Value::Counted(counted) => Ok(counted.count),
        Value::Bool(value) => Ok(i64::from(*value)),
        Value::Random { .. } | Value::Choice(_) => {
            Err(Fault::hinted(Code::RandomIndex, format!("{what} is random"), "use a number that is known beforehand"))
        }
        Value::BigInt(_) => Err(Fault::new(Code::BadArgument, format!("{what} is too large"))),
        Value::Unbound
        | Value::Poison
        | Value::None
        | Value::Missing
        | Value::Float(_)
        | Value::NumpyBool(_)
        | Value::NumpyFloat(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Tuple(_)
        | Value::Array(_)
        | Value::Dict(_)
        | Value::Range(_)
        | Value::Iterator(_)
        | Value::View(_, _)
        | Value::Slice(_)
        | Value::Frame(_)
        | Value::Series(_)
        | Value::Groups(_)
        | Value::Loc(_)
        | Value::Function(_)
        | Value::Set(_)
        | Value::Object(..) => {
            Err(Fault::new(Code::TypeMismatch, format!("{what} must be an integer, not {}", value.kind())))
        }
    }
}

/// `object[index] = value`
pub(super) fn set_index<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    index: &Value<S>,
    value: Value<S>,
) -> Outcome<()> {
    match object {
        Value::Poison => Ok(()),
        Value::List(_) if tables::axes::is_axis(state, object) => {
            let hint = "assign all names: `t.columns = [...]`, or rename some: `t.rename(columns={...})`";
            Err(Fault::hinted(Code::AssignmentTarget, "a name of an index is assigned", hint))
        }
        Value::List(handle) => {
            if let Value::Slice(bounds) = index {
                let bounds = state.heap.sequence(*bounds).to_vec();
                return set_slice(state, *handle, &bounds, &value);
            }
            let position = position(index, state.heap.sequence(*handle).len()).map_err(|fault| match fault.code {
                Code::IndexOutOfRange => fault.saying("list assignment index out of range"),
                _ => fault,
            })?;
            state.heap.sequences[*handle as usize][position] = value;
            Ok(())
        }
        Value::Array(_) if matches!(value, Value::Poison) => Ok(()),
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            ndarray::subscript::set_array(state, &array, index, &value)
        }
        Value::Dict(handle) => state.insert(*handle, index.clone(), value),
        Value::Frame(handle) => tables::frames::set_column(state, *handle, index, &value),
        Value::Loc(accessed) => tables::lookup::set_located(state, accessed, index, &value),
        Value::Tuple(_) => Err(Fault::hinted(Code::TypeMismatch, "a tuple cannot be changed", "use a list")),
        _ => Err(Fault::new(Code::TypeMismatch, format!("{} has no elements to assign", object.kind()))),
    }
}

/// `object[start:stop:step]`
pub(super) fn slice<S: Scalar>(state: &mut State<S>, object: &Value<S>, bounds: &[Value<S>]) -> Outcome<Value<S>> {
    if matches!(object, Value::Poison) || bounds.iter().any(|bound| matches!(bound, Value::Poison)) {
        return Ok(Value::Poison);
    }
    if matches!(object, Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_)) {
        return tables::order::slice_table(state, object, bounds);
    }
    if state.worlds.exist()
        && (choices::calls::is_choice(object)
            || bounds.iter().any(choices::calls::is_choice)
            || choices::lift::has_holes(state, object))
    {
        let mut values = vec![if choices::lift::has_holes(state, object) {
            choices::lift::expanded(state, object, 0)?
        } else {
            object.clone()
        }];
        values.extend_from_slice(bounds);
        return choices::lift::lift(state, &values, false, &mut |state, values| slice(state, &values[0], &values[1..]));
    }
    if let Value::Array(handle) = object {
        let array = state.heap.array(*handle).clone();
        let slice = Value::Slice(state.new_sequence(bounds.to_vec())?);
        let view = ndarray::subscript::index_array(state, &array, &slice);
        if let Value::Slice(handle) = slice {
            state.forget(handle);
        }
        return view;
    }
    if let Value::Text(handle) = object {
        return slice_text(state, *handle, bounds);
    }
    if let Value::Range(handle) = object {
        let range = state.heap.range(*handle);
        let (_, _, count) = slice_bounds(bounds, range.length as usize)?;
        let (first, end, step) = slice_parts(bounds, range.length as usize)?;
        let bound = |value: i128| {
            i64::try_from(value).map_err(|_| Fault::new(Code::BadArgument, "a range's bound is too large"))
        };
        let number = |index: i128| bound(i128::from(range.start) + i128::from(range.step) * index);
        let (start, stop, step) = (number(first)?, number(end)?, bound(i128::from(range.step) * step)?);
        return state.range(Range { start, stop, step, length: count as u64 });
    }
    let (Value::List(handle) | Value::Tuple(handle)) = object else {
        return Err(Fault::new(Code::TypeMismatch, format!("{} cannot be sliced", object.kind())));
    };
    let length = state.heap.sequence(*handle).len();
    let (first, step, count) = slice_bounds(bounds, length)?;
    state.budget.spend_steps(count as u64)?;
    let mut picked = state.heap.room(count);
    let elements = state.heap.sequence(*handle);
    picked.extend(places(first, step, count).map(|position| elements[position].clone()));
    match object {
        Value::Tuple(_) => state.tuple(picked),
        _ => {
            let part = state.list(picked)?;
            Ok(if tables::axes::is_axis(state, object) { tables::axes::part_of_axis(state, part) } else { part })
        }
    }
}

fn slice_text<S: Scalar>(state: &mut State<S>, handle: u32, bounds: &[Value<S>]) -> Outcome<Value<S>> {
    let text = state.heap.text(handle);
    let (bytes, length) = (text.len(), text.chars().count());
    state.budget.spend_steps(bytes as u64 / BYTES_PER_STEP)?;
    let (first, step, count) = slice_bounds(bounds, length)?;
    let text = state.heap.text(handle);
    if step == 1 {
        let part = text.chars().skip(first).take(count).collect();
        return state.text(part);
    }
    state.budget.spend_steps(bytes as u64)?;
    let characters: Vec<char> = state.heap.text(handle).chars().collect();
    let part = places(first, step, count).map(|position| characters[position]).collect();
    state.text(part)
}

/// `list[start:stop:step] = values`
fn set_slice<S: Scalar>(state: &mut State<S>, handle: u32, bounds: &[Value<S>], value: &Value<S>) -> Outcome<()> {
    let values = elements(state, value)?;
    let length = state.heap.sequence(handle).len();
    let (first, step, count) = slice_bounds(bounds, length)?;
    state.budget.spend_steps(length as u64)?;
    state.budget.spend_elements(values.len() as u64)?;
    let elements = &mut state.heap.sequences[handle as usize];
    if step == 1 {
        elements.splice(first..first + count, values);
        return Ok(());
    }
    if values.len() != count {
        let message = format!("{} values are put into a slice of {count}", values.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    for (position, value) in places(first, step, count).zip(values) {
        elements[position] = value;
    }
    Ok(())
}

/// A slice's bounds as the language clamps them: start, stop and step.
fn slice_parts<S: Scalar>(bounds: &[Value<S>], length: usize) -> Outcome<(i128, i128, i128)> {
    let part = |value: &Value<S>| match value {
        Value::None => Ok(None),
        other => whole(other, "a slice's bound").map(Some),
    };
    let (start, stop, step) = (part(&bounds[0])?, part(&bounds[1])?, part(&bounds[2])?.unwrap_or(1));
    if step == 0 {
        return Err(Fault::new(Code::BadArgument, "the step of a slice is zero"));
    }
    let length = length as i128;
    let clamp = |bound: i64, low: i128, high: i128| {
        let bound = i128::from(bound);
        (if bound < 0 { bound + length } else { bound }).clamp(low, high)
    };
    let step = i128::from(step);
    let (first, end) = if step > 0 {
        (start.map_or(0, |at| clamp(at, 0, length)), stop.map_or(length, |at| clamp(at, 0, length)))
    } else {
        (start.map_or(length - 1, |at| clamp(at, -1, length - 1)), stop.map_or(-1, |at| clamp(at, -1, length - 1)))
    };
    Ok((first, end, step))
}

/// The first position of a slice, the distance to the next, and how many there are.
pub(super) fn slice_bounds<S: Scalar>(bounds: &[Value<S>], length: usize) -> Outcome<(usize, isize, usize)> {
    let (first, end, step) = slice_parts(bounds, length)?;
    let count = if step > 0 { (end - first + step - 1) / step } else { (first - end - step - 1) / -step };
    let count = count.max(0) as usize;
    // All positions lie within the sequence, so what they are computed from fits as well.
    Ok((first.max(0) as usize, step as isize, count))
}

/// `len(value)`
pub(super) fn length<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<usize> {
    match value {
        Value::List(handle) | Value::Tuple(handle) => Ok(state.heap.sequence(*handle).len()),
        Value::Array(handle) => Ok(state.heap.array(*handle).len()),
        Value::Dict(handle) | Value::Set(handle) | Value::View(handle, _) => Ok(state.heap.dict(*handle).entries.len()),
        Value::Range(handle) => Ok(state.heap.range(*handle).length as usize),
        Value::Text(handle) => Ok(state.heap.text(*handle).chars().count()),
        Value::Frame(handle) => Ok(tables::frame(state, *handle).len()),
        Value::Series(series) => Ok(series.len()),
        Value::Groups(groups) => Ok(groups.len()),
        Value::Unbound
        | Value::Poison
        | Value::None
        | Value::Missing
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Counted(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::NumpyBool(_)
        | Value::NumpyInt(_)
        | Value::NumpyFloat(_)
        | Value::Iterator(_)
        | Value::Slice(_)
        | Value::Loc(_)
        | Value::Function(_)
        | Value::Object(..)
        | Value::Choice(_)
        | Value::Random { .. } => Err(Fault::new(Code::TypeMismatch, format!("{} has no length", value.kind()))),
    }
}

/// All elements of something that can be iterated over, collected.
pub(super) fn elements<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
    let elements = match value {
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).to_vec(),
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            match array.shape.len() {
                1 => state.heap.array_values(&array),
                _ => (0..array.len())
                    .map(|index| ndarray::create::view(state, array.row(index)))
                    .collect::<Outcome<_>>()?,
            }
        }
        Value::Iterator(handle) => return iterators::drain(state, *handle),
        Value::View(handle, part) => iterators::view_items(state, *handle, *part)?,
        Value::Dict(handle) if state.worlds.exist() && choices::tallies::is_tally(state, *handle) => {
            let whole = choices::lift::expanded(state, value, 0)?;
            return elements(state, &whole);
        }
        Value::Dict(handle) => iterators::view_items(state, *handle, Part::Keys)?,
        Value::Range(handle) => {
            let range = state.heap.range(*handle);
            state.budget.check_elements(range.length)?;
            (0..range.length).map(|index| Value::Int(range.get(index))).collect()
        }
        Value::Text(handle) => {
            let characters: Vec<String> = state.heap.text(*handle).chars().map(String::from).collect();
            characters.into_iter().map(|character| state.text(character)).collect::<Outcome<_>>()?
        }
        Value::Frame(handle) => {
            tables::shape::refuse_secret_shape(state, value, "iterating over the columns of")?;
            let frame = tables::frame(state, *handle).clone();
            tables::columns_method::column_names(state, &frame)?
        }
        Value::Series(series) => {
            tables::shape::refuse_secret_shape(state, value, "iterating over the rows of")?;
            tables::grouped::refuse_groups(state, value, "iterating over a column row by row")?;
            tables::windows::refuse_unstable_rows(state, &series.index)?;
            tables::column::series_values(state, series)?
        }
        Value::Groups(groups) => tables::groups_method::group_items(state, groups)?,
        Value::Unbound => {
            return Err(Fault::new(Code::UsedBeforeAssignment, "a variable is used before it has a value"));
        }
        Value::Set(_) => {
            let hint = "sort it: `sorted(...)`";
            return Err(Fault::hinted(Code::Set, "the elements of a set have no order", hint));
        }
        Value::Choice(_) => choices::lift::elements_of_choice(state, value)?,
        Value::Random { .. } => {
            return Err(Fault::hinted(
                Code::NotIterable,
                "a random variable cannot be iterated over",
                "`Normal(mean, variance, size=n)` makes a list of n variables",
            ));
        }
        Value::Poison
        | Value::None
        | Value::Missing
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Counted(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::NumpyBool(_)
        | Value::NumpyInt(_)
        | Value::NumpyFloat(_)
        | Value::Slice(_)
        | Value::Function(_)
        | Value::Object(..)
        | Value::Loc(_) => {
            return Err(Fault::new(Code::NotIterable, format!("{} cannot be iterated over", value.kind())));
        }
    };
    state.budget.spend_steps(elements.len() as u64)?;
    Ok(elements)
}

/// The positions of a slice.
fn places(first: usize, step: isize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |index| (first as isize + step * index as isize) as usize)
}
