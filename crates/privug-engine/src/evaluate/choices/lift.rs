//! Carrying out an operation in all worlds: once for each combination of leaves.

use super::{Chosen, UNBOUND_LEAF};
use super::{arrivals, picks, sums, tallies};
use crate::choices::{DEAD, Diagram, sweep};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{arithmetic, builtins, choices, compare, containers, exceptions, ndarray, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;

/// Combinations for which something can be changed: each is carried out in worlds that have to be told apart.
const MAX_WITH_EFFECTS: usize = 4096;

/// Operations inside of each other that nothing was left to choose for: values are not nested more deeply.
const MAX_UNCHOSEN: u32 = 1000;

/// An operation on ordinary values.
pub(in crate::evaluate) type Operation<'o, S> = dyn FnMut(&mut State<S>, &[Value<S>]) -> Outcome<Value<S>> + 'o;

/// Carries out an operation whose operands depend on choices. If it changes or makes anything, each time is in its
/// own worlds.
pub(in crate::evaluate) fn lift<S: Scalar>(
    state: &mut State<S>,
    values: &[Value<S>],
    has_effects: bool,
    operation: &mut Operation<'_, S>,
) -> Outcome<Value<S>> {
    let mut places = Vec::new();
    let mut factors = Vec::new();
    for (place, value) in values.iter().enumerate() {
        if let Value::Choice(_) = value {
            places.push(place);
            factors.push(choices::diagram_of(state, value)?);
        }
    }
    let running = choices::running(state)?;
    if factors.is_empty() {
        return lift_nothing(state, values, running, operation);
    }
    let product = state.worlds.diagrams.product(running, &factors);
    let (product, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &factors))?;
    if has_effects && tuples.len() > MAX_WITH_EFFECTS {
        return Err(choices::too_wide(state, crate::choices::TooWide, &factors));
    }
    let active = state.worlds.active;
    let mut operands = values.to_vec();
    let (mut results, mut impossible) = (Vec::with_capacity(tuples.len()), Vec::new());
    for (number, tuple) in tuples.iter().enumerate() {
        state.budget.spend_steps(1)?;
        for (place, leaf) in places.iter().zip(tuple.iter()) {
            operands[*place] = state.worlds.leaves[*leaf as usize].clone();
        }
        // What a list holds in other worlds than its own is nothing that was put there.
        let inside = places.iter().any(|place| holds_choice(state, &operands[*place], 0));
        if (has_effects || inside) && tuples.len() > 1 {
            state.worlds.active = leaf_event(state, product, number as u32)?;
        }
        let result = operation(state, &operands);
        state.worlds.active = active;
        let result = match result {
            Ok(result) => result,
            Err(fault) => {
                let here = leaf_event(state, product, number as u32)?;
                if is_impossible(state, here) {
                    impossible.push(number);
                } else if !exceptions::raise(state, &fault, here, &operands)?
                    && !choices::is_harmless(state, &fault, here)?
                {
                    return Err(fault);
                }
                Value::Unbound
            }
        };
        if matches!(result, Value::Poison) {
            return Ok(Value::Poison);
        }
        results.push(result);
    }
    // In worlds that cannot be, any value will do.
    let possible = (0..results.len()).find(|number| !impossible.contains(number));
    for number in impossible {
        results[number] = possible.map_or(Value::Unbound, |possible| results[possible].clone());
    }
    join(state, product, &results)
}

/// Whether worlds only seem to be possible: a value with a choice of its own does not show what it comes from.
pub(super) fn is_impossible<S: Scalar>(state: &State<S>, worlds: Diagram) -> bool {
    if state.worlds.derived.is_empty() {
        return false;
    }
    let swept = sweep(&state.worlds.diagrams, &state.worlds.laws, &[worlds], &[]);
    swept.is_ok_and(|swept| swept.tuples.iter().all(|(_, mass)| mass.is_zero()))
}

