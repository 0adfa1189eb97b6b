//! An element of a list at a random place, before anybody looks at it: `counts[vote] += 1` adds to each count what it gets,
//! and none of them is mixed up with the others.

use std::rc::Rc;

use super::Chosen;
use super::{lift, operators, sums};
use crate::choices::Diagram;
use crate::evaluate::fault::Outcome;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{arithmetic, choices, containers};
use crate::number::Scalar;
use privug_language::program::Binary;

/// One of several integers.
#[derive(Debug, Clone)]
pub(super) struct Pick<S> {
    /// Which it is in the worlds of each event; the events exclude each other.
    of: Rc<[(Diagram, Value<S>)]>,
    /// What was added to it.
    plus: i64,
    /// The diagram, once somebody has asked for it.
    diagram: Option<Diagram>,
}

/// `object[index]` where the elements are integers and the index depends on choices; `None` if it is something else.
pub(super) fn picked<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    index: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let Value::Choice(Chosen::Diagram(places)) = index else { return Ok(None) };
    if lift::is_partial(state, *places) || lift::has_holes(state, object) {
        return Ok(None);
    }
    match object {
        Value::List(_) | Value::Tuple(_) => {}
        Value::Dict(handle) if state.heap.dict(*handle).default.is_none() => {}
        _ => return Ok(None),
    }
    let mut of = Vec::new();
    let mut is_random = false;
    for leaf in state.worlds.diagrams.leaves_of(*places) {
        let place = state.worlds.leaves[leaf as usize].clone();
        let Ok(element) = containers::index_value(state, object, &place) else { return Ok(None) };
        match &element {
            Value::Choice(Chosen::Diagram(diagram)) if sums::is_integral(state, *diagram) => is_random = true,
            Value::Choice(Chosen::Sum(_)) => is_random = true,
            Value::Int(_) => {}
            _ => return Ok(None),
        }
        let event = lift::leaf_event(state, *places, leaf)?;
        of.push((event, element));
    }
    if !is_random {
        return Ok(None);
    }
    state.budget.spend_elements(of.len() as u64)?;
    new_pick(state, Pick { of: of.into(), plus: 0, diagram: None }).map(Some)
}

fn new_pick<S: Scalar>(state: &mut State<S>, pick: Pick<S>) -> Outcome<Value<S>> {
    state.budget.spend_elements(1)?;
    state.worlds.picks.push(pick);
    Ok(Value::Choice(Chosen::Pick(state.worlds.picks.len() as u32 - 1)))
}

/// The same element and a number more.
pub(super) fn pick_plus<S: Scalar>(state: &mut State<S>, pick: u32, more: i64) -> Outcome<Option<Value<S>>> {
    let pick = &state.worlds.picks[pick as usize];
    let Some(plus) = pick.plus.checked_add(more) else { return Ok(None) };
    let of = Rc::clone(&pick.of);
    new_pick(state, Pick { of, plus, diagram: None }).map(Some)
}

/// Which of the elements it is in the worlds of an event, if it is the same one in all of them.
pub(super) fn pick_within<S: Scalar>(state: &mut State<S>, pick: u32, event: Diagram) -> Outcome<Option<Value<S>>> {
    let Pick { of, plus, .. } = state.worlds.picks[pick as usize].clone();
    for (worlds, element) in of.iter() {
        let is_within = *worlds == event || operators::conjunction(state, *worlds, event)? == event;
        if is_within {
            return match plus {
                0 => Ok(Some(element.clone())),
                plus => arithmetic::binary(state, Binary::Add, element, &Value::Int(plus)).map(Some),
            };
        }
    }
    Ok(None)
}

/// The diagram of it.
pub(super) fn expand_pick<S: Scalar>(state: &mut State<S>, pick: u32) -> Outcome<Diagram> {
    let Pick { of, plus, diagram } = state.worlds.picks[pick as usize].clone();
    if let Some(known) = diagram {
        return Ok(known);
    }
    let mut joined: Option<Diagram> = None;
    for (worlds, element) in of.iter() {
        let element = if plus == 0 {
            element.clone()
        } else {
            arithmetic::binary(state, Binary::Add, element, &Value::Int(plus))?
        };
        let element = choices::diagram_of(state, &element)?;
        joined = Some(match joined {
            None => element,
            Some(others) => {
                let either = state.worlds.diagrams.either(*worlds, element, others);
                either.map_err(|too_wide| choices::too_wide(state, too_wide, &[*worlds, element, others]))?
            }
        });
    }
    let joined = choices::shortened(state, joined.unwrap_or(Diagram::FALSE))?;
    state.worlds.picks[pick as usize].diagram = Some(joined);
    Ok(joined)
}
