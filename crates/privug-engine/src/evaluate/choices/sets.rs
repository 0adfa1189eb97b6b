//! Sets whose elements are there in some worlds only, and what is asked of two of them.
//!
//! A set knows every element that it can have and the worlds in which it has it. Nothing here depends on the order of the
//! elements, which Python does not promise.

use super::{calls, dictionaries, lift, operators, tallies, writes};
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Value};
use crate::evaluate::{builtins, choices, containers, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Comparison, Method, SetMethod};

/// `{a, b}`, where the elements may depend on choices.
pub(in crate::evaluate) fn set_in_worlds<S: Scalar>(state: &mut State<S>, list: &Value<S>) -> Outcome<Value<S>> {
    if !lift::holds_choice(state, list, 0) {
        return builtins::collections::set_of(state, list);
    }
    if calls::is_choice(list) {
        let list = list.clone();
        return lift::lift(state, &[list], true, &mut |state, list| set_in_worlds(state, &list[0]));
    }
    if let Value::Set(handle) = list {
        return copied_set(state, *handle);
    }
    let elements = containers::elements(state, list)?;
    let Value::Dict(set) = state.new_dict()? else { return Ok(Value::Poison) };
    for element in elements {
        // A tuple that was made in a branch is one in its worlds only, and is looked into.
        let element = lift::expanded(state, &element, 1)?;
        add_element(state, set, &element, Diagram::TRUE)?;
    }
    Ok(Value::Set(set))
}

/// `frozenset(xs)`: a set that can be a key.
pub(in crate::evaluate) fn frozen<S: Scalar>(state: &mut State<S>, set: Value<S>) -> Value<S> {
    if let Value::Set(handle) = set {
        state.heap.dicts[handle as usize].default = Some(Builtin::FrozenSet);
    }
    set
}

/// Puts an element that may be random into a set, in some worlds.
fn add_element<S: Scalar>(state: &mut State<S>, set: Handle, element: &Value<S>, worlds: Diagram) -> Outcome<()> {
    if !calls::is_choice(element) {
        return match element {
            Value::Unbound => Ok(()),
            element => add_in_worlds(state, set, element, worlds),
        };
    }
    let diagram = choices::diagram_of(state, element)?;
    for leaf in state.worlds.diagrams.leaves_of(diagram) {
        let value = state.worlds.leaves[leaf as usize].clone();
        if !matches!(value, Value::Unbound) {
            let event = lift::leaf_event(state, diagram, leaf)?;
            let here = operators::conjunction(state, event, worlds)?;
            if here != Diagram::FALSE {
                add_in_worlds(state, set, &value, here)?;
            }
        }
    }
    Ok(())
}

/// Puts one element into a set, in the worlds of an event.
fn add_in_worlds<S: Scalar>(state: &mut State<S>, set: Handle, element: &Value<S>, event: Diagram) -> Outcome<()> {
    state.budget.spend_steps(1)?;
    let before = membership(state, set, element)?;
    let after = operators::disjunction(state, before, event)?;
    let entry = lift::either(state, after, &Value::None, &Value::Unbound)?;
    state.insert_in_any_order(set, element.clone(), entry)
}

/// The worlds in which a set has an element.
pub(in crate::evaluate) fn membership<S: Scalar>(
    state: &mut State<S>,
    set: Handle,
    element: &Value<S>,
) -> Outcome<Diagram> {
    let key = state.key(element)?;
    let dict = state.heap.dict(set);
    match dict.positions.get(&key) {
        Some(place) => {
            let entry = dict.entries[*place].1.clone();
            lift::presence(state, &entry)
        }
        None => Ok(Diagram::FALSE),
    }
}

/// The element of a set that has one: which of several `pop` takes, Python does not say.
pub(in crate::evaluate) fn only_element<S: Scalar>(state: &mut State<S>, set: Handle) -> Outcome<Value<S>> {
    let running = choices::running(state)?;
    let mut found = Value::Unbound;
    let mut so_far = Diagram::FALSE;
    for (key, entry) in state.heap.dict(set).entries.clone() {
        let present = lift::presence(state, &entry)?;
        let both = operators::conjunction(state, so_far, present)?;
        if operators::conjunction(state, both, running)? != Diagram::FALSE {
            let message = "which element `pop` takes out of a set is not specified";
            return Err(Fault::hinted(Code::BadArgument, message, "choose one: `min(s)`, and `s.remove(x)`"));
        }
        found = lift::either(state, present, &key, &found)?;
        so_far = operators::disjunction(state, so_far, present)?;
    }
    let left = state.worlds.diagrams.without(running, so_far);
    match left.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, so_far]))? {
        Diagram::FALSE => Ok(found),
        _ => Err(Fault::new(Code::MissingKey, "`pop` from an empty set")),
    }
}