/// The same where no operand depends on choices itself.
fn lift_nothing<S: Scalar>(
    state: &mut State<S>,
    values: &[Value<S>],
    running: Diagram,
    operation: &mut Operation<'_, S>,
) -> Outcome<Value<S>> {
    state.budget.spend_steps(1)?;
    // An operation that finds choices in what it was given comes back here with the same operands.
    if state.worlds.unchosen >= MAX_UNCHOSEN {
        let message = "something that holds random values is used as if it were one of them";
        return Err(Fault::hinted(Code::TypeMismatch, message, "name the value in it: an attribute or an element"));
    }
    state.worlds.unchosen += 1;
    let result = operation(state, values);
    state.worlds.unchosen -= 1;
    match result {
        Ok(Value::Choice(Chosen::Diagram(result))) => {
            let short = choices::shortened(state, result)?;
            Ok(choices::settle(state, short))
        }
        Ok(result) => Ok(result),
        Err(fault) if choices::is_harmless(state, &fault, running)? => Ok(Value::Unbound),
        Err(fault) => Err(fault),
    }
}

/// The texts that a value is in some worlds, and in which.
pub(in crate::evaluate) fn worlds_of_texts<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    worlds: Diagram,
) -> Outcome<Vec<(std::rc::Rc<str>, Diagram)>> {
    let diagram = choices::diagram_of(state, value)?;
    let product = state.worlds.diagrams.product(worlds, &[diagram]);
    let (product, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &[worlds, diagram]))?;
    let mut found = Vec::with_capacity(tuples.len());
    for (number, tuple) in tuples.iter().enumerate() {
        let text = text::show(state, &state.worlds.leaves[tuple[0] as usize]);
        found.push((text.into(), leaf_event(state, product, number as u32)?));
    }
    Ok(found)
}

/// The worlds in which a diagram has a leaf.
pub(super) fn leaf_event<S: Scalar>(state: &mut State<S>, diagram: Diagram, wanted: u32) -> Outcome<Diagram> {
    let event = state
        .worlds
        .diagrams
        .relabel(diagram, &mut |leaf| Ok(if leaf == wanted { Diagram::TRUE } else { Diagram::FALSE }));
    event.map_err(|too_wide| choices::too_wide(state, too_wide, &[diagram]))
}

/// The value that is one of `results` in the worlds of each leaf of a product.
fn join<S: Scalar>(state: &mut State<S>, product: Diagram, results: &[Value<S>]) -> Outcome<Value<S>> {
    let mut leaves = Vec::with_capacity(results.len());
    let mut plain = true;
    for result in results {
        let diagram = choices::diagram_of(state, result)?;
        plain &= diagram.as_leaf().is_some();
        leaves.push(diagram);
    }
    let relabelled = if plain {
        // Dead worlds get what makes the diagram small.
        let dead = leaves.first().copied().unwrap_or(Diagram::leaf(UNBOUND_LEAF));
        let mut choose = |leaf: u32| Ok(if leaf == DEAD { dead } else { leaves[leaf as usize] });
        state.worlds.diagrams.relabel(product, &mut choose)
    } else {
        let mut joined = leaves[0];
        for (number, leaf) in leaves.iter().enumerate().skip(1) {
            let event = leaf_event(state, product, number as u32)?;
            let either = state.worlds.diagrams.either(event, *leaf, joined);
            joined = either.map_err(|too_wide| choices::too_wide(state, too_wide, &[product, *leaf, joined]))?;
        }
        Ok(joined)
    };
    let relabelled = relabelled.map_err(|too_wide| choices::too_wide(state, too_wide, &[product]))?;
    let short = choices::shortened(state, relabelled)?;
    Ok(choices::settle(state, short))
}

