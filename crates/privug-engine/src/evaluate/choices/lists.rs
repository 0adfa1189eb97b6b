//! Taking elements out of lists and putting them in between, where what happens depends on choices.
//!
//! A list whose length is random has holes: slots that are empty in some worlds, and each world sees the list without
//! them. Before a list is taken apart it is made compact: what a world sees at a position then stands in the slot of that
//! number, in every world, and the list changes slot by slot.

use super::{arrivals, calls, dictionaries, lift, operators, orders};
use crate::choices::Diagram;
use crate::evaluate::builtins::{insertion_of, nothing_there, position_of};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Value};
use crate::evaluate::{arithmetic, builtins, choices, compare, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, Method};

/// `xs.pop(i)`, `xs.insert(i, x)`, `xs.remove(x)`, `xs.index(x)`, `xs.reverse()` and `xs.clear()`; `None` if nothing
/// about it is random, or it is not about a list.
pub(super) fn list_in_worlds<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    let (Value::List(handle) | Value::Tuple(handle)) = object else { return Ok(None) };
    let looks_for = matches!(method, Method::Remove | Method::Index);
    let takes = match method {
        Method::Pop => values.len() <= 1,
        Method::Insert => values.len() == 2,
        Method::Remove | Method::Index => values.len() == 1,
        Method::Reverse | Method::Clear => values.is_empty(),
        _ => return Ok(None),
    };
    let is_random = (state.worlds.are_split() && method != Method::Index)
        || lift::has_holes(state, object)
        || (looks_for && (lift::holds_choice(state, object, 0) || lift::holds_choice(state, &values[0], 0)))
        || (!looks_for && values.first().is_some_and(calls::is_choice));
    if !takes || !is_random || (matches!(object, Value::Tuple(_)) && method != Method::Index) {
        return Ok(None);
    }
    let elements = compact(state, *handle)?;
    let length = lift::guarded_length(state, object)?;
    let length = if calls::is_choice(&length) { length } else { Value::Int(containers::whole(&length, "a length")?) };
    let result = match method {
        Method::Pop => {
            let index = values.first().cloned().unwrap_or(Value::Int(-1));
            let place = lift::lift(state, &[index, length], false, &mut |_state, values| {
                let (index, length) =
                    (containers::whole(&values[0], "an index")?, containers::whole(&values[1], "a length")?);
                let place = position_of(index, length as usize);
                place.map(|place| Value::Int(place as i64)).ok_or_else(|| nothing_there(index, length as usize))
            })?;
            let taken = element_at(state, &elements, &place)?;
            let left = without_element(state, &elements, &place)?;
            write_slots(state, *handle, elements, left)?;
            taken
        }
        Method::Insert => {
            let place = lift::lift(state, &[values[0].clone(), length], false, &mut |_state, values| {
                let (index, length) =
                    (containers::whole(&values[0], "an index")?, containers::whole(&values[1], "a length")?);
                Ok(Value::Int(insertion_of(index, length as usize) as i64))
            })?;
            let more = with_element(state, &elements, &place, &values[1])?;
            write_slots(state, *handle, elements, more)?;
            Value::None
        }
        Method::Remove => {
            let place = place_of(state, &elements, &values[0])?;
            let left = without_element(state, &elements, &place)?;
            write_slots(state, *handle, elements, left)?;
            Value::None
        }
        Method::Index => place_of(state, &elements, &values[0])?,
        Method::Reverse => {
            let reversed = elements.iter().rev().cloned().collect();
            write_slots(state, *handle, elements, reversed)?;
            Value::None
        }
        _ => {
            let nothing = vec![Value::Unbound; elements.len()];
            write_slots(state, *handle, elements, nothing)?;
            Value::None
        }
    };
    Ok(Some(result))
}

/// Makes a list compact, in all worlds: what a world sees at a position stands in the slot of that number.
pub(in crate::evaluate) fn compact<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Vec<Value<S>>> {
    let elements = state.heap.sequence(handle).to_vec();
    let Some(first) = elements.iter().position(|element| dictionaries::is_hole(state, element)) else {
        return Ok(elements);
    };
    let active = std::mem::replace(&mut state.worlds.active, Diagram::TRUE);
    let compacted = without_holes(state, &elements, first);
    state.worlds.active = active;
    let compacted = compacted?;
    state.heap.sequences[handle as usize].clone_from(&compacted);
    Ok(compacted)
}