/// The elements of a set, each missing where the set does not have it, in no order.
pub(in crate::evaluate) fn set_elements<S: Scalar>(state: &mut State<S>, set: Handle) -> Outcome<Vec<Value<S>>> {
    let entries = state.heap.dict(set).entries.clone();
    state.budget.spend_steps(entries.len() as u64)?;
    let mut elements = Vec::with_capacity(entries.len());
    for (key, entry) in entries {
        let present = lift::presence(state, &entry)?;
        elements.push(lift::either(state, present, &key, &Value::Unbound)?);
    }
    Ok(elements)
}

/// `sorted(s)`: the elements that a set can have are in order, whichever of them it has.
pub(super) fn sorted_set<S: Scalar>(
    state: &mut State<S>,
    set: Handle,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Vec<Value<S>>> {
    let keys: Vec<Value<S>> = state.heap.dict(set).entries.iter().map(|(key, _)| key.clone()).collect();
    let mut given = values.to_vec();
    given[0] = state.list(keys)?;
    let sorted = builtins::call_builtin(state, Builtin::Sorted, shape, &given)?;
    let mut elements = Vec::new();
    for key in containers::elements(state, &sorted)? {
        let present = membership(state, set, &key)?;
        elements.push(lift::either(state, present, &key, &Value::Unbound)?);
    }
    Ok(elements)
}

/// Gives a set the elements of another, in the worlds that are being looked at.
pub(in crate::evaluate) fn replace_set<S: Scalar>(
    state: &mut State<S>,
    set: Handle,
    by: &Value<S>,
) -> Outcome<Value<S>> {
    let Value::Set(by) = by else { return Ok(Value::None) };
    let entries = state.heap.dict(*by).entries.clone();
    let old: Vec<Value<S>> = state.heap.dict(set).entries.iter().map(|(key, _)| key.clone()).collect();
    for key in old {
        if membership(state, *by, &key)? == Diagram::FALSE {
            builtins::lists::take_entry(state, set, &key)?;
        }
    }
    for (key, entry) in entries {
        state.insert_in_any_order(set, key, entry)?;
    }
    Ok(Value::None)
}

pub(in crate::evaluate) fn copied_set<S: Scalar>(state: &mut State<S>, set: Handle) -> Outcome<Value<S>> {
    let entries = state.heap.dict(set).entries.clone();
    let Value::Dict(copy) = state.new_dict()? else { return Ok(Value::Poison) };
    for (key, entry) in entries {
        state.insert_in_any_order(copy, key, entry)?;
    }
    Ok(Value::Set(copy))
}

/// What a method of sets is given: a set, or something to make one of.
pub(in crate::evaluate) fn set_of_argument<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Handle> {
    match set_in_worlds(state, value)? {
        Value::Set(handle) => Ok(handle),
        other => Err(Fault::new(Code::TypeMismatch, format!("{} is joined with a set", other.kind()))),
    }
}

/// The union, intersection, … of two sets, or what one is to the other.
pub(in crate::evaluate) fn joined_sets<S: Scalar>(
    state: &mut State<S>,
    operation: SetMethod,
    a: Handle,
    b: Handle,
) -> Outcome<Value<S>> {
    let mut keys: Vec<Value<S>> = state.heap.dict(a).entries.iter().map(|(key, _)| key.clone()).collect();
    for (key, _) in state.heap.dict(b).entries.clone() {
        let hashed = state.key(&key)?;
        if !state.heap.dict(a).positions.contains_key(&hashed) {
            keys.push(key);
        }
    }
    state.budget.spend_steps(keys.len() as u64)?;
    let compared = match operation {
        SetMethod::IsSubset | SetMethod::IsSuperset | SetMethod::IsDisjoint => true,
        SetMethod::Add
        | SetMethod::Discard
        | SetMethod::Union
        | SetMethod::Intersection
        | SetMethod::Difference
        | SetMethod::SymmetricDifference => false,
    };
    let mut holds = Diagram::TRUE;
    let Value::Dict(joined) = state.new_dict()? else { return Ok(Value::Poison) };
    for key in keys {
        let (in_a, in_b) = (membership(state, a, &key)?, membership(state, b, &key)?);
        let (out_of_a, out_of_b) = (operators::negation(state, in_a)?, operators::negation(state, in_b)?);
        let event = match operation {
            SetMethod::Union | SetMethod::Add => operators::disjunction(state, in_a, in_b)?,
            SetMethod::Intersection => operators::conjunction(state, in_a, in_b)?,
            SetMethod::Difference | SetMethod::Discard => operators::conjunction(state, in_a, out_of_b)?,
            SetMethod::SymmetricDifference => {
                let only_a = operators::conjunction(state, in_a, out_of_b)?;
                let only_b = operators::conjunction(state, in_b, out_of_a)?;
                operators::disjunction(state, only_a, only_b)?
            }
            SetMethod::IsSubset => operators::disjunction(state, out_of_a, in_b)?,
            SetMethod::IsSuperset => operators::disjunction(state, out_of_b, in_a)?,
            SetMethod::IsDisjoint => operators::disjunction(state, out_of_a, out_of_b)?,
        };
        if compared {
            holds = operators::conjunction(state, holds, event)?;
        } else if event != Diagram::FALSE {
            add_in_worlds(state, joined, &key, event)?;
        }
    }
    Ok(if compared { choices::settle(state, holds) } else { Value::Set(joined) })
}

/// `a <= b` and the like of two sets; `None` of anything else.
pub(in crate::evaluate) fn compare_sets<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let (Value::Set(a), Value::Set(b)) = (left, right) else { return Ok(None) };
    let (a, b) = (*a, *b);
    let event = |state: &mut State<S>, operation, x, y| {
        let value = joined_sets(state, operation, x, y)?;
        choices::truth_event(state, &value)
    };
    let (under, over) = (event(state, SetMethod::IsSubset, a, b)?, event(state, SetMethod::IsSuperset, a, b)?);
    let equal = operators::conjunction(state, under, over)?;
    let other = operators::negation(state, equal)?;
    let holds = match operator {
        Comparison::Equal => equal,
        Comparison::NotEqual => other,
        Comparison::LessEqual => under,
        Comparison::GreaterEqual => over,
        Comparison::Less => operators::conjunction(state, under, other)?,
        Comparison::Greater => operators::conjunction(state, over, other)?,
        Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => return Ok(None),
    };
    Ok(Some(choices::settle(state, holds)))
}