/// `then` in the worlds of an event, `otherwise` elsewhere.
pub(in crate::evaluate) fn either<S: Scalar>(
    state: &mut State<S>,
    event: Diagram,
    then: &Value<S>,
    otherwise: &Value<S>,
) -> Outcome<Value<S>> {
    match event {
        Diagram::TRUE => return Ok(then.clone()),
        Diagram::FALSE => return Ok(otherwise.clone()),
        _ => {}
    }
    if matches!(then, Value::Poison) || matches!(otherwise, Value::Poison) {
        return Ok(Value::Poison);
    }
    if let Value::Choice(Chosen::Pick(pick)) = then
        && let Some(element) = picks::pick_within(state, *pick, event)?
    {
        return either(state, event, &element, otherwise);
    }
    if let Some(sum) = sums::grown_sum(state, event, then, otherwise)? {
        return Ok(sum);
    }
    let either = joined(state, event, then, otherwise)?;
    let short = choices::shortened(state, either)?;
    Ok(choices::settle(state, short))
}

/// The same, as a diagram over the choices that it comes from themselves.
pub(super) fn joined<S: Scalar>(
    state: &mut State<S>,
    event: Diagram,
    then: &Value<S>,
    otherwise: &Value<S>,
) -> Outcome<Diagram> {
    let (a, b) = (choices::diagram_of(state, then)?, choices::diagram_of(state, otherwise)?);
    let either = state.worlds.diagrams.either(event, a, b);
    either.map_err(|too_wide| choices::too_wide(state, too_wide, &[event, a, b]))
}

/// The same value, and where it is a container that holds choices, the containers that it can be.
pub(in crate::evaluate) fn expanded<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    depth: usize,
) -> Outcome<Value<S>> {
    if depth > compare::MAX_VALUE_DEPTH {
        return Err(compare::too_deep());
    }
    if !holds_choice(state, value, 0) {
        return Ok(value.clone());
    }
    if let Value::Dict(handle) = value
        && tallies::is_tally(state, *handle)
    {
        return tallies::expanded_tally(state, *handle);
    }
    let parts: Vec<Value<S>> = match value {
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).to_vec(),
        Value::Array(handle) => state.heap.array_values(&state.heap.array(*handle).clone()),
        Value::Dict(handle) if arrivals::is_disordered(state, *handle) => {
            arrivals::entries_in_order(state, *handle)?.into_iter().flat_map(|(key, value)| [key, value]).collect()
        }
        Value::Dict(handle) | Value::Set(handle) => {
            state.heap.dict(*handle).entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect()
        }
        // Each is looked into in its own worlds, and in no others. Where that gave a value a choice of its own, it is not
        // known any more which worlds these are: then the value stays closed, and asking for it is refused.
        chosen if depth > 0 && decides_between_containers(state, chosen) => {
            let one = std::slice::from_ref(chosen);
            let opened = lift(state, one, false, &mut |state, values| expanded(state, &values[0], depth + 1))?;
            return Ok(if state.worlds.derived.is_empty() { opened } else { chosen.clone() });
        }
        other => return Ok(other.clone()),
    };
    let parts = parts.iter().map(|part| expanded(state, part, depth + 1)).collect::<Outcome<Vec<_>>>()?;
    let like = value.clone();
    lift(state, &parts, false, &mut |state, parts| container_like(state, &like, parts))
}

