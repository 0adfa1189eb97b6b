//! The same operation on many people who are asked the same: it is carried out once, and known for everybody after that.

use super::Chosen;
use crate::choices::{Diagram, Shape};
use crate::evaluate::choices;
use crate::evaluate::fault::Outcome;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::program::{Binary, Comparison};

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Binary(Binary),
    Comparison(Comparison),
}

/// The operand that is the same for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Constant {
    Int(i64),
    Bool(bool),
    /// A text, by the number of its leaf.
    Text(u32),
}

/// What is done to a diagram of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Operation {
    operator: Operator,
    constant: Constant,
    is_constant_left: bool,
    shape: Shape,
}

/// What becomes of it.
#[derive(Debug, Clone, Copy)]
enum Becomes {
    Shape(Shape),
    Bool(bool),
}

/// Operations that were carried out lately, the latest last.
#[derive(Debug, Default)]
pub(super) struct KnownShapes(Vec<(Operation, Becomes)>);

/// More are forgotten: they are looked through one after the other.
const MOST_KNOWN: usize = 16;

/// `left operator right`, which `work_out` finds; if one of them asks one choice and the other is a constant, it is
/// the same for all choices that are asked in the same way.
pub(super) fn by_shape<S: Scalar>(
    state: &mut State<S>,
    operator: Operator,
    left: &Value<S>,
    right: &Value<S>,
    work_out: &mut dyn FnMut(&mut State<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    // In some worlds only, a value is what it is there.
    let everywhere = |state: &State<S>| state.worlds.active == Diagram::TRUE && state.worlds.failed == Diagram::FALSE;
    let (diagram, constant, is_constant_left) = match (left, right) {
        (Value::Choice(Chosen::Diagram(diagram)), constant) => (*diagram, constant, false),
        (constant, Value::Choice(Chosen::Diagram(diagram))) => (*diagram, constant, true),
        _ => return work_out(state),
    };
    let constant = match constant {
        Value::Int(value) => Constant::Int(*value),
        Value::Bool(value) => Constant::Bool(*value),
        text @ Value::Text(_) => Constant::Text(choices::leaf(state, text)),
        _ => return work_out(state),
    };
    let Some((choice, shape)) = state.worlds.diagrams.single(diagram).filter(|_| everywhere(state)) else {
        return work_out(state);
    };
    let operation = Operation { operator, constant, is_constant_left, shape };
    let known = state.worlds.known_shapes.0.iter().rev().find(|(known, _)| *known == operation);
    match known.map(|(_, becomes)| *becomes) {
        Some(Becomes::Bool(value)) => {
            state.budget.spend_steps(1)?;
            return Ok(Value::Bool(value));
        }
        Some(Becomes::Shape(shape)) => {
            state.budget.spend_steps(1)?;
            let result = state.worlds.diagrams.shaped(choice, shape);
            return Ok(choices::settle(
                state,
                result.map_err(|too_wide| choices::too_wide(state, too_wide, &[diagram]))?,
            ));
        }
        None => {}
    }
    let result = work_out(state)?;
    let becomes = match &result {
        Value::Bool(value) => Some(Becomes::Bool(*value)),
        Value::Choice(Chosen::Diagram(result)) => {
            let single = state.worlds.diagrams.single(*result).filter(|(asked, _)| *asked == choice);
            single.map(|(_, shape)| Becomes::Shape(shape))
        }
        _ => None,
    };
    if let Some(becomes) = becomes.filter(|_| everywhere(state)) {
        let known = &mut state.worlds.known_shapes.0;
        if known.len() >= MOST_KNOWN {
            known.remove(0);
        }
        known.push((operation, becomes));
    }
    Ok(result)
}
