//! Arrays that hold choices: what they hold, and numpy's `&`, `|`, `^` and `~` on them.

use super::Chosen;
use super::{lift, operators};
use crate::evaluate::fault::Outcome;
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{choices, containers, ndarray};
use crate::number::Scalar;
use privug_language::program::Logic;

/// What an array of these elements holds.
pub(super) fn kind_of_elements<S: Scalar>(state: &mut State<S>, elements: &[Value<S>]) -> Outcome<Kind> {
    let mut kind = Kind::Bool;
    for element in elements {
        kind = kind.max(kind_of_operand(state, element)?);
    }
    Ok(kind)
}

/// Whether a value that depends on choices is an element of such an array as it is, in all worlds.
pub(in crate::evaluate) fn fits<S: Scalar>(state: &State<S>, value: &Value<S>, kind: Kind) -> bool {
    let is_element = |value: &Value<S>| match value {
        Value::Bool(_) | Value::NumpyBool(_) => kind == Kind::Bool,
        Value::Int(_) | Value::NumpyInt(_) => kind == Kind::Int,
        Value::NumpyFloat(_) | Value::Float(_) => kind == Kind::Float,
        _ => false,
    };
    match value {
        Value::Choice(Chosen::Diagram(diagram)) => {
            let leaves = state.worlds.diagrams.leaves_of(*diagram);
            leaves.iter().all(|leaf| is_element(&state.worlds.leaves[*leaf as usize]))
        }
        Value::Choice(Chosen::Sum(_)) => kind == Kind::Int,
        _ => false,
    }
}

/// What an operand counts as in an array.
pub(super) fn kind_of_operand<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Kind> {
    Ok(match value {
        Value::Array(handle) => state.heap.array(*handle).kind,
        Value::List(_) | Value::Tuple(_) => {
            let elements = containers::elements(state, value)?;
            kind_of_elements(state, &elements)?
        }
        Value::Choice(Chosen::Sum(_) | Chosen::Pick(_)) => Kind::Int,
        Value::Choice(Chosen::Diagram(diagram)) => {
            let mut kind = Kind::Bool;
            for leaf in state.worlds.diagrams.leaves_of(*diagram) {
                let leaf = state.worlds.leaves[leaf as usize].clone();
                kind = kind.max(kind_of_operand(state, &leaf)?);
            }
            kind
        }
        Value::Bool(_) | Value::NumpyBool(_) => Kind::Bool,
        Value::Int(_) | Value::NumpyInt(_) | Value::Counted(_) => Kind::Int,
        Value::Text(_) => Kind::Text,
        _ => Kind::Float,
    })
}

/// `left & right` and the like, where one of them depends on choices.
pub(in crate::evaluate) fn logic_on_choices<S: Scalar>(
    state: &mut State<S>,
    operator: Logic,
    left: &Value<S>,
    right: &Value<S>,
    in_place: bool,
) -> Outcome<Value<S>> {
    if matches!(left, Value::Array(_)) || matches!(right, Value::Array(_)) {
        let kind = kind_of_operand(state, left)?.max(kind_of_operand(state, right)?);
        return operators::array_choices(state, left, right, kind, &mut |state, a, b| {
            ndarray::elementwise::logic_of(state, operator, a, b, false)
        });
    }
    let values = [lift::expanded(state, left, 0)?, lift::expanded(state, right, 0)?];
    lift::lift(state, &values, in_place, &mut |state, values| {
        ndarray::elementwise::logic_of(state, operator, &values[0], &values[1], in_place)
    })
}

/// `~value`, where it depends on choices.
pub(in crate::evaluate) fn inverted_choices<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    if let Value::Array(handle) = value {
        let kind = state.heap.array(*handle).kind;
        return operators::array_choices(state, value, &Value::None, kind, &mut |state, element, _| match kind {
            Kind::Bool => {
                let event = choices::truth_event(state, element)?;
                let opposite = operators::negation(state, event)?;
                Ok(choices::settle(state, opposite))
            }
            Kind::Int | Kind::Float | Kind::Text => ndarray::elementwise::inverted(state, element),
        });
    }
    let value = [lift::expanded(state, value, 0)?];
    lift::lift(state, &value, false, &mut |state, values| ndarray::elementwise::inverted(state, &values[0]))
}

/// `np.where(mask, a, b)`, element by element
pub(super) fn choose_elements<S: Scalar>(
    state: &mut State<S>,
    mask: &Value<S>,
    then: &Value<S>,
    otherwise: &Value<S>,
) -> Outcome<Value<S>> {
    let is_list = |value: &Value<S>| matches!(value, Value::Array(_) | Value::List(_) | Value::Tuple(_));
    if ![mask, then, otherwise].into_iter().any(is_list) {
        let event = choices::truth_event(state, mask)?;
        return lift::either(state, event, then, otherwise);
    }
    let pairs = operators::array_choices(state, then, otherwise, Kind::Float, &mut |state, a, b| {
        state.tuple(vec![a.clone(), b.clone()])
    });
    let pairs = match (is_list(then), is_list(otherwise)) {
        (false, false) => {
            let pair = state.tuple(vec![then.clone(), otherwise.clone()])?;
            let length = containers::length(state, mask)?;
            state.list(vec![pair; length])?
        }
        _ => pairs?,
    };
    let kind = Kind::Float;
    operators::array_choices(state, mask, &pairs, kind, &mut |state, mask, pair| {
        let event = choices::truth_event(state, mask)?;
        let pair = containers::elements(state, pair)?;
        lift::either(state, event, &pair[0], &pair[1])
    })
}
