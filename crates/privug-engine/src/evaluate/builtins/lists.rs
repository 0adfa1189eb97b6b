//! Methods that take elements out of lists, dictionaries and sets or put them in between, and `Counter.most_common`.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Handle, Value};
use super::arguments::{Arguments, given};
use crate::evaluate::{choices, compare, containers, text};
use crate::number::Scalar;
use crate::sorting::CompactSort;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, SetMethod};

/// `xs.pop(i)`, `xs.insert(i, x)`, `xs.remove(x)`, `xs.reverse()` and `xs.clear()`
pub(super) fn list_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    handle: Handle,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let length = state.heap.sequence(handle).len();
    state.budget.spend_steps(length as u64)?;
    match method {
        Method::Pop => {
            let [index] = arguments.bind("pop", ["index"], 0, 1)?;
            let index = index.map_or(Ok(-1), |index| containers::whole(index.value, "an index"))?;
            let place = position_of(index, length).ok_or_else(|| nothing_there(index, length))?;
            Ok(state.heap.sequences[handle as usize].remove(place))
        }
        Method::Insert => {
            let [index, value] = arguments.bind("insert", ["index", "object"], 2, 2)?;
            let index = containers::whole(given(index)?.value, "an index")?;
            let value = given(value)?.value.clone();
            state.budget.spend_elements(1)?;
            state.heap.sequences[handle as usize].insert(insertion_of(index, length), value);
            Ok(Value::None)
        }
        Method::Remove => {
            let wanted = arguments.one("remove")?;
            for place in 0..length {
                let element = state.heap.sequence(handle)[place].clone();
                if compare::equal(state, &element, wanted, 0)? {
                    state.heap.sequences[handle as usize].remove(place);
                    return Ok(Value::None);
                }
            }
            Err(not_in_list(state, wanted))
        }
        Method::Reverse => {
            arguments.none("reverse")?;
            state.heap.sequences[handle as usize].reverse();
            Ok(Value::None)
        }
        _ => {
            arguments.none("clear")?;
            state.heap.sequences[handle as usize].clear();
            Ok(Value::None)
        }
    }
}

/// `d.pop(key)`, `d.pop(key, default)` and `d.clear()`
pub(super) fn dict_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    handle: Handle,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    if method == Method::Clear {
        arguments.none("clear")?;
        return clear_entries(state, handle).map(|()| Value::None);
    }
    let [key, default] = arguments.bind("pop", ["key", "default"], 1, 2)?;
    let key = given(key)?.value;
    match take_entry(state, handle, key)? {
        Some(value) => Ok(value),
        None => match default {
            Some(default) => Ok(default.value.clone()),
            None => {
                let fault =
                    Fault::new(Code::MissingKey, format!("the dictionary has no key {}", text::show(state, key)));
                Err(fault.saying(text::quoted(state, key)))
            }
        },
    }
}

/// `s.add(x)`, `s | t` by its name, and so on.
pub(super) fn set_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    handle: Handle,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    match method {
        Method::OfSet(SetMethod::Add) => {
            let element = arguments.one("add")?.clone();
            state.insert(handle, element, Value::None)?;
            Ok(Value::None)
        }
        Method::OfSet(SetMethod::Discard) => {
            take_entry(state, handle, arguments.one("discard")?)?;
            Ok(Value::None)
        }
        Method::Remove => {
            let element = arguments.one("remove")?;
            match take_entry(state, handle, element)? {
                Some(_) => Ok(Value::None),
                None => {
                    Err(Fault::new(Code::MissingKey, format!("the set has no element {}", text::show(state, element))))
                }
            }
        }
        Method::Clear => {
            arguments.none("clear")?;
            clear_entries(state, handle).map(|()| Value::None)
        }
        Method::Pop => {
            arguments.none("pop")?;
            let only = choices::sets::only_element(state, handle)?;
            clear_entries(state, handle)?;
            Ok(only)
        }
        Method::OfSet(operation) => {
            let other = choices::sets::set_of_argument(state, arguments.one(method.name())?)?;
            choices::sets::joined_sets(state, operation, handle, other)
        }
        _ => Err(Fault::new(Code::Attribute, format!("a set has no `.{}`", method.name()))),
    }
}

