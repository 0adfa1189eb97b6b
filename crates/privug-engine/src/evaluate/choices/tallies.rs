//! How often values occur among many people: `Counter`, `np.bincount` and `.count`, each count one sum over everybody.

use std::collections::HashMap;
use std::rc::Rc;

use super::Chosen;
use super::{arrivals, calls, lift, lists, operators, sums};
use crate::choices::Diagram;
use crate::evaluate::builtins::Arguments;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Part, Value};
use crate::evaluate::{arithmetic, builtins, choices, compare, containers, ndarray};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Comparison};

/// Values that are counted apart.
const MAX_KEYS: usize = 4096;

/// How many elements are equal to a value: one sum.
pub(super) fn count_equal<S: Scalar>(
    state: &mut State<S>,
    elements: &[Value<S>],
    wanted: &Value<S>,
) -> Outcome<Value<S>> {
    let mut events = Vec::with_capacity(elements.len());
    for element in elements {
        let equal = compare::compare(state, Comparison::Equal, element, wanted)?;
        if !matches!(equal, Value::Bool(false)) {
            events.push(equal);
        }
    }
    sum_all(state, &events)
}

/// The sum of booleans, some of which may be random.
fn sum_all<S: Scalar>(state: &mut State<S>, events: &[Value<S>]) -> Outcome<Value<S>> {
    if events.len() > 1
        && let Some(sum) = sums::sum_of_integers(state, events)?
    {
        return Ok(sum);
    }
    let mut total = Value::Int(0);
    for event in events {
        total = arithmetic::binary(state, privug_language::program::Binary::Add, &total, event)?;
    }
    Ok(total)
}

