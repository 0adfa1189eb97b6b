//! Changing lists and dictionaries in some worlds only.

use super::UNBOUND_LEAF;
use super::{calls, lift, operators};
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Value};
use crate::evaluate::{arithmetic, choices, compare};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

/// Notes that a container was made in the worlds that are being looked at.
pub(in crate::evaluate) fn note_birth<S: Scalar>(state: &mut State<S>, is_dict: bool, handle: Handle) {
    if state.worlds.are_split() {
        state.worlds.births.insert((is_dict, handle), state.worlds.active);
    }
}

/// Carries out a change of a container; worlds that are not being looked at keep what it was.
pub(in crate::evaluate) fn change<S: Scalar, T>(
    state: &mut State<S>,
    object: &Value<S>,
    change: impl FnOnce(&mut State<S>) -> Outcome<T>,
) -> Outcome<T> {
    let place = match object {
        Value::List(handle) => (false, *handle),
        Value::Array(handle) => (false, state.heap.array(*handle).buffer),
        Value::Dict(handle) | Value::Set(handle) | Value::Object(handle, _) => (true, *handle),
        Value::Iterator(_) | Value::Frame(_) | Value::Loc(_) if state.worlds.are_split() => {
            let message = format!("{} is changed in a branch that depends on a random value", object.kind());
            return Err(Fault::hinted(Code::BranchOnRandom, message, "change it outside the branch"));
        }
        _ => return change(state),
    };
    let active = state.worlds.active;
    let birth = state.worlds.births.get(&place).copied().unwrap_or(Diagram::TRUE);
    if active == birth || !state.worlds.are_split() {
        return change(state);
    }
    match place {
        (false, handle) => {
            let before = state.heap.sequences[handle as usize].clone();
            let result = change(state)?;
            let after = std::mem::take(&mut state.heap.sequences[handle as usize]);
            let joined = join_sequences(state, handle, active, before, after)?;
            state.heap.sequences[handle as usize] = joined;
            Ok(result)
        }
        (true, handle) => {
            let before = state.heap.dict(handle).entries.clone();
            let result = change(state)?;
            let entries = std::mem::take(&mut state.heap.dicts[handle as usize].entries);
            let absent = state.worlds.leaves[UNBOUND_LEAF as usize].clone();
            let mut joined = Vec::with_capacity(entries.len());
            for (place, (key, value)) in entries.into_iter().enumerate() {
                let old = before.get(place).map_or(&absent, |(_, value)| value);
                // Most entries stay what they are.
                let value = if is_same(state, &value, old) { value } else { lift::either(state, active, &value, old)? };
                joined.push((key, value));
            }
            state.heap.dicts[handle as usize].entries = joined;
            Ok(result)
        }
    }
}

/// A list that is `after` in the worlds of an event and `before` elsewhere: what they do not share is there in some
/// worlds only.
fn join_sequences<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    event: Diagram,
    before: Vec<Value<S>>,
    after: Vec<Value<S>>,
) -> Outcome<Vec<Value<S>>> {
    state.budget.spend_steps((before.len() + after.len()) as u64)?;
    let absent = Value::Unbound;
    if before.len() == after.len() {
        let pairs = before.iter().zip(&after);
        let join = |(old, new): (&Value<S>, &Value<S>)| match is_same(state, old, new) {
            true => Ok(old.clone()),
            false => lift::either(state, event, new, old),
        };
        return pairs.map(join).collect();
    }
    let shared = before.iter().zip(&after).take_while(|(old, new)| is_same(state, old, new)).count();
    if shared < before.len() {
        *state.worlds.reshaped.entry(handle).or_insert(0) += 1;
    }
    let mut joined = before[..shared].to_vec();
    for old in &before[shared..] {
        joined.push(lift::either(state, event, &absent, old)?);
    }
    for new in &after[shared..] {
        joined.push(lift::either(state, event, new, &absent)?);
    }
    state.budget.spend_elements((joined.len() - after.len()) as u64)?;
    Ok(joined)
}

/// Whether two values are certainly the same.
pub(super) fn is_same<S: Scalar>(state: &State<S>, a: &Value<S>, b: &Value<S>) -> bool {
    match (a, b) {
        (Value::Choice(a), Value::Choice(b)) => a == b,
        (Value::Choice(_), _) | (_, Value::Choice(_)) => false,
        (a, b) => {
            let key = choices::leaf_key(state, a, 0);
            key.is_comparable() && key == choices::leaf_key(state, b, 0)
        }
    }
}

/// For each element of a list with holes: the worlds in which it stands at a position. Each world sees the list without
/// its holes.
fn standing_at<S: Scalar>(state: &mut State<S>, elements: &[Value<S>], index: i64) -> Outcome<Vec<Diagram>> {
    let mut presences = Vec::with_capacity(elements.len());
    let mut length = Value::Int(0);
    for element in elements {
        let present = lift::presence(state, element)?;
        presences.push(present);
        let present = choices::settle(state, present);
        length = arithmetic::binary(state, Binary::Add, &length, &present)?;
    }
    let wanted = if index >= 0 {
        Value::Int(index)
    } else {
        arithmetic::binary(state, Binary::Add, &length, &Value::Int(index))?
    };
    let mut before = Value::Int(0);
    let mut standing = Vec::with_capacity(elements.len());
    for present in presences {
        let is_wanted = compare::compare(state, Comparison::Equal, &before, &wanted)?;
        let is_wanted = choices::truth_event(state, &is_wanted)?;
        standing.push(operators::conjunction(state, present, is_wanted)?);
        let present = choices::settle(state, present);
        before = arithmetic::binary(state, Binary::Add, &before, &present)?;
    }
    Ok(standing)
}

/// The element at a position of a list with holes, in all worlds.
pub(in crate::evaluate) fn index_holes<S: Scalar>(
    state: &mut State<S>,
    elements: &[Value<S>],
    index: i64,
) -> Outcome<Value<S>> {
    let mut found = Value::Unbound;
    for (element, here) in elements.iter().zip(standing_at(state, elements, index)?) {
        found = lift::either(state, here, element, &found)?;
    }
    calls::require_presence(state, &found)?;
    Ok(found)
}

/// `list[index] = value` of a list with holes.
pub(super) fn set_holes<S: Scalar>(state: &mut State<S>, list: Handle, index: i64, value: &Value<S>) -> Outcome<()> {
    let elements = state.heap.sequence(list).to_vec();
    let mut changed = Vec::with_capacity(elements.len());
    let mut anywhere = Diagram::FALSE;
    for (element, here) in elements.iter().zip(standing_at(state, &elements, index)?) {
        changed.push(lift::either(state, here, value, element)?);
        anywhere = operators::disjunction(state, anywhere, here)?;
    }
    let (found, missing) = (choices::settle(state, anywhere), Value::Unbound);
    let found = lift::either(state, anywhere, &found, &missing)?;
    calls::require_presence(state, &found)?;
    state.heap.sequences[list as usize] = changed;
    Ok(())
}