/// Takes an entry out; in branches it is marked as missing, because other worlds still have it.
pub(in super::super) fn take_entry<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    key: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let hashed = state.key(key)?;
    let Some(place) = state.heap.dict(handle).positions.get(&hashed).copied() else { return Ok(None) };
    state.budget.spend_steps(state.heap.dict(handle).entries.len() as u64)?;
    let is_split = state.worlds.are_split();
    let dict = &mut state.heap.dicts[handle as usize];
    if is_split {
        let value = std::mem::replace(&mut dict.entries[place].1, Value::Unbound);
        return Ok(if matches!(value, Value::Unbound) { None } else { Some(value) });
    }
    dict.positions.remove(&hashed);
    for position in dict.positions.values_mut() {
        *position -= usize::from(*position > place);
    }
    let (_, value) = dict.entries.remove(place);
    if let Some(arrivals) = state.worlds.arrivals.get_mut(&handle) {
        arrivals.forget(place);
    }
    Ok(if matches!(value, Value::Unbound) { None } else { Some(value) })
}

fn clear_entries<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<()> {
    state.budget.spend_steps(state.heap.dict(handle).entries.len() as u64)?;
    let is_split = state.worlds.are_split();
    let dict = &mut state.heap.dicts[handle as usize];
    if is_split {
        dict.entries.iter_mut().for_each(|(_, value)| *value = Value::Unbound);
    } else {
        dict.entries.clear();
        dict.positions.clear();
        state.worlds.arrivals.remove(&handle);
    }
    Ok(())
}

/// `Counter(xs).most_common(n)`: the most frequent first; those that are as frequent in the order in which they came.
pub(super) fn most_common<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [count] = arguments.bind("most_common", ["n"], 0, 1)?;
    choices::arrivals::require_order(state, handle)?;
    let entries = state.heap.dict(handle).entries.clone();
    state.budget.spend_steps(entries.len() as u64 * u64::from(entries.len().max(2).ilog2()))?;
    let count = match count.map(|count| count.value) {
        None | Some(Value::None) => entries.len(),
        Some(count) => usize::try_from(containers::whole(count, "how many")?).unwrap_or(0),
    };
    let mut counted = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        counted.push((containers::whole(&value, "a count")?, key));
    }
    counted.sort_compact_by_key(|(often, _)| std::cmp::Reverse(*often));
    let mut pairs = Vec::new();
    for (often, key) in counted.into_iter().take(count) {
        pairs.push(state.tuple(vec![key, Value::Int(often)])?);
    }
    state.list(pairs)
}

/// Of which a list has none.
pub(in super::super) fn not_in_list<S: Scalar>(state: &State<S>, wanted: &Value<S>) -> Box<Fault> {
    Fault::new(Code::BadArgument, format!("{} {}", text::show(state, wanted), super::super::fault::NOT_IN_LIST))
}

/// A position that may count from the end.
pub(in super::super) fn position_of(index: i64, length: usize) -> Option<usize> {
    let from_start = if index < 0 { i128::from(index) + length as i128 } else { i128::from(index) };
    usize::try_from(from_start).ok().filter(|place| *place < length)
}

/// Where `insert` puts a value: before the first element, or behind the last, at the furthest.
pub(in super::super) fn insertion_of(index: i64, length: usize) -> usize {
    let from_start = if index < 0 { i128::from(index) + length as i128 } else { i128::from(index) };
    from_start.clamp(0, length as i128) as usize
}

pub(in super::super) fn nothing_there(index: i64, length: usize) -> Box<Fault> {
    let (message, says) = match length {
        0 => ("pop from an empty list".to_owned(), "pop from empty list"),
        _ => (format!("index {index} is out of range for {length} elements"), "pop index out of range"),
    };
    Fault::new(Code::IndexOutOfRange, message).saying(says)
}