/// The values that elements can have, each once, in the order in which they are found.
fn possible_values<S: Scalar>(state: &mut State<S>, elements: &[Value<S>]) -> Outcome<Option<Vec<Value<S>>>> {
    let mut found: Vec<Value<S>> = Vec::new();
    let mut known = HashMap::new();
    let mut last = None;
    for element in elements {
        let leaves = match element {
            Value::Choice(Chosen::Diagram(diagram)) => {
                let shape = state.worlds.diagrams.single(*diagram).map(|(_, shape)| shape);
                if shape.is_some() && shape == last {
                    continue;
                }
                last = shape;
                state.worlds.diagrams.leaves_of(*diagram)
            }
            Value::Choice(_) => return Ok(None),
            plain => vec![choices::leaf(state, plain)],
        };
        for leaf in leaves {
            let value = state.worlds.leaves[leaf as usize].clone();
            if lift::holds_choice(state, &value, 0) || matches!(value, Value::Unbound) {
                return Ok(None);
            }
            let key = state.key(&value)?;
            if known.insert(key, ()).is_none() {
                found.push(value);
            }
        }
        if found.len() > MAX_KEYS {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// `Counter(xs)`, with one sum for each value that somebody can have; `None` if it has to be looked at in each world.
pub(super) fn tallied<S: Scalar>(state: &mut State<S>, list: &Value<S>) -> Outcome<Option<Value<S>>> {
    let elements = containers::elements(state, list)?;
    let Some(values) = possible_values(state, &elements)? else { return Ok(None) };
    let tally = state.new_dict()?;
    let Value::Dict(handle) = tally else { return Ok(None) };
    state.heap.dicts[handle as usize].default = Some(Builtin::Counter);
    for value in values {
        let count = count_equal(state, &elements, &value)?;
        state.insert(handle, value, count)?;
    }
    state.budget.spend_elements(elements.len() as u64)?;
    state.worlds.tallies.insert(handle, elements.into());
    Ok(Some(tally))
}

/// Whether a dictionary counts random values: what does not occur in a world is not in it there.
pub(in crate::evaluate) fn is_tally<S: Scalar>(state: &State<S>, handle: Handle) -> bool {
    state.worlds.tallies.contains_key(&handle)
}

/// A tally as the dictionaries that it can be, with their keys in the order of the people.
pub(super) fn expanded_tally<S: Scalar>(state: &mut State<S>, handle: Handle) -> Outcome<Value<S>> {
    let Some(elements) = state.worlds.tallies.get(&handle).map(Rc::clone) else { return Ok(Value::Dict(handle)) };
    let list = state.list(elements.to_vec())?;
    let list = lift::expanded(state, &list, 0)?;
    let shape =
        CallShape { positional: 1, keywords: Vec::new(), spans: Vec::new(), subject: String::new(), names: Vec::new() };
    lift::lift(state, &[list], false, &mut |state, list| {
        builtins::collections::counter(state, &Arguments { shape: &shape, values: std::slice::from_ref(&list[0]) })
    })
}

/// The worlds in which one value occurs before another; where neither does, none.
pub(super) fn occurs_first<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    one: &Value<S>,
    other: &Value<S>,
) -> Outcome<Diagram> {
    let elements = state.worlds.tallies.get(&handle).map(Rc::clone).unwrap_or_default();
    let mut first = Diagram::FALSE;
    for element in elements.iter().rev() {
        let (is_one, is_other) = (event_of(state, element, one)?, event_of(state, element, other)?);
        let rest = state.worlds.diagrams.without(first, is_other);
        let rest = rest.map_err(|too_wide| choices::too_wide(state, too_wide, &[first, is_other]))?;
        first = operators::disjunction(state, is_one, rest)?;
    }
    Ok(first)
}

fn event_of<S: Scalar>(state: &mut State<S>, element: &Value<S>, value: &Value<S>) -> Outcome<Diagram> {
    let equal = compare::compare(state, Comparison::Equal, element, value)?;
    choices::truth_event(state, &equal)
}

/// What a tally has for a key: how often it occurs.
pub(super) fn tally_entry<S: Scalar>(state: &mut State<S>, handle: Handle, key: &Value<S>) -> Outcome<Value<S>> {
    let key = state.key(key)?;
    let dict = state.heap.dict(handle);
    Ok(dict.positions.get(&key).map_or(Value::Int(0), |place| dict.entries[*place].1.clone()))
}

/// `d.most_common(n)`, where how often something occurs is random: pairs in the order of their counts, and those with equal
/// counts in the order in which they came.
pub(super) fn most_common<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    count: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let items = arrivals::items_in_no_order(state, handle, Part::Items)?;
    let mut keyed = Vec::with_capacity(items.len());
    for ((_, count), item) in state.heap.dict(handle).entries.clone().into_iter().zip(items) {
        keyed.push((count, item));
    }
    let mut sorted = lists::sorted_by_key(state, &keyed, true, Some(handle))?;
    if let Some(count) = count.filter(|count| !matches!(count, Value::None)) {
        sorted.truncate(usize::try_from(containers::whole(count, "how many")?).unwrap_or(0));
    }
    state.list(sorted)
}

/// The worlds in which a tally is equal to a dictionary without random values; `None` if it is another thing.
pub(super) fn tally_equals<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Diagram>> {
    let (Value::Dict(a), Value::Dict(b)) = (left, right) else { return Ok(None) };
    let (tally, other) = match (is_tally(state, *a), is_tally(state, *b)) {
        (true, false) => (*a, *b),
        (false, true) => (*b, *a),
        _ => return Ok(None),
    };
    if lift::holds_choice(state, &Value::Dict(other), 0) {
        return Ok(None);
    }
    let entries = state.heap.dict(other).entries.clone();
    let is_counter = state.heap.dict(other).default == Some(Builtin::Counter);
    let mut wanted = HashMap::new();
    for (key, value) in entries {
        let is_zero = matches!(compare::equal(state, &value, &Value::Int(0), 0), Ok(true));
        if is_zero && !is_counter {
            // What does not occur is not in a tally.
            return Ok(Some(Diagram::FALSE));
        }
        wanted.insert(state.key(&key)?, value);
    }
    let mut event = Diagram::TRUE;
    for (key, count) in state.heap.dict(tally).entries.clone() {
        let value = wanted.remove(&state.key(&key)?).unwrap_or(Value::Int(0));
        let equal = compare::compare(state, Comparison::Equal, &count, &value)?;
        let equal = choices::truth_event(state, &equal)?;
        event = operators::conjunction(state, event, equal)?;
    }
    for value in wanted.values() {
        if !compare::equal(state, value, &Value::Int(0), 0)? {
            return Ok(Some(Diagram::FALSE));
        }
    }
    Ok(Some(event))
}

/// `np.bincount(xs, minlength=n)`, if it is as long in all worlds.
pub(super) fn counted_bins<S: Scalar>(
    state: &mut State<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    let arguments = Arguments { shape, values };
    let [list, weights, least] = arguments.bind("bincount", ["x", "weights", "minlength"], 1, 3)?;
    let (Some(list), None, Some(least)) = (list, weights, least) else { return Ok(None) };
    if lift::holds_choice(state, least.value, 0) || !calls::is_flat(state, list.value) {
        return Ok(None);
    }
    let least = containers::whole(least.value, "`minlength`")?;
    let elements = containers::elements(state, list.value)?;
    let Some(found) = possible_values(state, &elements)? else { return Ok(None) };
    let place = |value: &Value<S>| match value {
        Value::Bool(value) | Value::NumpyBool(value) => Some(i64::from(*value)),
        Value::Int(value) | Value::NumpyInt(value) => Some(*value),
        _ => None,
    };
    if !found.iter().all(|value| place(value).is_some_and(|place| (0..least).contains(&place))) {
        return Ok(None);
    }
    state.budget.check_elements(least as u64)?;
    let mut counts = Vec::new();
    for bin in 0..least {
        let is_possible = found.iter().any(|value| place(value) == Some(bin));
        let count = if is_possible { count_equal(state, &elements, &Value::Int(bin))? } else { Value::Int(0) };
        counts.push(lift::as_element(&count, Kind::Int));
    }
    let length = counts.len();
    ndarray::create::new_array(state, counts, vec![length], Kind::Int).map(Some)
}

/// Why a tally is not changed.
#[cold]
pub(in crate::evaluate) fn refuse_to_change_tally() -> Box<Fault> {
    let message = "a `Counter` of random values is changed";
    Fault::hinted(Code::RandomIndex, message, "make a dictionary of it first: `dict(Counter(xs))`")
}