/// The same elements, those from the first hole on moved to the front in each world.
pub(in crate::evaluate) fn without_holes<S: Scalar>(
    state: &mut State<S>,
    elements: &[Value<S>],
    first: usize,
) -> Outcome<Vec<Value<S>>> {
    let mut compacted = elements[..first].to_vec();
    let mut before = Value::Int(first as i64);
    for element in &elements[first..] {
        let present = lift::presence(state, element)?;
        if present == Diagram::FALSE {
            continue;
        }
        compacted.push(Value::Unbound);
        for slot in first..compacted.len() {
            state.budget.spend_steps(1)?;
            let stands = compare::compare(state, Comparison::Equal, &before, &Value::Int(slot as i64))?;
            let stands = choices::truth_event(state, &stands)?;
            let here = operators::conjunction(state, stands, present)?;
            if here != Diagram::FALSE {
                compacted[slot] = lift::either(state, here, element, &compacted[slot].clone())?;
            }
        }
        let present = choices::settle(state, present);
        before = arithmetic::binary(state, Binary::Add, &before, &present)?;
    }
    while matches!(compacted.last(), Some(Value::Unbound)) {
        compacted.pop();
    }
    Ok(compacted)
}

/// The element at a place that may be random, of a compact list.
fn element_at<S: Scalar>(state: &mut State<S>, elements: &[Value<S>], place: &Value<S>) -> Outcome<Value<S>> {
    if let Value::Int(place) = place {
        return Ok(elements.get(*place as usize).cloned().unwrap_or(Value::Unbound));
    }
    let mut found = Value::Unbound;
    for (slot, element) in elements.iter().enumerate() {
        let here = compare::compare(state, Comparison::Equal, place, &Value::Int(slot as i64))?;
        let here = choices::truth_event(state, &here)?;
        found = lift::either(state, here, element, &found)?;
    }
    Ok(found)
}

/// A compact list without the element at a place.
fn without_element<S: Scalar>(state: &mut State<S>, elements: &[Value<S>], place: &Value<S>) -> Outcome<Vec<Value<S>>> {
    let mut left = Vec::with_capacity(elements.len());
    for (slot, element) in elements.iter().enumerate() {
        state.budget.spend_steps(1)?;
        let stays = compare::compare(state, Comparison::Greater, place, &Value::Int(slot as i64))?;
        let stays = choices::truth_event(state, &stays)?;
        let next = elements.get(slot + 1).cloned().unwrap_or(Value::Unbound);
        left.push(lift::either(state, stays, element, &next)?);
    }
    Ok(left)
}

/// A compact list with one element more.
fn with_element<S: Scalar>(
    state: &mut State<S>,
    elements: &[Value<S>],
    place: &Value<S>,
    value: &Value<S>,
) -> Outcome<Vec<Value<S>>> {
    let mut more = Vec::with_capacity(elements.len() + 1);
    for slot in 0..=elements.len() {
        state.budget.spend_steps(1)?;
        let number = Value::Int(slot as i64);
        let before = compare::compare(state, Comparison::Greater, place, &number)?;
        let before = choices::truth_event(state, &before)?;
        let here = compare::compare(state, Comparison::Equal, place, &number)?;
        let here = choices::truth_event(state, &here)?;
        let (old, moved) = (elements.get(slot), slot.checked_sub(1).and_then(|slot| elements.get(slot)));
        let later = lift::either(state, here, value, moved.unwrap_or(&Value::Unbound))?;
        more.push(lift::either(state, before, old.unwrap_or(&Value::Unbound), &later)?);
    }
    Ok(more)
}

/// The first place of a compact list with a value, in all worlds that are being looked at.
fn place_of<S: Scalar>(state: &mut State<S>, elements: &[Value<S>], wanted: &Value<S>) -> Outcome<Value<S>> {
    let mut place = Value::Unbound;
    for (slot, element) in elements.iter().enumerate().rev() {
        let equal = operators::equal_element(state, wanted, element)?;
        place = lift::either(state, equal, &Value::Int(slot as i64), &place)?;
    }
    let fault = builtins::lists::not_in_list(state, wanted);
    calls::require_presence_or(state, &place, fault)?;
    Ok(place)
}

