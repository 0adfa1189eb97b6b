//! The order of a dictionary's keys where it differs between worlds: `counts[vote] = counts.get(vote, 0) + 1`.
//!
//! A dictionary's entries stand in the order in which their keys are first written, in any world. A world in which a key
//! comes later than others that stand behind it sees another order. From the first such key on, each entry notes when it
//! came, as a value that depends on choices; and who goes through the dictionary sees it in the order of that.

use super::{dictionaries, lift, lists, operators, tallies};
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Part, Value};
use crate::evaluate::{choices, compare};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Comparison;

/// When each entry of a dictionary came.
#[derive(Debug, Clone)]
pub(in crate::evaluate) struct Arrivals<S> {
    at: Vec<Value<S>>,
    next: i64,
}

impl<S: Scalar> Arrivals<S> {
    /// A new entry stands behind all others.
    pub(in crate::evaluate) fn note_new(&mut self) {
        self.at.push(Value::Int(self.next));
        self.next += 1;
    }

    /// The entry at a position is taken out, in all worlds.
    pub(in crate::evaluate) fn forget(&mut self, position: usize) {
        self.at.remove(position);
    }
}

/// Notes that a key is given a value that it may have had no value before: in those worlds it comes last.
pub(in crate::evaluate) fn note_again<S: Scalar>(state: &mut State<S>, handle: Handle, position: usize) -> Outcome<()> {
    let entries = &state.heap.dict(handle).entries;
    if !dictionaries::is_hole(state, &entries[position].1) {
        return Ok(());
    }
    let old = entries[position].1.clone();
    let later: Vec<Value<S>> = entries[position + 1..].iter().map(|(_, value)| value.clone()).collect();
    let count = entries.len();
    let present = lift::presence(state, &old)?;
    let absent = operators::negation(state, present)?;
    let running = choices::running(state)?;
    let new = operators::conjunction(state, absent, running)?;
    if new == Diagram::FALSE {
        return Ok(());
    }
    if !state.worlds.arrivals.contains_key(&handle) {
        let mut is_overtaken = false;
        for value in &later {
            let present = lift::presence(state, value)?;
            is_overtaken |= operators::conjunction(state, present, new)? != Diagram::FALSE;
        }
        if !is_overtaken {
            return Ok(());
        }
        state.budget.spend_elements(count as u64)?;
        let at = (0..count as i64).map(Value::Int).collect();
        state.worlds.arrivals.insert(handle, Arrivals { at, next: count as i64 });
    }
    let Some(Arrivals { at, next }) = state.worlds.arrivals.get_mut(&handle) else { return Ok(()) };
    let (before, now) = (at[position].clone(), Value::Int(*next));
    *next += 1;
    let joined = lift::either(state, new, &now, &before)?;
    if let Some(arrivals) = state.worlds.arrivals.get_mut(&handle) {
        arrivals.at[position] = joined;
    }
    Ok(())
}

/// Whether who goes through a dictionary has to be told its order.
pub(in crate::evaluate) fn is_disordered<S: Scalar>(state: &State<S>, handle: Handle) -> bool {
    !state.worlds.is_order_free && state.worlds.arrivals.contains_key(&handle)
}

/// The worlds in which one entry comes before another that stands behind it, where both are there.
pub(in crate::evaluate) fn comes_first<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    earlier: usize,
    later: usize,
) -> Outcome<Diagram> {
    if tallies::is_tally(state, handle) {
        let entries = &state.heap.dict(handle).entries;
        let (one, other) = (entries[earlier].0.clone(), entries[later].0.clone());
        return tallies::occurs_first(state, handle, &one, &other);
    }
    let Some(arrivals) = state.worlds.arrivals.get(&handle) else { return Ok(Diagram::TRUE) };
    let (one, other) = (arrivals.at[earlier].clone(), arrivals.at[later].clone());
    let first = compare::compare(state, Comparison::Less, &one, &other)?;
    choices::truth_event(state, &first)
}

/// Refuses what would see the keys of a dictionary in the order of its entries, where worlds see another.
pub(in crate::evaluate) fn require_order<S: Scalar>(state: &State<S>, handle: Handle) -> Outcome<()> {
    if !state.worlds.arrivals.contains_key(&handle) {
        return Ok(());
    }
    let message = "the keys of this dictionary have a different order in some worlds";
    let hint = "create them first: `{key: 0 for key in keys}`, or iterate over `sorted(d)`";
    Err(Fault::hinted(Code::RandomIndex, message, hint))
}

/// Gives a new dictionary with the entries of another their order.
pub(in crate::evaluate) fn copy_order<S: Scalar>(state: &mut State<S>, from: Handle, to: Handle) {
    if let Some(arrivals) = state.worlds.arrivals.get(&from).cloned() {
        state.worlds.arrivals.insert(to, arrivals);
    }
}

