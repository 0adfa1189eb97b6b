//! Indexing, slicing and counting the elements of containers.

use super::budget::BYTES_PER_STEP;
use super::fault::{Fault, Outcome};
use super::heap::Range;
use super::state::State;
use super::value::{Part, Value};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

impl<S: Scalar> State<S> {
    /// `object[index]`
    #[inline]
    pub(super) fn index(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        if let (Value::List(handle), Value::Int(position)) = (object, index)
            && let Some(value) = self.heap.sequence(*handle).get(*position as usize)
            && *position >= 0
            && !self.worlds.exist()
        {
            return Ok(value.clone());
        }
        self.index_slow(object, index)
    }

    fn index_slow(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        if self.worlds.exist()
            && (Self::is_choice(object)
                || Self::is_choice(index)
                || self.holds_choice(index, 0)
                || self.has_holes(object))
        {
            return self.index_choices(object, index);
        }
        self.index_value(object, index)
    }

    /// The same where neither depends on choices.
    pub(super) fn index_value(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        match object {
            Value::Poison => Ok(Value::Poison),
            Value::Array(handle) => {
                if let Value::Int(index) = index
                    && let Some(element) = self.heap.array_element(*handle, *index)
                {
                    return Ok(element.clone());
                }
                let array = self.heap.array(*handle).clone();
                self.index_array(&array, index)
            }
            Value::List(handle) | Value::Tuple(handle) => {
                let length = self.heap.sequence(*handle).len();
                let position = self.position(index, length)?;
                Ok(self.heap.sequence(*handle)[position].clone())
            }
            Value::Range(handle) => {
                let range = self.heap.range(*handle);
                let position = self.position(index, range.length as usize)?;
                Ok(Value::Int(range.get(position as u64)))
            }
            Value::Dict(handle) => {
                let key = self.key(index)?;
                let dict = self.heap.dict(*handle);
                match dict.positions.get(&key) {
                    Some(position) if dict.default.is_some() && self.is_hole(&dict.entries[*position].1) => {
                        let entry = dict.entries[*position].1.clone();
                        self.entry_or_default(*handle, index, &entry)
                    }
                    Some(position) => Ok(dict.entries[*position].1.clone()),
                    None if dict.default.is_some() => self.default_entry(*handle, index),
                    None => {
                        let message = format!("the dictionary has no key {}", self.show(index));
                        Err(Fault::hinted(Code::MissingKey, message, "check its spelling, or use `.get`"))
                    }
                }
            }
            Value::Text(handle) => {
                let text = self.heap.text(*handle);
                let (bytes, length) = (text.len(), text.chars().count());
                let position = self.position(index, length)?;
                self.budget.spend_steps(bytes as u64 / BYTES_PER_STEP)?;
                let character = self.heap.text(*handle).chars().nth(position).map(String::from);
                self.text(character.unwrap_or_default())
            }
            Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_) => self.index_table(object, index),
            Value::Random { .. } => Err(Fault::hinted(
                Code::TypeMismatch,
                "a random variable is indexed",
                "`Normal(mean, variance, size=n)` makes a list of n variables",
            )),
            Value::Choice(_) => self.index_choices(object, index),
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

    /// An index as a position, counting from the end if it is negative.
    pub(super) fn position(&self, index: &Value<S>, length: usize) -> Outcome<usize> {
        let index = self.whole(index, "an index")?;
        let from_start = if index < 0 { i128::from(index) + length as i128 } else { i128::from(index) };
        if from_start < 0 || from_start >= length as i128 {
            let message = format!("index {index} is out of range for {length} elements");
            return Err(Fault::new(Code::IndexOutOfRange, message));
        }
        Ok(from_start as usize)
    }

    /// A machine integer; `what` says what it is for.
    pub(super) fn whole(&self, value: &Value<S>, what: &str) -> Outcome<i64> {
        match value {
            Value::Int(value) | Value::NumpyInt(value) => Ok(*value),
            Value::Counted(counted) => Ok(counted.count),
            Value::Bool(value) => Ok(i64::from(*value)),
            Value::Random { .. } | Value::Choice(_) => Err(Fault::hinted(
                Code::RandomIndex,
                format!("{what} is random"),
                "use a number that is known beforehand",
            )),
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
    pub(super) fn set_index(&mut self, object: &Value<S>, index: &Value<S>, value: Value<S>) -> Outcome<()> {
        match object {
            Value::Poison => Ok(()),
            Value::List(_) if self.is_axis(object) => {
                let hint = "assign all names: `t.columns = [...]`, or rename some: `t.rename(columns={...})`";
                Err(Fault::hinted(Code::AssignmentTarget, "a name of an index is assigned", hint))
            }
            Value::List(handle) => {
                if let Value::Slice(bounds) = index {
                    let bounds = self.heap.sequence(*bounds).to_vec();
                    return self.set_slice(*handle, &bounds, &value);
                }
                let position = self.position(index, self.heap.sequence(*handle).len())?;
                self.heap.sequences[*handle as usize][position] = value;
                Ok(())
            }
            Value::Array(_) if matches!(value, Value::Poison) => Ok(()),
            Value::Array(handle) => {
                let array = self.heap.array(*handle).clone();
                self.set_array(&array, index, &value)
            }
            Value::Dict(handle) => self.insert(*handle, index.clone(), value),
            Value::Frame(handle) => self.set_column(*handle, index, &value),
            Value::Loc(accessed) => self.set_located(accessed, index, &value),
            Value::Tuple(_) => Err(Fault::hinted(Code::TypeMismatch, "a tuple cannot be changed", "use a list")),
            _ => Err(Fault::new(Code::TypeMismatch, format!("{} has no elements to assign", object.kind()))),
        }
    }

    /// `object[start:stop:step]`
    pub(super) fn slice(&mut self, object: &Value<S>, bounds: &[Value<S>]) -> Outcome<Value<S>> {
        if matches!(object, Value::Poison) || bounds.iter().any(|bound| matches!(bound, Value::Poison)) {
            return Ok(Value::Poison);
        }
        if matches!(object, Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_)) {
            return self.slice_table(object, bounds);
        }
        if self.worlds.exist()
            && (Self::is_choice(object) || bounds.iter().any(Self::is_choice) || self.has_holes(object))
        {
            let mut values = vec![if self.has_holes(object) { self.expanded(object, 0)? } else { object.clone() }];
            values.extend_from_slice(bounds);
            return self.lift(&values, false, &mut |state, values| state.slice(&values[0], &values[1..]));
        }
        if let Value::Array(handle) = object {
            let array = self.heap.array(*handle).clone();
            let slice = Value::Slice(self.new_sequence(bounds.to_vec())?);
            let view = self.index_array(&array, &slice);
            if let Value::Slice(handle) = slice {
                self.forget(handle);
            }
            return view;
        }
        if let Value::Text(handle) = object {
            return self.slice_text(*handle, bounds);
        }
        if let Value::Range(handle) = object {
            let range = self.heap.range(*handle);
            let (_, _, count) = self.slice_bounds(bounds, range.length as usize)?;
            let (first, end, step) = self.slice_parts(bounds, range.length as usize)?;
            let bound = |value: i128| {
                i64::try_from(value).map_err(|_| Fault::new(Code::BadArgument, "a range's bound is too large"))
            };
            let number = |index: i128| bound(i128::from(range.start) + i128::from(range.step) * index);
            let (start, stop, step) = (number(first)?, number(end)?, bound(i128::from(range.step) * step)?);
            return self.range(Range { start, stop, step, length: count as u64 });
        }
        let (Value::List(handle) | Value::Tuple(handle)) = object else {
            return Err(Fault::new(Code::TypeMismatch, format!("{} cannot be sliced", object.kind())));
        };
        let length = self.heap.sequence(*handle).len();
        let (first, step, count) = self.slice_bounds(bounds, length)?;
        self.budget.spend_steps(count as u64)?;
        let mut picked = self.heap.room(count);
        let elements = self.heap.sequence(*handle);
        picked.extend(places(first, step, count).map(|position| elements[position].clone()));
        match object {
            Value::Tuple(_) => self.tuple(picked),
            _ => {
                let part = self.list(picked)?;
                Ok(if self.is_axis(object) { self.part_of_axis(part) } else { part })
            }
        }
    }

    fn slice_text(&mut self, handle: u32, bounds: &[Value<S>]) -> Outcome<Value<S>> {
        let text = self.heap.text(handle);
        let (bytes, length) = (text.len(), text.chars().count());
        self.budget.spend_steps(bytes as u64 / BYTES_PER_STEP)?;
        let (first, step, count) = self.slice_bounds(bounds, length)?;
        let text = self.heap.text(handle);
        if step == 1 {
            let part = text.chars().skip(first).take(count).collect();
            return self.text(part);
        }
        self.budget.spend_steps(bytes as u64)?;
        let characters: Vec<char> = self.heap.text(handle).chars().collect();
        let part = places(first, step, count).map(|position| characters[position]).collect();
        self.text(part)
    }

    /// `list[start:stop:step] = values`
    fn set_slice(&mut self, handle: u32, bounds: &[Value<S>], value: &Value<S>) -> Outcome<()> {
        let values = self.elements(value)?;
        let length = self.heap.sequence(handle).len();
        let (first, step, count) = self.slice_bounds(bounds, length)?;
        self.budget.spend_steps(length as u64)?;
        self.budget.spend_elements(values.len() as u64)?;
        let elements = &mut self.heap.sequences[handle as usize];
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
    fn slice_parts(&self, bounds: &[Value<S>], length: usize) -> Outcome<(i128, i128, i128)> {
        let part = |value: &Value<S>| match value {
            Value::None => Ok(None),
            other => self.whole(other, "a slice's bound").map(Some),
        };
        let (start, stop, step) = (part(&bounds[0])?, part(&bounds[1])?, part(&bounds[2])?.unwrap_or(1));
        if step == 0 {
            return Err(Fault::new(Code::BadArgument, "a slice's step is zero"));
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
    pub(super) fn slice_bounds(&self, bounds: &[Value<S>], length: usize) -> Outcome<(usize, isize, usize)> {
        let (first, end, step) = self.slice_parts(bounds, length)?;
        let count = if step > 0 { (end - first + step - 1) / step } else { (first - end - step - 1) / -step };
        let count = count.max(0) as usize;
        // All positions lie within the sequence, so what they are computed from fits as well.
        Ok((first.max(0) as usize, step as isize, count))
    }

    /// `len(value)`
    pub(super) fn length(&self, value: &Value<S>) -> Outcome<usize> {
        match value {
            Value::List(handle) | Value::Tuple(handle) => Ok(self.heap.sequence(*handle).len()),
            Value::Array(handle) => Ok(self.heap.array(*handle).len()),
            Value::Dict(handle) | Value::Set(handle) | Value::View(handle, _) => {
                Ok(self.heap.dict(*handle).entries.len())
            }
            Value::Range(handle) => Ok(self.heap.range(*handle).length as usize),
            Value::Text(handle) => Ok(self.heap.text(*handle).chars().count()),
            Value::Frame(handle) => Ok(self.frame(*handle).len()),
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
    pub(super) fn elements(&mut self, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let elements = match value {
            Value::List(handle) | Value::Tuple(handle) => self.heap.sequence(*handle).to_vec(),
            Value::Array(handle) => {
                let array = self.heap.array(*handle).clone();
                match array.shape.len() {
                    1 => self.heap.array_values(&array),
                    _ => (0..array.len()).map(|index| self.view(array.row(index))).collect::<Outcome<_>>()?,
                }
            }
            Value::Iterator(handle) => return self.drain(*handle),
            Value::View(handle, part) => self.view_items(*handle, *part)?,
            Value::Dict(handle) if self.worlds.exist() && self.is_tally(*handle) => {
                let whole = self.expanded(value, 0)?;
                return self.elements(&whole);
            }
            Value::Dict(handle) => self.view_items(*handle, Part::Keys)?,
            Value::Range(handle) => {
                let range = self.heap.range(*handle);
                self.budget.check_elements(range.length)?;
                (0..range.length).map(|index| Value::Int(range.get(index))).collect()
            }
            Value::Text(handle) => {
                let characters: Vec<String> = self.heap.text(*handle).chars().map(String::from).collect();
                characters.into_iter().map(|character| self.text(character)).collect::<Outcome<_>>()?
            }
            Value::Frame(handle) => {
                self.refuse_secret_shape(value, "the columns are gone through of")?;
                let frame = self.frame(*handle).clone();
                self.column_names(&frame)?
            }
            Value::Series(series) => {
                self.refuse_secret_shape(value, "the rows are gone through of")?;
                self.refuse_groups(value, "going through a column row by row")?;
                self.refuse_unstable_rows(&series.index)?;
                self.series_values(series)?
            }
            Value::Groups(groups) => self.group_items(groups)?,
            Value::Unbound => {
                return Err(Fault::new(Code::UsedBeforeAssignment, "a variable is used before it has a value"));
            }
            Value::Set(_) => {
                let hint = "put it in order: `sorted(...)`";
                return Err(Fault::hinted(Code::Set, "the elements of a set have no order", hint));
            }
            Value::Choice(_) => self.elements_of_choice(value)?,
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
        self.budget.spend_steps(elements.len() as u64)?;
        Ok(elements)
    }
}

/// The positions of a slice.
fn places(first: usize, step: isize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |index| (first as isize + step * index as isize) as usize)
}