/// Writes the slots of a list in the worlds that are being looked at; the others keep what they had.
fn write_slots<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    old: Vec<Value<S>>,
    mut new: Vec<Value<S>>,
) -> Outcome<()> {
    let birth = state.worlds.births.get(&(false, handle)).copied().unwrap_or(Diagram::TRUE);
    let active = state.worlds.active;
    if active != birth && state.worlds.are_split() {
        let length = old.len().max(new.len());
        state.budget.spend_elements((length - old.len()) as u64)?;
        new.resize(length, Value::Unbound);
        for (slot, value) in new.iter_mut().enumerate() {
            *value = lift::either(state, active, value, old.get(slot).unwrap_or(&Value::Unbound))?;
        }
    }
    while matches!(new.last(), Some(Value::Unbound)) {
        new.pop();
    }
    state.heap.sequences[handle as usize] = new;
    *state.worlds.reshaped.entry(handle).or_insert(0) += 1;
    Ok(())
}

/// `sorted(xs, key=f)` where the keys are random, or elements are missing in some worlds. Those with equal keys stay in
/// their order, which is that of a dictionary's keys where they are of one.
pub(in crate::evaluate) fn sorted_by_key<S: Scalar>(
    state: &mut State<S>,
    keyed: &[(Value<S>, Value<S>)],
    reverse: bool,
    of_dict: Option<Handle>,
) -> Outcome<Vec<Value<S>>> {
    let presences = presences(state, keyed)?;
    if of_dict.is_none()
        && presences.iter().all(|present| *present == Diagram::TRUE)
        && let Some(sorted) = orders::sorted_by_telling_key(state, keyed, reverse)?
    {
        return Ok(sorted);
    }
    let overtakes = &mut by_keys(keyed, reverse, of_dict);
    let standing = places_in_order(state, &presences, overtakes)?;
    let elements: Vec<Value<S>> = keyed.iter().map(|(_, element)| element.clone()).collect();
    arrivals::in_places(state, &standing, &elements)
}

/// `min(xs, key=f)`, or `max`, of elements that may be missing: the first of those with the smallest key.
pub(in crate::evaluate) fn first_by_key<S: Scalar>(
    state: &mut State<S>,
    keyed: &[(Value<S>, Value<S>)],
    largest: bool,
    of_dict: Option<Handle>,
) -> Outcome<Value<S>> {
    let presences = presences(state, keyed)?;
    let mut overtakes = by_keys(keyed, largest, of_dict);
    let mut firsts = presences.clone();
    for later in 0..keyed.len() {
        for earlier in 0..later {
            state.budget.spend_steps(1)?;
            let both = operators::conjunction(state, firsts[earlier], firsts[later])?;
            // Who is behind somebody else already need not be compared.
            let overtakes = event_within(state, both, |state| overtakes(state, earlier, later))?;
            let overtakes = operators::conjunction(state, overtakes, both)?;
            let stays = state.worlds.diagrams.without(both, overtakes);
            let stays = stays.map_err(|too_wide| choices::too_wide(state, too_wide, &[both, overtakes]))?;
            for (place, behind) in [(earlier, overtakes), (later, stays)] {
                let left = state.worlds.diagrams.without(firsts[place], behind);
                firsts[place] = left.map_err(|too_wide| choices::too_wide(state, too_wide, &[behind]))?;
            }
        }
    }
    let mut found = Value::Unbound;
    for ((_, element), first) in keyed.iter().zip(firsts) {
        found = lift::either(state, first, element, &found)?;
    }
    let nothing = Fault::new(Code::BadArgument, "an extreme of nothing");
    calls::require_presence_or(state, &found, nothing)?;
    Ok(found)
}

fn presences<S: Scalar>(state: &mut State<S>, keyed: &[(Value<S>, Value<S>)]) -> Outcome<Vec<Diagram>> {
    keyed.iter().map(|(_, element)| lift::presence(state, element)).collect()
}