/// A container of the same kind with other elements; those without a value are left out.
fn container_like<S: Scalar>(state: &mut State<S>, like: &Value<S>, parts: &[Value<S>]) -> Outcome<Value<S>> {
    let present = |parts: &[Value<S>]| -> Vec<Value<S>> {
        parts.iter().filter(|part| !matches!(part, Value::Unbound)).cloned().collect()
    };
    match like {
        Value::Tuple(_) => state.tuple(present(parts)),
        Value::Array(handle) => {
            let (shape, kind) = {
                let array = state.heap.array(*handle);
                (array.shape.clone(), array.kind)
            };
            let parts = parts.iter().map(|part| as_element(part, kind)).collect();
            ndarray::create::new_array(state, parts, shape, kind)
        }
        Value::Dict(like) => {
            let dict = state.new_dict()?;
            if let Value::Dict(handle) = dict {
                state.heap.dicts[handle as usize].default = state.heap.dict(*like).default;
                for entry in parts.chunks_exact(2).filter(|entry| !matches!(entry[1], Value::Unbound)) {
                    state.insert(handle, entry[0].clone(), entry[1].clone())?;
                }
            }
            Ok(dict)
        }
        Value::Set(like) => {
            let is_frozen = state.heap.dict(*like).default == Some(Builtin::FrozenSet);
            let keys = parts.chunks_exact(2).filter(|entry| !matches!(entry[1], Value::Unbound));
            let keys = keys.map(|entry| entry[0].clone()).collect();
            let keys = state.list(keys)?;
            let set = builtins::collections::set_of(state, &keys)?;
            Ok(if is_frozen { super::sets::frozen(state, set) } else { set })
        }
        _ => state.list(present(parts)),
    }
}

/// Whether a value is, or holds, something that depends on choices.
pub(in crate::evaluate) fn holds_choice<S: Scalar>(state: &State<S>, value: &Value<S>, depth: usize) -> bool {
    if !state.worlds.exist() || depth > compare::MAX_VALUE_DEPTH {
        return false;
    }
    match value {
        Value::Choice(_) => true,
        Value::List(handle) | Value::Tuple(handle) => {
            let elements = state.heap.sequence(*handle);
            let holds = |element| matches!(element, &Value::Unbound) || holds_choice(state, element, depth + 1);
            elements.iter().any(holds)
        }
        Value::Array(handle) => {
            let array = state.heap.array(*handle);
            match state.heap.contiguous(array) {
                Some(elements) => elements.iter().any(|element| matches!(element, Value::Choice(_))),
                None => state.heap.array_values(array).iter().any(|element| matches!(element, Value::Choice(_))),
            }
        }
        Value::Dict(handle) if state.worlds.arrivals.contains_key(handle) => true,
        Value::Dict(handle) | Value::Object(handle, _) => {
            let dict = state.heap.dict(*handle);
            dict.entries.iter().any(|(_, element)| holds_choice(state, element, depth + 1))
        }
        Value::Set(_) => has_holes(state, value),
        _ => false,
    }
}

/// Whether a value is one of several containers, of which one holds something that depends on choices. Where values
/// have choices of their own, worlds that cannot be look possible, and what a container lacks there would be taken for
/// a part that it lacks: then it is not looked into.
pub(in crate::evaluate) fn decides_between_containers<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    if !state.worlds.derived.is_empty() {
        return false;
    }
    let Value::Choice(Chosen::Diagram(diagram)) = value else { return false };
    let leaves = state.worlds.diagrams.leaves_of(*diagram);
    leaves.iter().any(|leaf| {
        let leaf = &state.worlds.leaves[*leaf as usize];
        matches!(leaf, Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Dict(_))
            && holds_choice(state, leaf, 0)
    })
}

/// Whether a diagram has no value in some worlds.
pub(in crate::evaluate) fn is_partial<S: Scalar>(state: &State<S>, diagram: Diagram) -> bool {
    diagram.as_leaf().is_none() && state.worlds.diagrams.is_partial(diagram)
}

/// Whether a list or dictionary has elements that are there in some worlds only.
pub(in crate::evaluate) fn has_holes<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    if !state.worlds.exist() {
        return false;
    }
    let is_hole = |element: &Value<S>| match element {
        Value::Choice(Chosen::Diagram(diagram)) => is_partial(state, *diagram),
        Value::Unbound => true,
        _ => false,
    };
    match value {
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).iter().any(is_hole),
        Value::Dict(handle) => {
            tallies::is_tally(state, *handle)
                || state.heap.dict(*handle).entries.iter().any(|(_, element)| is_hole(element))
        }
        Value::Set(handle) => state.heap.dict(*handle).entries.iter().any(|(_, entry)| is_hole(entry)),
        // A view has what the dictionary has when it is looked at.
        Value::View(handle, _) => has_holes(state, &Value::Dict(*handle)),
        _ => false,
    }
}

