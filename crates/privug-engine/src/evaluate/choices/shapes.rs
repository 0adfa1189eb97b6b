//! The same operation on many people who are asked the same: it is carried out once, and known for everybody after that.

use super::Chosen;
use crate::choices::{Diagram, Shape};
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

impl<S: Scalar> State<S> {
    /// `left operator right`, which `work_out` finds; if one of them asks one choice and the other is a constant, it is
    /// the same for all choices that are asked in the same way.
    pub(super) fn by_shape(
        &mut self,
        operator: Operator,
        left: &Value<S>,
        right: &Value<S>,
        work_out: &mut dyn FnMut(&mut Self) -> Outcome<Value<S>>,
    ) -> Outcome<Value<S>> {
        // In some worlds only, a value is what it is there.
        let everywhere = |state: &Self| state.worlds.active == Diagram::TRUE && state.worlds.failed == Diagram::FALSE;
        let (diagram, constant, is_constant_left) = match (left, right) {
            (Value::Choice(Chosen::Diagram(diagram)), constant) => (*diagram, constant, false),
            (constant, Value::Choice(Chosen::Diagram(diagram))) => (*diagram, constant, true),
            _ => return work_out(self),
        };
        let constant = match constant {
            Value::Int(value) => Constant::Int(*value),
            Value::Bool(value) => Constant::Bool(*value),
            text @ Value::Text(_) => Constant::Text(self.leaf(text)),
            _ => return work_out(self),
        };
        let Some((choice, shape)) = self.worlds.diagrams.single(diagram).filter(|_| everywhere(self)) else {
            return work_out(self);
        };
        let operation = Operation { operator, constant, is_constant_left, shape };
        let known = self.worlds.known_shapes.0.iter().rev().find(|(known, _)| *known == operation);
        match known.map(|(_, becomes)| *becomes) {
            Some(Becomes::Bool(value)) => {
                self.budget.spend_steps(1)?;
                return Ok(Value::Bool(value));
            }
            Some(Becomes::Shape(shape)) => {
                self.budget.spend_steps(1)?;
                let result = self.worlds.diagrams.shaped(choice, shape);
                return Ok(self.settle(result.map_err(|too_wide| self.too_wide(too_wide, &[diagram]))?));
            }
            None => {}
        }
        let result = work_out(self)?;
        let becomes = match &result {
            Value::Bool(value) => Some(Becomes::Bool(*value)),
            Value::Choice(Chosen::Diagram(result)) => {
                let single = self.worlds.diagrams.single(*result).filter(|(asked, _)| *asked == choice);
                single.map(|(_, shape)| Becomes::Shape(shape))
            }
            _ => None,
        };
        if let Some(becomes) = becomes.filter(|_| everywhere(self)) {
            let known = &mut self.worlds.known_shapes.0;
            if known.len() >= MOST_KNOWN {
                known.remove(0);
            }
            known.push((operation, becomes));
        }
        Ok(result)
    }
}
