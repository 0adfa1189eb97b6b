//! Arrays that hold choices: what they hold, and numpy's `&`, `|`, `^` and `~` on them.

use super::Chosen;
use crate::evaluate::fault::Outcome;
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::program::Logic;

impl<S: Scalar> State<S> {
    /// What an array of these elements holds.
    pub(super) fn kind_of_elements(&mut self, elements: &[Value<S>]) -> Outcome<Kind> {
        let mut kind = Kind::Bool;
        for element in elements {
            kind = kind.max(self.kind_of_operand(element)?);
        }
        Ok(kind)
    }

    /// Whether a value that depends on choices is an element of such an array as it is, in all worlds.
    pub(in crate::evaluate) fn fits(&self, value: &Value<S>, kind: Kind) -> bool {
        let is_element = |value: &Value<S>| match value {
            Value::Bool(_) | Value::NumpyBool(_) => kind == Kind::Bool,
            Value::Int(_) | Value::NumpyInt(_) => kind == Kind::Int,
            Value::NumpyFloat(_) | Value::Float(_) => kind == Kind::Float,
            _ => false,
        };
        match value {
            Value::Choice(Chosen::Diagram(diagram)) => {
                let leaves = self.worlds.diagrams.leaves_of(*diagram);
                leaves.iter().all(|leaf| is_element(&self.worlds.leaves[*leaf as usize]))
            }
            Value::Choice(Chosen::Sum(_)) => kind == Kind::Int,
            _ => false,
        }
    }

    /// What an operand counts as in an array.
    pub(super) fn kind_of_operand(&mut self, value: &Value<S>) -> Outcome<Kind> {
        Ok(match value {
            Value::Array(handle) => self.heap.array(*handle).kind,
            Value::List(_) | Value::Tuple(_) => {
                let elements = self.elements(value)?;
                self.kind_of_elements(&elements)?
            }
            Value::Choice(Chosen::Sum(_) | Chosen::Pick(_)) => Kind::Int,
            Value::Choice(Chosen::Diagram(diagram)) => {
                let mut kind = Kind::Bool;
                for leaf in self.worlds.diagrams.leaves_of(*diagram) {
                    let leaf = self.worlds.leaves[leaf as usize].clone();
                    kind = kind.max(self.kind_of_operand(&leaf)?);
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
    pub(in crate::evaluate) fn logic_on_choices(
        &mut self,
        operator: Logic,
        left: &Value<S>,
        right: &Value<S>,
        in_place: bool,
    ) -> Outcome<Value<S>> {
        if matches!(left, Value::Array(_)) || matches!(right, Value::Array(_)) {
            let kind = self.kind_of_operand(left)?.max(self.kind_of_operand(right)?);
            return self.array_choices(left, right, kind, &mut |state, a, b| state.logic_of(operator, a, b, false));
        }
        let values = [self.expanded(left, 0)?, self.expanded(right, 0)?];
        self.lift(&values, in_place, &mut |state, values| state.logic_of(operator, &values[0], &values[1], in_place))
    }

    /// `~value`, where it depends on choices.
    pub(in crate::evaluate) fn inverted_choices(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        if let Value::Array(handle) = value {
            let kind = self.heap.array(*handle).kind;
            return self.array_choices(value, &Value::None, kind, &mut |state, element, _| match kind {
                Kind::Bool => {
                    let event = state.truth_event(element)?;
                    let opposite = state.negation(event)?;
                    Ok(state.settle(opposite))
                }
                Kind::Int | Kind::Float | Kind::Text => state.inverted(element),
            });
        }
        let value = [self.expanded(value, 0)?];
        self.lift(&value, false, &mut |state, values| state.inverted(&values[0]))
    }
}
