//! Operators whose operands depend on choices.

use super::lift::as_element;
use super::matrices::{shape_together, stretched};
use super::shapes::Operator;
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

impl<S: Scalar> State<S> {
    /// `left operator right` where one of them depends on choices.
    pub(in crate::evaluate) fn binary_choices(
        &mut self,
        operator: Binary,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Value<S>> {
        if let Some(sum) = self.sum_of(operator, left, right)? {
            return Ok(sum);
        }
        self.by_shape(Operator::Binary(operator), left, right, &mut |state| {
            let values = [state.expanded(left, 0)?, state.expanded(right, 0)?];
            state.lift(&values, false, &mut |state, values| state.binary(operator, &values[0], &values[1]))
        })
    }

    /// An operator on arrays that hold choices, element by element.
    pub(in crate::evaluate) fn array_choices(
        &mut self,
        left: &Value<S>,
        right: &Value<S>,
        kind: Kind,
        operation: &mut dyn FnMut(&mut Self, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
    ) -> Outcome<Value<S>> {
        let side = |state: &mut Self, value: &Value<S>| -> Outcome<Option<(Vec<Value<S>>, Vec<usize>)>> {
            Ok(match value {
                Value::Array(handle) => {
                    let array = state.heap.array(*handle).clone();
                    Some((state.heap.array_values(&array), array.shape))
                }
                Value::List(_) | Value::Tuple(_) => {
                    let elements = state.elements(value)?;
                    let length = elements.len();
                    Some((elements, vec![length]))
                }
                _ => None,
            })
        };
        let (a, b) = (side(self, left)?, side(self, right)?);
        let shape = match (&a, &b) {
            (Some((_, a)), Some((_, b))) => shape_together(a, b)?,
            (Some((_, shape)), None) | (None, Some((_, shape))) => shape.clone(),
            (None, None) => vec![0],
        };
        let size: usize = shape.iter().product();
        let mut elements = Vec::with_capacity(size);
        for place in 0..size {
            let at = |side: &Option<(Vec<Value<S>>, Vec<usize>)>, single: &Value<S>| match side {
                Some((elements, own)) => elements[stretched(place, &shape, own)].plain(),
                None => single.plain(),
            };
            let element = operation(self, &at(&a, left), &at(&b, right))?;
            elements.push(as_element(&element, kind));
        }
        self.new_array(elements, shape, kind)
    }

    /// Whether numpy would join booleans by `or` where Python adds them.
    pub(in crate::evaluate) fn refuse_boolean_sum(&self, left: &Value<S>, right: &Value<S>) -> Outcome<()> {
        let is_boolean = |value: &Value<S>| {
            matches!(value, Value::Array(handle) if self.heap.array(*handle).kind == Kind::Bool)
                || matches!(value, Value::Bool(_) | Value::NumpyBool(_))
        };
        if is_boolean(left) && is_boolean(right) {
            let message = "two arrays of booleans are joined by arithmetic, which numpy does not do as Python does";
            return Err(Fault::hinted(Code::TypeMismatch, message, "count with `sum(...)`"));
        }
        Ok(())
    }

    /// `left operator right`
    pub(in crate::evaluate) fn compare_choices(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Value<S>> {
        if let Some(event) = self.compare_sum(operator, left, right)? {
            return Ok(event);
        }
        if let Comparison::Equal | Comparison::NotEqual = operator
            && let Some(event) = self.tally_equals(left, right)?
        {
            let event = if operator == Comparison::Equal { event } else { self.negation(event)? };
            return Ok(self.settle(event));
        }
        if let Some(result) = self.compare_sets(operator, left, right)? {
            return Ok(result);
        }
        if let (Comparison::In | Comparison::NotIn, Value::Set(set)) = (operator, right) {
            let found = self.in_set(left, *set)?;
            if operator == Comparison::In {
                return Ok(found);
            }
            let found = self.truth_event(&found)?;
            let missing = self.negation(found)?;
            return Ok(self.settle(missing));
        }
        if let (Comparison::In | Comparison::NotIn, Value::List(_) | Value::Tuple(_) | Value::Array(_)) =
            (operator, right)
        {
            let mut found = Diagram::FALSE;
            for element in self.elements(right)? {
                let equal = self.equal_element(left, &element)?;
                found = self.disjunction(found, equal)?;
            }
            let result = if operator == Comparison::NotIn { self.negation(found)? } else { found };
            return Ok(self.settle(result));
        }
        self.by_shape(Operator::Comparison(operator), left, right, &mut |state| {
            let values = [state.expanded(left, 0)?, state.expanded(right, 0)?];
            state.lift(&values, false, &mut |state, values| state.compare(operator, &values[0], &values[1]))
        })
    }

    /// The worlds in which an element of a list is there and equal to a value.
    pub(super) fn equal_element(&mut self, value: &Value<S>, element: &Value<S>) -> Outcome<Diagram> {
        let present = self.presence(element)?;
        if present == Diagram::FALSE {
            return Ok(Diagram::FALSE);
        }
        let active = self.worlds.active;
        let running = self.running()?;
        let here = self.conjunction(running, present)?;
        if here == Diagram::FALSE {
            return Ok(Diagram::FALSE);
        }
        self.worlds.active = here;
        let equal = self.compare(Comparison::Equal, element, value).and_then(|equal| self.truth_event(&equal));
        self.worlds.active = active;
        self.conjunction(present, equal?)
    }

    pub(in crate::evaluate) fn conjunction(&mut self, a: Diagram, b: Diagram) -> Outcome<Diagram> {
        self.worlds.diagrams.and(a, b).map_err(|too_wide| self.too_wide(too_wide, &[a, b]))
    }

    pub(in crate::evaluate) fn disjunction(&mut self, a: Diagram, b: Diagram) -> Outcome<Diagram> {
        self.worlds.diagrams.or(a, b).map_err(|too_wide| self.too_wide(too_wide, &[a, b]))
    }

    pub(in crate::evaluate) fn negation(&mut self, event: Diagram) -> Outcome<Diagram> {
        self.worlds.diagrams.not(event).map_err(|too_wide| self.too_wide(too_wide, &[event]))
    }
}

impl<S: Scalar> State<S> {
    /// Arithmetic that involves choices, if this does.
    pub(in crate::evaluate) fn binary_on_choices(
        &mut self,
        operator: Binary,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Option<Value<S>>> {
        let is_array = matches!(left, Value::Array(_)) || matches!(right, Value::Array(_));
        if is_array && (self.holds_choice(left, 0) || self.holds_choice(right, 0)) {
            if operator == Binary::MatrixMultiply {
                return self.matrix_product(left, right).map(Some);
            }
            self.refuse_boolean_sum(left, right)?;
            let kind = match operator {
                Binary::Divide => Kind::Float,
                Binary::Add
                | Binary::Subtract
                | Binary::Multiply
                | Binary::FloorDivide
                | Binary::Remainder
                | Binary::Power
                | Binary::MatrixMultiply => {
                    self.kind_of_operand(left)?.max(self.kind_of_operand(right)?).max(Kind::Int)
                }
            };
            let result = self.array_choices(left, right, kind, &mut |state, a, b| state.binary(operator, a, b));
            return result.map(Some);
        }
        if Self::is_choice(left) || Self::is_choice(right) {
            return self.binary_choices(operator, left, right).map(Some);
        }
        Ok(None)
    }

    /// A comparison that involves choices, if this does.
    pub(in crate::evaluate) fn compare_on_choices(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Option<Value<S>>> {
        let elementwise = !matches!(operator, Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot);
        let is_array = matches!(left, Value::Array(_)) || matches!(right, Value::Array(_));
        if elementwise && is_array && (self.holds_choice(left, 0) || self.holds_choice(right, 0)) {
            let result = self.array_choices(left, right, Kind::Bool, &mut |state, a, b| state.compare(operator, a, b));
            return result.map(Some);
        }
        if self.holds_choice(left, 0) || self.holds_choice(right, 0) {
            return self.compare_choices(operator, left, right).map(Some);
        }
        Ok(None)
    }

    /// Which of two is larger, where a Gaussian variable is one of them: a random event. Tables have their own rules.
    pub(in crate::evaluate) fn compare_gaussians(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Option<Value<S>>> {
        let orders = match operator {
            Comparison::Less | Comparison::LessEqual | Comparison::Greater | Comparison::GreaterEqual => true,
            Comparison::Equal
            | Comparison::NotEqual
            | Comparison::In
            | Comparison::NotIn
            | Comparison::Is
            | Comparison::IsNot => false,
        };
        if !orders || self.tables.publishes_rows {
            return Ok(None);
        }
        let is_number = |state: &Self, value: &Value<S>| value.as_random().is_some() || state.number(value).is_some();
        match (left.as_random().is_some(), right.as_random().is_some()) {
            (true, _) if is_number(self, right) => self.threshold(operator, left, right).map(Some),
            (_, true) if is_number(self, left) => self.threshold(operator, left, right).map(Some),
            _ => {
                let has_random = |value: &Value<S>| match value {
                    Value::Array(handle) => {
                        let array = self.heap.array(*handle);
                        array.kind == Kind::Float
                            && self.heap.array_values(array).iter().any(|element| element.as_random().is_some())
                    }
                    _ => false,
                };
                if has_random(left) || has_random(right) {
                    let result =
                        self.array_choices(left, right, Kind::Bool, &mut |state, a, b| state.compare(operator, a, b));
                    return result.map(Some);
                }
                Ok(None)
            }
        }
    }
}
