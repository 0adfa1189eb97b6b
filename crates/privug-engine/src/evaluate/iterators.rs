//! Going through values: loops, and the iterators of `zip`, `enumerate` and `reversed`, which are used up by it.

use dashu_int::IBig;

use super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::fault::{Fault, Outcome};
use super::heap::Heap;
use super::state::State;
use super::value::{Handle, Part, Value};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A way through something, and how far it has come.
#[derive(Debug, Clone)]
pub(super) enum Walk<S> {
    Range {
        next: i64,
        step: i64,
        rounds_left: u64,
    },
    /// A list or tuple, seen as it is in each round.
    Sequence {
        handle: Handle,
        next: usize,
        /// How often its elements had changed their places in some worlds when this began.
        reshaped: u32,
    },
    /// The same from its end.
    Backwards {
        handle: Handle,
        left: usize,
        reshaped: u32,
    },
    /// An array's elements: place in the buffer, distance and how many are left.
    Elements {
        buffer: Handle,
        next: usize,
        stride: isize,
        left: usize,
    },
    /// An array's rows, as views.
    Rows {
        handle: Handle,
        next: usize,
    },
    /// A dictionary, which must not grow meanwhile.
    Dict {
        handle: Handle,
        part: Part,
        next: usize,
        size: usize,
    },
    /// Items that were collected beforehand.
    Items {
        items: std::vec::IntoIter<Value<S>>,
    },
    /// Another iterator.
    Iterator(Handle),
    Zip {
        parts: Vec<Handle>,
    },
    Enumerate {
        inner: Handle,
        next: IBig,
    },
}

impl<S: Scalar> State<S> {
    /// Starts a way through a value.
    pub(super) fn walk(&mut self, value: &Value<S>) -> Outcome<Walk<S>> {
        Ok(match value {
            Value::List(handle) | Value::Tuple(handle) => {
                Walk::Sequence { handle: *handle, next: 0, reshaped: self.times_reshaped(*handle) }
            }
            Value::Array(handle) => match self.heap.array(*handle) {
                array if array.shape.len() == 1 => Walk::Elements {
                    buffer: array.buffer,
                    next: array.offset,
                    stride: array.strides[0],
                    left: array.shape[0],
                },
                _ => Walk::Rows { handle: *handle, next: 0 },
            },
            Value::Range(handle) => {
                let range = self.heap.range(*handle);
                // A loop that cannot end within the budget is refused before it begins.
                if range.length > self.budget.limits.steps {
                    let message =
                        format!("a loop of {} rounds, but at most {} steps", range.length, self.budget.limits.steps);
                    return Err(Fault::hinted(Code::StepLimit, message, "shorten the range, or raise `--max-steps`"));
                }
                Walk::Range { next: range.start, step: range.step, rounds_left: range.length }
            }
            Value::Dict(handle) if self.worlds.exist() && self.is_tally(*handle) => {
                Walk::Items { items: self.elements(value)?.into_iter() }
            }
            Value::Dict(handle) => self.walk_dict(*handle, Part::Keys),
            Value::View(handle, part) => self.walk_dict(*handle, *part),
            Value::Iterator(handle) => Walk::Iterator(*handle),
            other => Walk::Items { items: self.elements(other)?.into_iter() },
        })
    }

    /// How often the elements of a list have changed their places in some worlds.
    pub(super) fn times_reshaped(&self, handle: Handle) -> u32 {
        self.worlds.reshaped.get(&handle).copied().unwrap_or(0)
    }

    fn walk_dict(&self, handle: Handle, part: Part) -> Walk<S> {
        Walk::Dict { handle, part, next: 0, size: self.heap.dict(handle).entries.len() }
    }

    /// Makes an iterator of a way; `inner` are the iterators that it goes through itself.
    pub(super) fn iterator(&mut self, walk: Walk<S>, inner: &[Handle]) -> Outcome<Value<S>> {
        let depth = inner.iter().map(|handle| self.heap.iterators[*handle as usize].1 + 1).max().unwrap_or(0);
        if depth > MAX_VALUE_DEPTH {
            return Err(too_deep());
        }
        self.budget.spend_elements(4 + inner.len() as u64)?;
        self.heap.iterators.push((walk, depth));
        Ok(Value::Iterator(self.heap.iterators.len() as u32 - 1))
    }

    /// The iterator of a value: itself, if it is one.
    pub(super) fn iterator_of(&mut self, value: &Value<S>) -> Outcome<Handle> {
        if let Value::Iterator(handle) = value {
            return Ok(*handle);
        }
        let walk = self.walk(value)?;
        match self.iterator(walk, &[])? {
            Value::Iterator(handle) => Ok(handle),
            _ => Err(Fault::new(Code::NotIterable, "this cannot be iterated over")),
        }
    }

