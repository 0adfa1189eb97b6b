//! Dictionaries whose entries are there in some worlds only, and methods that change containers in place.

use super::{arrivals, calls, lift, operators, orders, tallies, writes};
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Part, Value};
use crate::evaluate::{builtins, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{CallShape, Method};

/// Whether a value is not there in some worlds.
pub(in crate::evaluate) fn is_hole<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    match value {
        Value::Choice(super::Chosen::Diagram(diagram)) => lift::is_partial(state, *diagram),
        Value::Unbound => true,
        _ => false,
    }
}

/// An entry of a `defaultdict` or a `Counter` that is there in some worlds: in the others it is made now.
pub(in crate::evaluate) fn entry_or_default<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    key: &Value<S>,
    entry: &Value<S>,
) -> Outcome<Value<S>> {
    let present = lift::presence(state, entry)?;
    let absent = operators::negation(state, present)?;
    let mut made = Value::Unbound;
    within(state, absent, |state| {
        made = builtins::collections::default_entry(state, handle, key)?;
        Ok(())
    })?;
    lift::either(state, present, entry, &made)
}

/// `d.get(key, default)`, where entries may be missing in some worlds: only the one that is asked for is looked at.
pub(super) fn entry_or<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    key: &Value<S>,
    default: &Value<S>,
) -> Outcome<Value<S>> {
    let key = lift::expanded(state, key, 0)?;
    lift::lift(state, &[key], false, &mut |state, key| {
        let present = arrivals::has_key(state, handle, &key[0])?;
        let hashed = state.key(&key[0])?;
        let dict = state.heap.dict(handle);
        let entry = dict.positions.get(&hashed).map_or(Value::Unbound, |place| dict.entries[*place].1.clone());
        lift::either(state, present, &entry, default)
    })
}

/// An item of a dictionary that is there in some worlds only.
pub(in crate::evaluate) fn item_in_worlds<S: Scalar>(
    state: &mut State<S>,
    part: Part,
    key: Value<S>,
    value: Value<S>,
) -> Outcome<Value<S>> {
    let item = match part {
        Part::Values => return Ok(value),
        Part::Keys => key,
        Part::Items => {
            let pair = state.tuple(vec![key, value.clone()])?;
            lift::expanded(state, &pair, 0)?
        }
    };
    let present = lift::presence(state, &value)?;
    lift::either(state, present, &item, &Value::Unbound)
}

/// `dict(pairs)`, where keys may depend on choices: each pair is written in its worlds.
pub(in crate::evaluate) fn write_pairs<S: Scalar>(
    state: &mut State<S>,
    dict: &Value<S>,
    pairs: &Value<S>,
) -> Outcome<()> {
    for pair in containers::elements(state, pairs)? {
        let [key, value] = <[Value<S>; 2]>::try_from(containers::elements(state, &pair)?)
            .map_err(|_| Fault::new(Code::UnpackMismatch, "`dict` takes pairs of a key and a value"))?;
        calls::set_index_choices(state, dict, &key, &value)?;
    }
    Ok(())
}

/// `d.copy()`
pub(super) fn copied<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Value<S>> {
    if tallies::is_tally(state, handle) {
        return tallies::expanded_tally(state, handle);
    }
    let entries = state.heap.dict(handle).entries.clone();
    state.budget.spend_steps(entries.len() as u64)?;
    let copy = state.new_dict()?;
    if let Value::Dict(copy) = copy {
        for (key, value) in entries {
            state.insert(copy, key, value)?;
        }
        state.heap.dicts[copy as usize].default = state.heap.dict(handle).default;
        arrivals::copy_order(state, handle, copy);
        writes::note_birth(state, true, copy);
    }
    Ok(copy)
}

/// `d.update(other)`, `d.setdefault(key, value)` and `xs.sort(...)`, where what is inside depends on choices: it is the
/// container itself that changes.
pub(super) fn change_in_worlds<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Value<S>> {
    match (method, object, values) {
        (Method::Update, Value::Dict(_), values) if !shape.keywords.is_empty() => {
            let positional = shape.positional as usize;
            if positional > 0 {
                let plain = CallShape { keywords: Vec::new(), ..shape.clone() };
                builtins::call_method(state, method, object, &plain, &values[..positional])?;
            }
            for (name, value) in shape.keywords.iter().zip(&values[positional..]) {
                let key = state.text(name.clone())?;
                writes::change(state, object, |state| containers::set_index(state, object, &key, value.clone()))?;
            }
            Ok(Value::None)
        }
        (Method::Update, Value::Dict(_), [Value::Dict(other)]) if !tallies::is_tally(state, *other) => {
            arrivals::require_order(state, *other)?;
            for (key, value) in state.heap.dict(*other).entries.clone() {
                let present = lift::presence(state, &value)?;
                within(state, present, |state| {
                    writes::change(state, object, |state| containers::set_index(state, object, &key, value.clone()))
                })?;
            }
            Ok(Value::None)
        }
        (Method::Update | Method::SetDefault, Value::Dict(_), [first, rest @ ..])
            if lift::holds_choice(state, first, 0) =>
        {
            let first = lift::expanded(state, first, 0)?;
            let object = object.clone();
            lift::lift(state, &[first], true, &mut |state, first| {
                let mut values = first.to_vec();
                values.extend_from_slice(rest);
                builtins::call_method(state, method, &object, shape, &values)
            })
        }
        (Method::SetDefault, Value::Dict(handle), [key, rest @ ..]) if rest.len() < 2 && shape.keywords.is_empty() => {
            let default = rest.first().cloned().unwrap_or(Value::None);
            let hashed = state.key(key)?;
            let dict = state.heap.dict(*handle);
            let old = dict.positions.get(&hashed).map_or(Value::Unbound, |place| dict.entries[*place].1.clone());
            let present = lift::presence(state, &old)?;
            let absent = operators::negation(state, present)?;
            within(state, absent, |state| {
                writes::change(state, object, |state| containers::set_index(state, object, key, default.clone()))
            })?;
            lift::either(state, absent, &default, &old)
        }
        (Method::Sort, Value::List(handle), [Value::Bool(reverse)])
            if shape.keywords == ["reverse"] && !lift::has_holes(state, object) =>
        {
            let mut sorted = orders::sorted_choices(state, object)?;
            if *reverse {
                sorted.reverse();
            }
            writes::change(state, object, |state| {
                state.heap.sequences[*handle as usize] = sorted;
                Ok(Value::None)
            })
        }
        _ => {
            let message = format!("{} that depends on choices is changed in an unsupported way", object.kind());
            Err(Fault::hinted(Code::RandomIndex, message, "make a new one"))
        }
    }
}

/// Does something in the worlds of an event only.
pub(super) fn within<S: Scalar>(
    state: &mut State<S>,
    event: Diagram,
    work: impl FnOnce(&mut State<S>) -> Outcome<()>,
) -> Outcome<()> {
    let active = state.worlds.active;
    let here = operators::conjunction(state, active, event)?;
    if here == Diagram::FALSE {
        return Ok(());
    }
    state.worlds.active = here;
    let result = work(state);
    state.worlds.active = active;
    result
}