/// Whether the entries of a dictionary are those of another order, or are there in some worlds only.
pub(in crate::evaluate) fn depends_on_worlds<S: Scalar>(state: &State<S>, handle: Handle) -> bool {
    state.worlds.exist()
        && (state.worlds.arrivals.contains_key(&handle) || lift::has_holes(state, &Value::Dict(handle)))
}

/// The worlds in which a dictionary has each of its entries.
fn presences<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Vec<Diagram>> {
    let is_tally = tallies::is_tally(state, handle);
    let values: Vec<Value<S>> = state.heap.dict(handle).entries.iter().map(|(_, value)| value.clone()).collect();
    let presence = |value: &Value<S>| {
        if !is_tally {
            return lift::presence(state, value);
        }
        let occurs = compare::compare(state, Comparison::Greater, value, &Value::Int(0))?;
        choices::truth_event(state, &occurs)
    };
    values.iter().map(presence).collect()
}

/// The worlds in which a dictionary has a key.
pub(super) fn has_key<S: Scalar>(state: &mut State<S>, handle: Handle, key: &Value<S>) -> Outcome<Diagram> {
    let hashed = state.key(key)?;
    let Some(place) = state.heap.dict(handle).positions.get(&hashed).copied() else { return Ok(Diagram::FALSE) };
    let value = state.heap.dict(handle).entries[place].1.clone();
    if !tallies::is_tally(state, handle) {
        return lift::presence(state, &value);
    }
    let occurs = compare::compare(state, Comparison::Greater, &value, &Value::Int(0))?;
    choices::truth_event(state, &occurs)
}

/// The items of a dictionary in no order, each missing where the dictionary does not have it.
pub(in crate::evaluate) fn items_in_no_order<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    part: Part,
) -> Outcome<Vec<Value<S>>> {
    let presences = presences(state, handle)?;
    let mut items = Vec::new();
    for ((key, value), present) in state.heap.dict(handle).entries.clone().into_iter().zip(presences) {
        let item = dictionaries::item_in_worlds(state, part, key, value)?;
        items.push(lift::either(state, present, &item, &Value::Unbound)?);
    }
    Ok(items)
}

/// For each place that a world can see: the worlds in which each entry stands there.
pub(in crate::evaluate) fn standing<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Vec<Vec<Diagram>>> {
    let presences = presences(state, handle)?;
    lists::places_in_order(state, &presences, &mut |state, earlier, later| {
        let stays = comes_first(state, handle, earlier, later)?;
        operators::negation(state, stays)
    })
}

/// The items of a dictionary as each world sees them, missing at the end where it has fewer.
pub(in crate::evaluate) fn items_in_order<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    part: Part,
) -> Outcome<Vec<Value<S>>> {
    let mut items = Vec::new();
    for (key, value) in state.heap.dict(handle).entries.clone() {
        items.push(dictionaries::item_in_worlds(state, part, key, value)?);
    }
    let standing = standing(state, handle)?;
    in_places(state, &standing, &items)
}

/// The item at a place, which is missing in worlds that have fewer; `None` if all have.
pub(in crate::evaluate) fn item_at<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    part: Part,
    here: &[Diagram],
) -> Outcome<Option<Value<S>>> {
    let mut found = Value::Unbound;
    for (entry, worlds) in here.iter().enumerate() {
        if *worlds != Diagram::FALSE {
            let (key, value) = state.heap.dict(handle).entries[entry].clone();
            let item = dictionaries::item_in_worlds(state, part, key, value)?;
            found = lift::either(state, *worlds, &item, &found)?;
        }
    }
    Ok(if matches!(found, Value::Unbound) { None } else { Some(found) })
}

/// The keys and values of a dictionary, in the order that each world sees.
pub(super) fn entries_in_order<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Vec<(Value<S>, Value<S>)>> {
    let (keys, values): (Vec<Value<S>>, Vec<Value<S>>) = state.heap.dict(handle).entries.iter().cloned().unzip();
    let standing = standing(state, handle)?;
    let keys = in_places(state, &standing, &keys)?;
    let values = in_places(state, &standing, &values)?;
    Ok(keys.into_iter().zip(values).collect())
}

/// What stands at each place.
pub(super) fn in_places<S: Scalar>(
    state: &mut State<S>,
    standing: &[Vec<Diagram>],
    items: &[Value<S>],
) -> Outcome<Vec<Value<S>>> {
    let mut placed = Vec::with_capacity(standing.len());
    for here in standing {
        let mut found = Value::Unbound;
        for (item, worlds) in items.iter().zip(here) {
            found = lift::either(state, *worlds, item, &found)?;
        }
        placed.push(found);
    }
    while matches!(placed.last(), Some(Value::Unbound)) {
        placed.pop();
    }
    Ok(placed)
}
