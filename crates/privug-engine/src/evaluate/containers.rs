//! Indexing, slicing, spreading and walking through containers.

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A loop that is under way.
#[derive(Debug, Clone)]
pub(super) enum Walk<S> {
    Range {
        next: i64,
        step: i64,
        rounds_left: u64,
    },
    /// A sequence of the heap, seen as it is in each round.
    Sequence {
        handle: u32,
        next: usize,
    },
    /// Items that were collected beforehand.
    Items {
        items: std::vec::IntoIter<Value<S>>,
    },
}

impl<S: Scalar> State<S> {
    /// `object[index]`
    #[inline]
    pub(super) fn index(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        if let (Value::List(handle), Value::Int(position)) = (object, index)
            && let Some(value) = self.heap.sequence(*handle).get(*position as usize)
            && *position >= 0
        {
            return Ok(value.clone());
        }
        self.index_slow(object, index)
    }

    fn index_slow(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        match object {
            Value::Poison => Ok(Value::Poison),
            Value::List(handle) | Value::Tuple(handle) | Value::Array(handle) => {
                // `matrix[i, j]`
                if let (Value::Array(_), Value::Tuple(indices)) = (object, index) {
                    let indices = self.heap.sequence(*indices).to_vec();
                    return indices.iter().try_fold(object.clone(), |part, index| self.index(&part, index));
                }
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
                    Some(position) => Ok(dict.entries[*position].1.clone()),
                    None => {
                        let message = format!("the dictionary has no key {}", self.show(index));
                        Err(Fault::hinted(Code::MissingKey, message, "check its spelling, or use `.get`"))
                    }
                }
            }
            Value::Text(handle) => {
                let characters: Vec<char> = self.heap.text(*handle).chars().collect();
                let position = self.position(index, characters.len())?;
                self.text(characters[position].to_string())
            }
            Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_) => self.index_table(object, index),
            Value::Random { .. } => Err(Fault::hinted(
                Code::TypeMismatch,
                "a random variable is indexed",
                "`Normal(mean, variance, size=n)` makes a list of n variables",
            )),
            Value::Unbound
            | Value::None
            | Value::Missing
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_) => Err(Fault::new(Code::TypeMismatch, format!("{} cannot be indexed", object.kind()))),
        }
    }

    /// An index as a position, counting from the end if it is negative.
    fn position(&self, index: &Value<S>, length: usize) -> Outcome<usize> {
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
            Value::Int(value) => Ok(*value),
            Value::Bool(value) => Ok(i64::from(*value)),
            Value::Random { .. } => Err(Fault::hinted(
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
            | Value::Text(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Array(_)
            | Value::Dict(_)
            | Value::Range(_)
            | Value::Frame(_)
            | Value::Series(_)
            | Value::Groups(_)
            | Value::Loc(_) => {
                Err(Fault::new(Code::TypeMismatch, format!("{what} must be an integer, not {}", value.kind())))
            }
        }
    }

    /// `object[index] = value`
    pub(super) fn set_index(&mut self, object: &Value<S>, index: &Value<S>, value: Value<S>) -> Outcome<()> {
        match object {
            Value::Poison => Ok(()),
            Value::List(handle) | Value::Array(handle) => {
                let position = self.position(index, self.heap.sequence(*handle).len())?;
                self.heap.sequences[*handle as usize][position] = value;
                Ok(())
            }
            Value::Dict(handle) => self.insert(*handle, index.clone(), value),
            Value::Frame(handle) => self.set_column(*handle, index, &value),
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
            let message = format!("{} cannot be sliced", object.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, "choose rows by a mask: `p[p.age > 30]`"));
        }
        let length = match object {
            Value::Text(handle) => self.heap.text(*handle).chars().count(),
            _ => self.length(object)?,
        };
        let positions = self.slice_positions(bounds, length)?;
        if let Value::Text(handle) = object {
            let characters: Vec<char> = self.heap.text(*handle).chars().collect();
            let text = positions.map(|position| characters[position]).collect();
            return self.text(text);
        }
        if let Value::Range(handle) = object {
            let range = self.heap.range(*handle);
            let picked = positions.map(|position| Value::Int(range.get(position as u64))).collect();
            return self.list(picked);
        }
        let (Value::List(handle) | Value::Tuple(handle) | Value::Array(handle)) = object else {
            return Err(Fault::new(Code::TypeMismatch, format!("{} cannot be sliced", object.kind())));
        };
        let mut picked = self.heap.room(positions.len());
        let elements = self.heap.sequence(*handle);
        picked.extend(positions.map(|position| elements[position].clone()));
        match object {
            Value::Tuple(_) => self.tuple(picked),
            Value::Array(_) => self.array(picked),
            _ => self.list(picked),
        }
    }

    fn slice_positions(
        &mut self,
        bounds: &[Value<S>],
        length: usize,
    ) -> Outcome<impl ExactSizeIterator<Item = usize> + use<S>> {
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
        // Counted before they are made: a range may be longer than any memory.
        let count = if step > 0 { (end - first + step - 1) / step } else { (first - end - step - 1) / -step };
        let count = count.max(0) as usize;
        self.spend_steps(count as u64)?;
        // All positions lie within the sequence, so what they are computed from fits as well.
        let (first, step) = (first as isize, step as isize);
        Ok((0..count).map(move |index| (first + step * index as isize) as usize))
    }

    /// `len(value)`
    pub(super) fn length(&self, value: &Value<S>) -> Outcome<usize> {
        match value {
            Value::List(handle) | Value::Tuple(handle) | Value::Array(handle) => Ok(self.heap.sequence(*handle).len()),
            Value::Dict(handle) => Ok(self.heap.dict(*handle).entries.len()),
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
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Loc(_)
            | Value::Random { .. } => Err(Fault::new(Code::TypeMismatch, format!("{} has no length", value.kind()))),
        }
    }

    /// All elements of something that can be iterated over, collected.
    pub(super) fn elements(&mut self, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let elements = match value {
            Value::List(handle) | Value::Tuple(handle) | Value::Array(handle) => self.heap.sequence(*handle).to_vec(),
            Value::Dict(handle) => self.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect(),
            Value::Range(handle) => {
                let range = self.heap.range(*handle);
                self.spend_elements(range.length)?;
                (0..range.length).map(|index| Value::Int(range.get(index))).collect()
            }
            Value::Text(handle) => {
                let characters: Vec<String> = self.heap.text(*handle).chars().map(String::from).collect();
                characters.into_iter().map(|character| self.text(character)).collect::<Outcome<_>>()?
            }
            Value::Frame(handle) => {
                let frame = self.frame(*handle).clone();
                self.column_names(&frame)?
            }
            Value::Series(series) => self.series_values(series)?,
            Value::Groups(groups) => self.group_items(groups)?,
            Value::Unbound => {
                return Err(Fault::new(Code::UsedBeforeAssignment, "a variable is used before it has a value"));
            }
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
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Loc(_) => {
                return Err(Fault::new(Code::NotIterable, format!("{} cannot be iterated over", value.kind())));
            }
        };
        self.spend_steps(elements.len() as u64)?;
        Ok(elements)
    }

    /// Starts a loop.
    pub(super) fn walk(&mut self, value: &Value<S>) -> Outcome<Walk<S>> {
        Ok(match value {
            Value::List(handle) | Value::Tuple(handle) | Value::Array(handle) => {
                Walk::Sequence { handle: *handle, next: 0 }
            }
            Value::Range(handle) => {
                let range = self.heap.range(*handle);
                // A loop that cannot end within the budget is refused before it begins.
                if range.length > self.limits.steps {
                    let message = format!("a loop of {} rounds, but at most {} steps", range.length, self.limits.steps);
                    return Err(Fault::hinted(Code::StepLimit, message, "shorten the range, or raise `--max-steps`"));
                }
                Walk::Range { next: range.start, step: range.step, rounds_left: range.length }
            }
            other => Walk::Items { items: self.elements(other)?.into_iter() },
        })
    }

    /// A value as Python would print it, for messages and f-strings.
    pub(super) fn show(&self, value: &Value<S>) -> String {
        match value {
            Value::None => "None".to_owned(),
            Value::Missing => "nan".to_owned(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::BigInt(handle) => self.heap.integer(*handle).to_string(),
            Value::Float(value) => value.to_exact_string().unwrap_or_else(|| format!("{:?}", value.to_f64())),
            Value::Text(handle) => self.heap.text(*handle).to_owned(),
            other => other.kind().to_owned(),
        }
    }
}

impl<S: Scalar> Walk<S> {
    /// The next item.
    pub(super) fn next(&mut self, state: &State<S>) -> Option<Value<S>> {
        match self {
            Walk::Range { next, step, rounds_left } => next_round(next, *step, rounds_left).map(Value::Int),
            Walk::Sequence { handle, next } => {
                let item = state.heap.sequence(*handle).get(*next).cloned();
                *next += 1;
                item
            }
            Walk::Items { items } => items.next(),
        }
    }
}

/// The next number of a range.
#[inline(always)]
pub(super) fn next_round(next: &mut i64, step: i64, rounds_left: &mut u64) -> Option<i64> {
    *rounds_left = rounds_left.checked_sub(1)?;
    // Behind the last round this may leave the range of an integer, and is not used.
    Some(std::mem::replace(next, next.wrapping_add(step)))
}
