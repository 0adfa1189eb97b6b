//! `set`, `Counter` and `defaultdict`.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::arguments::Arguments;
use crate::evaluate::{choices, containers, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;

/// A set of the elements of a list.
pub(in super::super) fn set_of<S: Scalar>(state: &mut State<S>, values: &Value<S>) -> Outcome<Value<S>> {
    if matches!(values, Value::Poison) {
        return Ok(Value::Poison);
    }
    if let Value::Set(handle) = values {
        return choices::sets::copied_set(state, *handle);
    }
    let elements = containers::elements(state, values)?;
    let dict = state.new_dict()?;
    let Value::Dict(handle) = dict else { return Ok(dict) };
    for element in elements {
        // Numbers out of arrays are equal to Python's own.
        state.insert_in_any_order(handle, element, Value::None)?;
    }
    Ok(Value::Set(handle))
}

/// `set(xs)`
pub(super) fn set_from<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values] = arguments.bind("set", ["iterable"], 0, 1)?;
    match values {
        Some(values) => set_of(state, values.value),
        None => {
            let empty = state.list(Vec::new())?;
            set_of(state, &empty)
        }
    }
}

/// `Counter(xs)`: how often each element occurs, in the order in which they appear.
pub(in super::super) fn counter<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let given = arguments.shape.positional as usize;
    if given > 1 {
        arguments.one("Counter")?;
    }
    let dict = state.new_dict()?;
    let Value::Dict(handle) = dict else { return Ok(dict) };
    // What does not occur is counted 0 times.
    state.heap.dicts[handle as usize].default = Some(Builtin::Counter);
    // `Counter(yes=1)` and `Counter({"yes": 1})` begin with counts.
    let mut counts: Vec<(Value<S>, Value<S>)> = Vec::new();
    let elements = match &arguments.values[..given] {
        [Value::Dict(other)] => {
            choices::arrivals::require_order(state, *other)?;
            counts = state.heap.dict(*other).entries.clone();
            Vec::new()
        }
        [list] => containers::elements(state, list)?,
        _ => Vec::new(),
    };
    let has_others = !counts.is_empty() || !elements.is_empty();
    if has_others && !arguments.shape.keywords.is_empty() {
        let message = "`Counter` is called with both elements and counts";
        return Err(Fault::hinted(Code::WrongArguments, message, "add two counters: `Counter(xs) + Counter(a=1)`"));
    }
    for (name, count) in arguments.shape.keywords.iter().zip(&arguments.values[given..]) {
        counts.push((state.text(name.clone())?, count.clone()));
    }
    state.budget.spend_steps(counts.len() as u64)?;
    for (key, count) in counts {
        state.insert(handle, key, count)?;
    }
    for element in elements {
        let key = state.key(&element)?;
        let count = match state.heap.dict(handle).positions.get(&key) {
            Some(position) => match state.heap.dict(handle).entries[*position].1 {
                Value::Int(count) => count + 1,
                _ => 1,
            },
            None => 1,
        };
        state.insert(handle, element, Value::Int(count))?;
    }
    Ok(dict)
}

/// The entry that `defaultdict` makes for a missing key.
pub(in super::super) fn default_entry<S: Scalar>(
    state: &mut State<S>,
    handle: u32,
    key: &Value<S>,
) -> Outcome<Value<S>> {
    let made = match state.heap.dict(handle).default {
        Some(Builtin::List) => state.list(Vec::new())?,
        Some(Builtin::Counter) => return Ok(Value::Int(0)),
        Some(Builtin::Int) => Value::Int(0),
        Some(Builtin::Float) => Value::Float(S::zero()),
        Some(Builtin::Dict) => state.new_dict()?,
        Some(Builtin::Set) => {
            let empty = state.list(Vec::new())?;
            set_of(state, &empty)?
        }
        _ => return Err(Fault::new(Code::MissingKey, format!("the dictionary has no key {}", text::show(state, key)))),
    };
    let dict = Value::Dict(handle);
    choices::writes::change(state, &dict, |state| state.insert(handle, key.clone(), made.clone()))?;
    Ok(made)
}