/// In which worlds the later of two elements goes before the earlier.
fn by_keys<'k, S: Scalar>(
    keyed: &'k [(Value<S>, Value<S>)],
    reverse: bool,
    of_dict: Option<Handle>,
) -> impl FnMut(&mut State<S>, usize, usize) -> Outcome<Diagram> + 'k {
    let operator = if reverse { Comparison::Greater } else { Comparison::Less };
    move |state, earlier, later| {
        let (one, other) = (&keyed[earlier].0, &keyed[later].0);
        let overtakes = compare::compare(state, operator, other, one)?;
        let overtakes = choices::truth_event(state, &overtakes)?;
        let Some(dict) = of_dict else { return Ok(overtakes) };
        let equal = compare::compare(state, Comparison::Equal, other, one)?;
        let equal = choices::truth_event(state, &equal)?;
        let stays = arrivals::comes_first(state, dict, earlier, later)?;
        let comes_later = operators::negation(state, stays)?;
        let exchanged = operators::conjunction(state, equal, comes_later)?;
        operators::disjunction(state, overtakes, exchanged)
    }
}

/// The worlds in which something holds between two elements, the first of which stands before the second.
pub(in crate::evaluate) type Between<'b, S> = dyn FnMut(&mut State<S>, usize, usize) -> Outcome<Diagram> + 'b;

/// For each place: the worlds in which each element stands there, if one of two overtakes the other where `overtakes` says
/// so. How many others come before an element says where it stands.
pub(super) fn places_in_order<S: Scalar>(
    state: &mut State<S>,
    presences: &[Diagram],
    overtakes: &mut Between<'_, S>,
) -> Outcome<Vec<Vec<Diagram>>> {
    let count = presences.len();
    state.budget.spend_steps((count * count) as u64)?;
    let mut ranks = vec![Value::Int(0); count];
    for later in 0..count {
        for earlier in 0..later {
            let both = operators::conjunction(state, presences[earlier], presences[later])?;
            let overtakes = event_within(state, both, |state| overtakes(state, earlier, later))?;
            let overtakes = operators::conjunction(state, overtakes, both)?;
            let stays = state.worlds.diagrams.without(both, overtakes);
            let stays = stays.map_err(|too_wide| choices::too_wide(state, too_wide, &[both, overtakes]))?;
            for (place, event) in [(earlier, overtakes), (later, stays)] {
                let event = choices::settle(state, event);
                ranks[place] = arithmetic::binary(state, Binary::Add, &ranks[place], &event)?;
            }
        }
    }
    let mut standing = vec![vec![Diagram::FALSE; count]; count];
    for (place, rank) in ranks.iter().enumerate() {
        for (slot, here) in standing.iter_mut().enumerate() {
            let stands = compare::compare(state, Comparison::Equal, rank, &Value::Int(slot as i64))?;
            let stands = choices::truth_event(state, &stands)?;
            here[place] = operators::conjunction(state, stands, presences[place])?;
        }
    }
    Ok(standing)
}

/// An event that is worked out in some worlds only; in the others it does not happen.
fn event_within<S: Scalar>(
    state: &mut State<S>,
    worlds: Diagram,
    work: impl FnOnce(&mut State<S>) -> Outcome<Diagram>,
) -> Outcome<Diagram> {
    let active = state.worlds.active;
    let running = choices::running(state)?;
    let here = operators::conjunction(state, running, worlds)?;
    if here == Diagram::FALSE {
        return Ok(Diagram::FALSE);
    }
    state.worlds.active = here;
    let event = work(state);
    state.worlds.active = active;
    event
}

/// The first of some elements, or what there is instead where there are none.
pub(in crate::evaluate) fn first_of<S: Scalar>(
    state: &mut State<S>,
    elements: &[Value<S>],
    default: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let mut found = default.cloned().unwrap_or(Value::Unbound);
    for element in elements.iter().rev() {
        let present = lift::presence(state, element)?;
        found = lift::either(state, present, element, &found)?;
    }
    let nothing = Fault::hinted(Code::MissingKey, "there is no next element", "give a default: `next(xs, None)`");
    if elements.is_empty() && default.is_none() {
        return Err(nothing);
    }
    calls::require_presence_or(state, &found, nothing)?;
    Ok(found)
}