    /// The next item of an iterator.
    pub(super) fn advance(&mut self, handle: Handle) -> Outcome<Option<Value<S>>> {
        let used_up = Walk::Items { items: Vec::new().into_iter() };
        let mut walk = std::mem::replace(&mut self.heap.iterators[handle as usize].0, used_up);
        let item = walk.next(self);
        // What came to its end stays there.
        if !matches!(item, Ok(None)) {
            self.heap.iterators[handle as usize].0 = walk;
        }
        item
    }

    /// All items that are left.
    pub(super) fn drain(&mut self, handle: Handle) -> Outcome<Vec<Value<S>>> {
        let mut items = Vec::new();
        while let Some(item) = self.advance(handle)? {
            self.budget.spend_steps(1)?;
            self.budget.check_elements(items.len() as u64)?;
            items.push(item);
        }
        Ok(items)
    }

    fn dict_item(&mut self, handle: Handle, part: Part, index: usize) -> Outcome<Value<S>> {
        if self.worlds.exist() {
            self.require_order(handle)?;
        }
        let (key, value) = &self.heap.dict(handle).entries[index];
        if self.is_hole(value) {
            let (key, value) = (key.clone(), value.clone());
            return self.item_in_worlds(part, key, value);
        }
        match part {
            Part::Keys => Ok(key.clone()),
            Part::Values => Ok(value.clone()),
            Part::Items => {
                let pair = vec![key.clone(), value.clone()];
                self.tuple(pair)
            }
        }
    }

    /// The items of a dictionary's view.
    pub(super) fn view_items(&mut self, handle: Handle, part: Part) -> Outcome<Vec<Value<S>>> {
        let size = self.heap.dict(handle).entries.len();
        (0..size).map(|index| self.dict_item(handle, part, index)).collect()
    }
}

impl<S: Scalar> Walk<S> {
    /// The next item.
    pub(super) fn next(&mut self, state: &mut State<S>) -> Outcome<Option<Value<S>>> {
        Ok(match self {
            Walk::Range { next, step, rounds_left } => next_round(next, *step, rounds_left).map(Value::Int),
            Walk::Sequence { handle, reshaped, .. } | Walk::Backwards { handle, reshaped, .. }
                if *reshaped != state.times_reshaped(*handle) =>
            {
                let message = "elements of a list change their places in some worlds while a loop goes through it";
                return Err(Fault::hinted(Code::RandomIndex, message, "loop over a copy: `list(xs)`"));
            }
            Walk::Sequence { .. } | Walk::Elements { .. } => self.simple_next(&state.heap).cloned(),
            Walk::Backwards { handle, left, .. } => match left.checked_sub(1) {
                Some(place) => {
                    *left = place;
                    state.heap.sequence(*handle).get(place).cloned()
                }
                None => None,
            },
            Walk::Rows { handle, next } => {
                let array = state.heap.array(*handle);
                if *next >= array.len() {
                    return Ok(None);
                }
                let row = array.row(*next);
                *next += 1;
                Some(state.view(row)?)
            }
            Walk::Dict { handle, part, next, size } => {
                if state.heap.dict(*handle).entries.len() != *size {
                    let message = "a dictionary grows while a loop goes through it";
                    return Err(Fault::hinted(Code::BadArgument, message, "loop over `list(d)`"));
                }
                if *next >= *size {
                    return Ok(None);
                }
                *next += 1;
                Some(state.dict_item(*handle, *part, *next - 1)?)
            }
            Walk::Items { items } => items.next(),
            Walk::Iterator(handle) => state.advance(*handle)?,
            Walk::Zip { parts } => {
                let mut items = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    match state.advance(*part)? {
                        Some(item) => items.push(item),
                        None => return Ok(None),
                    }
                }
                if items.is_empty() {
                    return Ok(None);
                }
                Some(state.tuple(items)?)
            }
            Walk::Enumerate { inner, next } => match state.advance(*inner)? {
                Some(item) => {
                    let number = state.integer(next.clone())?;
                    *next += IBig::ONE;
                    Some(state.tuple(vec![number, item])?)
                }
                None => None,
            },
        })
    }

    /// The next item of a list, tuple or vector, where it lies.
    #[inline(always)]
    pub(super) fn simple_next<'h>(&mut self, heap: &'h Heap<S>) -> Option<&'h Value<S>> {
        match self {
            Walk::Sequence { handle, next, .. } => {
                let item = heap.sequence(*handle).get(*next);
                *next += 1;
                item
            }
            Walk::Elements { buffer, next, stride, left } => {
                *left = left.checked_sub(1)?;
                let item = heap.sequence(*buffer).get(*next);
                *next = next.wrapping_add_signed(*stride);
                item
            }
            _ => None,
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
