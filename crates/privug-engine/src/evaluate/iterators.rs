//! Going through values: loops, and the iterators of `zip`, `enumerate` and `reversed`, which are used up by it.

use dashu_int::IBig;

use super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::fault::{Fault, Outcome};
use super::heap::Heap;
use super::state::State;
use super::value::{Handle, Part, Value};
use super::{choices, containers, ndarray};
use crate::choices::Diagram;
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
    /// Numbers without an end, and how many of them were taken in some worlds only.
    Count {
        next: i64,
        step: i64,
        rounds: usize,
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
    /// The same where worlds see its keys in different orders: which entries stand at the next places, and in which worlds.
    InOrder {
        handle: Handle,
        part: Part,
        standing: std::vec::IntoIter<Vec<Diagram>>,
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

/// Starts a way through a value.
pub(super) fn walk<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Walk<S>> {
    Ok(match value {
        Value::List(handle) | Value::Tuple(handle) => {
            Walk::Sequence { handle: *handle, next: 0, reshaped: times_reshaped(state, *handle) }
        }
        Value::Array(handle) => match state.heap.array(*handle) {
            array if array.shape.len() == 1 => Walk::Elements {
                buffer: array.buffer,
                next: array.offset,
                stride: array.strides[0],
                left: array.shape[0],
            },
            _ => Walk::Rows { handle: *handle, next: 0 },
        },
        Value::Range(handle) => {
            let range = state.heap.range(*handle);
            // A loop that cannot end within the budget is refused before it begins.
            if range.length > state.budget.limits.steps {
                let message = format!(
                    "a loop of {} iterations exceeds the budget of {} steps",
                    range.length, state.budget.limits.steps
                );
                return Err(Fault::hinted(Code::StepLimit, message, "shorten the range, or raise `--max-steps`"));
            }
            Walk::Range { next: range.start, step: range.step, rounds_left: range.length }
        }
        Value::Dict(handle) if state.worlds.exist() && choices::tallies::is_tally(state, *handle) => {
            Walk::Items { items: containers::elements(state, value)?.into_iter() }
        }
        Value::Dict(handle) => walk_dict(state, *handle, Part::Keys)?,
        Value::View(handle, part) => walk_dict(state, *handle, *part)?,
        Value::Iterator(handle) => Walk::Iterator(*handle),
        other => Walk::Items { items: containers::elements(state, other)?.into_iter() },
    })
}

/// How often the elements of a list have changed their places in some worlds.
pub(super) fn times_reshaped<S: Scalar>(state: &State<S>, handle: Handle) -> u32 {
    state.worlds.reshaped.get(&handle).copied().unwrap_or(0)
}

fn walk_dict<S: Scalar>(state: &mut State<S>, handle: Handle, part: Part) -> Outcome<Walk<S>> {
    let size = state.heap.dict(handle).entries.len();
    if choices::arrivals::is_disordered(state, handle) {
        let standing = choices::arrivals::standing(state, handle)?;
        return Ok(Walk::InOrder { handle, part, standing: standing.into_iter(), size });
    }
    Ok(Walk::Dict { handle, part, next: 0, size })
}

/// Makes an iterator of a way; `inner` are the iterators that it goes through itself.
pub(super) fn iterator<S: Scalar>(state: &mut State<S>, walk: Walk<S>, inner: &[Handle]) -> Outcome<Value<S>> {
    let depth = inner.iter().map(|handle| state.heap.iterators[*handle as usize].1 + 1).max().unwrap_or(0);
    if depth > MAX_VALUE_DEPTH {
        return Err(too_deep());
    }
    state.budget.spend_elements(4 + inner.len() as u64)?;
    state.heap.iterators.push((walk, depth));
    Ok(Value::Iterator(state.heap.iterators.len() as u32 - 1))
}

/// The iterator of a value: itself, if it is one.
pub(super) fn iterator_of<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Handle> {
    if let Value::Iterator(handle) = value {
        return Ok(*handle);
    }
    let walk = walk(state, value)?;
    match iterator(state, walk, &[])? {
        Value::Iterator(handle) => Ok(handle),
        _ => Err(Fault::new(Code::NotIterable, "this cannot be iterated over")),
    }
}

/// The next item of an iterator.
pub(super) fn advance<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Option<Value<S>>> {
    let used_up = Walk::Items { items: Vec::new().into_iter() };
    let mut walk = std::mem::replace(&mut state.heap.iterators[handle as usize].0, used_up);
    let item = walk.next(state);
    // What came to its end stays there.
    if !matches!(item, Ok(None)) {
        state.heap.iterators[handle as usize].0 = walk;
    }
    item
}

/// Whether an iterator goes on for ever.
fn is_endless<S: Scalar>(state: &State<S>, handle: Handle) -> bool {
    match &state.heap.iterators[handle as usize].0 {
        Walk::Count { .. } => true,
        Walk::Iterator(inner) | Walk::Enumerate { inner, .. } => is_endless(state, *inner),
        Walk::Zip { parts } => !parts.is_empty() && parts.iter().all(|part| is_endless(state, *part)),
        Walk::Range { .. }
        | Walk::Sequence { .. }
        | Walk::Backwards { .. }
        | Walk::Elements { .. }
        | Walk::Rows { .. }
        | Walk::Dict { .. }
        | Walk::InOrder { .. }
        | Walk::Items { .. } => false,
    }
}

/// All items that are left.
pub(super) fn drain<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Vec<Value<S>>> {
    if is_endless(state, handle) {
        let hint = "go through it with a loop that ends by `break`, or together with a list: `zip(count(), xs)`";
        return Err(Fault::hinted(Code::SizeLimit, "all elements of an iterator without an end are asked for", hint));
    }
    let mut items = Vec::new();
    while let Some(item) = advance(state, handle)? {
        state.budget.spend_steps(1)?;
        state.budget.check_elements(items.len() as u64)?;
        items.push(item);
    }
    Ok(items)
}

fn dict_item<S: Scalar>(state: &mut State<S>, handle: Handle, part: Part, index: usize) -> Outcome<Value<S>> {
    let (key, value) = &state.heap.dict(handle).entries[index];
    if choices::dictionaries::is_hole(state, value) {
        let (key, value) = (key.clone(), value.clone());
        return choices::dictionaries::item_in_worlds(state, part, key, value);
    }
    match part {
        Part::Keys => Ok(key.clone()),
        Part::Values => Ok(value.clone()),
        Part::Items => {
            let pair = vec![key.clone(), value.clone()];
            state.tuple(pair)
        }
    }
}

fn refuse_to_grow<S: Scalar>(state: &State<S>, handle: Handle, size: usize) -> Outcome<()> {
    if state.heap.dict(handle).entries.len() != size {
        let message = "a dictionary changes size during iteration";
        return Err(Fault::hinted(Code::BadArgument, message, "loop over `list(d)`"));
    }
    Ok(())
}

/// The items of a dictionary's view.
pub(super) fn view_items<S: Scalar>(state: &mut State<S>, handle: Handle, part: Part) -> Outcome<Vec<Value<S>>> {
    if choices::arrivals::is_disordered(state, handle) {
        return choices::arrivals::items_in_order(state, handle, part);
    }
    let size = state.heap.dict(handle).entries.len();
    (0..size).map(|index| dict_item(state, handle, part, index)).collect()
}

impl<S: Scalar> Walk<S> {
    /// The next item.
    pub(super) fn next(&mut self, state: &mut State<S>) -> Outcome<Option<Value<S>>> {
        Ok(match self {
            Walk::Range { next, step, rounds_left } => next_round(next, *step, rounds_left).map(Value::Int),
            Walk::Count { next, step, rounds } => {
                *rounds += usize::from(state.worlds.are_split());
                if *rounds > choices::MAX_ROUNDS_IN_WORLDS {
                    return Err(choices::endless_loop());
                }
                let number = *next;
                let after = number.checked_add(*step);
                *next = after.ok_or_else(|| Fault::new(Code::Overflow, "`count` is too large for an integer"))?;
                Some(Value::Int(number))
            }
            Walk::Sequence { handle, reshaped, .. } | Walk::Backwards { handle, reshaped, .. }
                if *reshaped != times_reshaped(state, *handle) =>
            {
                let message = "a list changes in some worlds while a loop iterates over it";
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
                Some(ndarray::create::view(state, row)?)
            }
            Walk::InOrder { handle, part, standing, size } => {
                refuse_to_grow(state, *handle, *size)?;
                match standing.next() {
                    Some(here) => choices::arrivals::item_at(state, *handle, *part, &here)?,
                    None => None,
                }
            }
            Walk::Dict { handle, part, next, size } => {
                refuse_to_grow(state, *handle, *size)?;
                if *next >= *size {
                    return Ok(None);
                }
                *next += 1;
                Some(dict_item(state, *handle, *part, *next - 1)?)
            }
            Walk::Items { items } => items.next(),
            Walk::Iterator(handle) => advance(state, *handle)?,
            Walk::Zip { parts } => {
                let mut items = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    match advance(state, *part)? {
                        Some(item) => items.push(item),
                        None => return Ok(None),
                    }
                }
                if items.is_empty() {
                    return Ok(None);
                }
                Some(state.tuple(items)?)
            }
            Walk::Enumerate { inner, next } => match advance(state, *inner)? {
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