/// `x in set`, where the element or the set depends on choices.
pub(super) fn in_set<S: Scalar>(state: &mut State<S>, element: &Value<S>, set: Handle) -> Outcome<Value<S>> {
    let element = lift::expanded(state, element, 0)?;
    lift::lift(state, &[element], false, &mut |state, element| {
        let event = membership(state, set, &element[0])?;
        Ok(choices::settle(state, event))
    })
}

/// `s.add(x)`, `s.remove(x)`, `d.pop(key)`, `d.clear()` and so on in some worlds, or of random elements; `None` if nothing
/// about it is random, or it is not about a set or dictionary.
pub(super) fn entry_in_worlds<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    let takes = match method {
        Method::OfSet(SetMethod::Add | SetMethod::Discard) | Method::Remove => {
            matches!(object, Value::Set(_)) && values.len() == 1
        }
        Method::Pop => matches!(object, Value::Dict(_)) && (1..=2).contains(&values.len()),
        Method::Clear => matches!(object, Value::Dict(_) | Value::Set(_)) && values.is_empty(),
        _ => false,
    };
    let (Value::Dict(handle) | Value::Set(handle)) = object else { return Ok(None) };
    if !takes || !shape.keywords.is_empty() {
        return Ok(None);
    }
    if tallies::is_tally(state, *handle) {
        return Err(tallies::refuse_to_change_tally());
    }
    let Some(key) = values.first() else {
        return writes::change(state, object, |state| dict_cleared(state, *handle)).map(Some);
    };
    let is_random = lift::holds_choice(state, key, 0) || state.worlds.are_split() || lift::has_holes(state, object);
    if !is_random {
        return Ok(None);
    }
    let key = lift::expanded(state, key, 0)?;
    let (handle, default) = (*handle, values.get(1).cloned());
    if method == Method::OfSet(SetMethod::Add) {
        let running = choices::running(state)?;
        add_element(state, handle, &key, running)?;
        return Ok(Some(Value::None));
    }
    let changed = lift::lift(state, &[key], true, &mut |state, key| {
        let hashed = state.key(&key[0])?;
        let dict = state.heap.dict(handle);
        let entry = dict.positions.get(&hashed).map_or(Value::Unbound, |place| dict.entries[*place].1.clone());
        if default.is_none() && method != Method::OfSet(SetMethod::Discard) {
            let message = format!("{} is not in {}", text::show(state, &key[0]), object.kind());
            calls::require_presence_or(state, &entry, Fault::new(Code::MissingKey, message))?;
        }
        let present = lift::presence(state, &entry)?;
        dictionaries::within(state, present, |state| {
            writes::change(state, object, |state| builtins::lists::take_entry(state, handle, &key[0])).map(|_| ())
        })?;
        match (&default, method) {
            (Some(default), Method::Pop) => lift::either(state, present, &entry, default),
            (None, Method::Pop) => Ok(entry),
            _ => Ok(Value::None),
        }
    })?;
    Ok(Some(changed))
}

fn dict_cleared<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Value<S>> {
    let keys: Vec<Value<S>> = state.heap.dict(handle).entries.iter().map(|(key, _)| key.clone()).collect();
    for key in keys {
        builtins::lists::take_entry(state, handle, &key)?;
    }
    Ok(Value::None)
}