/// The worlds in which a value is there.
pub(in crate::evaluate) fn presence<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Diagram> {
    let diagram = match value {
        Value::Choice(Chosen::Diagram(diagram)) => diagram,
        Value::Unbound => return Ok(Diagram::FALSE),
        _ => return Ok(Diagram::TRUE),
    };
    let absent = leaf_event(state, *diagram, UNBOUND_LEAF)?;
    let present = state.worlds.diagrams.not(absent);
    present.map_err(|too_wide| choices::too_wide(state, too_wide, &[absent]))
}

/// `len` of a container with holes.
pub(super) fn guarded_length<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    if let Value::View(handle, _) = value {
        return guarded_length(state, &Value::Dict(*handle));
    }
    if let Value::Dict(handle) = value
        && tallies::is_tally(state, *handle)
    {
        let counts: Vec<Value<S>> = state.heap.dict(*handle).entries.iter().map(|(_, count)| count.clone()).collect();
        let mut length = Value::Int(0);
        for count in &counts {
            let occurs = compare::compare(state, privug_language::program::Comparison::Greater, count, &Value::Int(0))?;
            length = arithmetic::binary(state, privug_language::program::Binary::Add, &length, &occurs)?;
        }
        return Ok(length);
    }
    let elements: Vec<Value<S>> = match value {
        Value::Dict(handle) | Value::Set(handle) => {
            state.heap.dict(*handle).entries.iter().map(|(_, value)| value.clone()).collect()
        }
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).to_vec(),
        other => containers::elements(state, other)?,
    };
    let mut length = Value::Int(0);
    for element in &elements {
        let present = presence(state, element)?;
        let present = choices::settle(state, present);
        length = arithmetic::binary(state, privug_language::program::Binary::Add, &length, &present)?;
    }
    Ok(length)
}

/// The elements of containers that a value can be, each in its own worlds.
pub(in crate::evaluate) fn elements_of_choice<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
) -> Outcome<Vec<Value<S>>> {
    let lists = lift(state, std::slice::from_ref(value), true, &mut |state, list| {
        let elements = containers::elements(state, &list[0])?;
        state.list(elements)
    })?;
    let diagram = choices::diagram_of(state, &lists)?;
    let mut joined: Vec<Value<S>> = Vec::new();
    for leaf in state.worlds.diagrams.leaves_of(diagram) {
        let Value::List(handle) = state.worlds.leaves[leaf as usize] else { continue };
        let event = leaf_event(state, diagram, leaf)?;
        let elements = state.heap.sequence(handle).to_vec();
        state.budget.spend_steps(elements.len() as u64)?;
        joined.resize(joined.len().max(elements.len()), Value::Unbound);
        for (place, element) in elements.iter().enumerate() {
            joined[place] = either(state, event, element, &joined[place].clone())?;
        }
    }
    Ok(joined)
}

/// A value as an array holds it.
pub(super) fn as_element<S: Scalar>(value: &Value<S>, kind: Kind) -> Value<S> {
    match (kind, value) {
        (Kind::Bool, Value::Bool(value)) => Value::NumpyBool(*value),
        (Kind::Int, Value::Bool(value) | Value::NumpyBool(value)) => Value::NumpyInt(i64::from(*value)),
        (Kind::Int, Value::Int(value)) => Value::NumpyInt(*value),
        (Kind::Float, Value::Bool(value) | Value::NumpyBool(value)) => {
            Value::NumpyFloat(S::from_i64(i64::from(*value)))
        }
        (Kind::Float, Value::Int(value) | Value::NumpyInt(value)) => Value::NumpyFloat(S::from_i64(*value)),
        (Kind::Float, Value::Float(value)) => Value::NumpyFloat(value.clone()),
        (Kind::Bool | Kind::Int | Kind::Float | Kind::Text, other) => other.clone(),
    }
}
