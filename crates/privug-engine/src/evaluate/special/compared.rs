//! Comparisons of objects: by their own functions, by their parts where they are records, or by which one it is.

use super::Step;
use crate::choices::Diagram;
use crate::evaluate::fault::Outcome;
use crate::evaluate::running::{Machine, Stop};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{choices, compare, containers};
use crate::number::Scalar;
use privug_language::program::{Comparison, MISSING_FIELD};

impl<'p, S: Scalar> Machine<'p, S> {
    pub(in crate::evaluate) fn compared_here(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Step<S> {
        match operator {
            Comparison::Is | Comparison::IsNot => Ok(compare::compare(&mut self.state, operator, left, right)),
            Comparison::In => self.membership(left, right),
            Comparison::NotIn => match self.membership(left, right)? {
                Ok(found) => Ok(self.opposite_of(&found)),
                Err(fault) => Ok(Err(fault)),
            },
            Comparison::Equal
            | Comparison::NotEqual
            | Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual => {
                let Some((own, others)) = operator.names() else { return Ok(Ok(Value::Poison)) };
                // Whether a field was given is asked by nobody but the record that is being made.
                if self.is_missing_field(right) {
                    return Ok(Ok(Value::Bool(operator == Comparison::NotEqual)));
                }
                let mut attempts = vec![(left, own, right), (right, others, left)];
                if self.is_right_first(left, right, others) {
                    attempts.swap(0, 1);
                }
                self.asked_in_turn(&attempts, &mut |machine| machine.compared_as_records(operator, left, right))
            }
        }
    }

    pub(super) fn is_missing_field(&self, value: &Value<S>) -> bool {
        matches!(value, Value::Text(text) if self.state.heap.text(*text).starts_with(MISSING_FIELD))
    }

    /// Comparisons that no function of the program answers.
    pub(super) fn compared_as_records(&mut self, operator: Comparison, left: &Value<S>, right: &Value<S>) -> Step<S> {
        let (left, right) = (&self.as_tuple(left)?, &self.as_tuple(right)?);
        let alike = match (left, right) {
            (Value::Object(_, a), Value::Object(_, b)) if a == b => Some(self.class(*a)),
            _ => None,
        };
        match (operator, left, right) {
            (Comparison::NotEqual, Value::Object(..), _) | (Comparison::NotEqual, _, Value::Object(..)) => {
                match self.compared_here(Comparison::Equal, left, right)? {
                    Ok(equal) => Ok(self.opposite_of(&equal)),
                    Err(fault) => Ok(Err(fault)),
                }
            }
            (Comparison::Equal, Value::Object(one, _), Value::Object(other, _)) => match alike {
                Some(class) if class.is_compared => {
                    let (left, right) = (self.fields_of(left), self.fields_of(right));
                    self.all_equal(left, right)
                }
                _ => Ok(Ok(Value::Bool(one == other))),
            },
            (Comparison::Equal, Value::Object(..), _) | (Comparison::Equal, _, Value::Object(..)) => {
                Ok(Ok(Value::Bool(false)))
            }
            (Comparison::Equal | Comparison::NotEqual, Value::Tuple(a), Value::Tuple(b))
            | (Comparison::Equal | Comparison::NotEqual, Value::List(a), Value::List(b))
                if self.has_objects_in(left) || self.has_objects_in(right) =>
            {
                let (a, b) = (self.state.heap.sequence(*a).to_vec(), self.state.heap.sequence(*b).to_vec());
                let equal = if a.len() == b.len() { self.all_equal(a, b)? } else { Ok(Value::Bool(false)) };
                match (equal, operator) {
                    (Ok(equal), Comparison::NotEqual) => Ok(self.opposite_of(&equal)),
                    (equal, _) => Ok(equal),
                }
            }
            (Comparison::Less | Comparison::LessEqual | Comparison::Greater | Comparison::GreaterEqual, _, _)
                if alike.is_some_and(|class| class.is_ordered) =>
            {
                let (left, right) = (self.fields_of(left), self.fields_of(right));
                let (left, right) = match (self.state.tuple(left), self.state.tuple(right)) {
                    (Ok(left), Ok(right)) => (left, right),
                    (Err(fault), _) | (_, Err(fault)) => return Ok(Err(fault)),
                };
                let is_less = matches!(operator, Comparison::Less | Comparison::GreaterEqual);
                let (first, second) = if is_less { (left, right) } else { (right, left) };
                let precedes = self.for_objects("_precedes", vec![first, second])?;
                match (precedes, operator) {
                    (Ok(precedes), Comparison::LessEqual | Comparison::GreaterEqual) => Ok(self.opposite_of(&precedes)),
                    (precedes, _) => Ok(precedes),
                }
            }
            _ => Ok(compare::compare(&mut self.state, operator, left, right)),
        }
    }

    /// `item in container`
    pub(super) fn membership(&mut self, item: &Value<S>, container: &Value<S>) -> Step<S> {
        if let Some(found) = self.asked(container, "__contains__", std::slice::from_ref(item))? {
            return match found {
                Ok(found) => self.each(vec![found], 0, &mut |machine, found| machine.truth_here(&found[0])),
                Err(fault) => Ok(Err(fault)),
            };
        }
        let list = match self.elements_here(container, false)? {
            Ok(list) => list,
            Err(fault) => return Ok(Err(fault)),
        };
        if !matches!(list, Value::List(_) | Value::Tuple(_)) {
            return Ok(compare::compare(&mut self.state, Comparison::In, item, &list));
        }
        if !self.may_be_object(item) && !self.has_objects_in(&list) {
            return Ok(compare::compare(&mut self.state, Comparison::In, item, &list));
        }
        let elements = match containers::elements(&mut self.state, &list) {
            Ok(elements) => elements,
            Err(fault) => return Ok(Err(fault)),
        };
        let pairs = elements.into_iter().map(|element| (element, item.clone())).collect();
        let event = self.first_of(pairs, true)?;
        Ok(event.map(|event| choices::settle(&self.state, event)))
    }

    /// Whether all parts are equal, which are asked one after the other until two are not.
    pub(super) fn all_equal(&mut self, left: Vec<Value<S>>, right: Vec<Value<S>>) -> Step<S> {
        let differs = self.first_of(left.into_iter().zip(right).collect(), false)?;
        let equal = differs.and_then(|event| choices::operators::negation(&mut self.state, event));
        Ok(equal.map(|event| choices::settle(&self.state, event)))
    }

    /// The worlds in which some pair is equal, or some pair is not. Each pair is compared in the worlds that go on until then.
    pub(super) fn first_of(&mut self, pairs: Vec<(Value<S>, Value<S>)>, equal: bool) -> Result<Outcome<Diagram>, Stop> {
        let active = self.state.worlds.active;
        let found = self.first_among(pairs, equal, active);
        self.state.worlds.active = active;
        found
    }

    pub(super) fn first_among(
        &mut self,
        pairs: Vec<(Value<S>, Value<S>)>,
        equal: bool,
        active: Diagram,
    ) -> Result<Outcome<Diagram>, Stop> {
        let mut found = Diagram::FALSE;
        for (left, right) in pairs {
            let going = (|state: &mut State<S>| {
                let present = choices::lift::presence(state, &left)?;
                let open = choices::operators::negation(state, found)?;
                let here = choices::operators::conjunction(state, active, open)?;
                choices::operators::conjunction(state, here, present)
            })(&mut self.state);
            let going = match going {
                Ok(going) => going,
                Err(fault) => return Ok(Err(fault)),
            };
            if going == Diagram::FALSE {
                continue;
            }
            self.state.worlds.active = going;
            let same = matches!((&left, &right), (Value::Object(a, _), Value::Object(b, _)) if a == b);
            let answer = if same {
                Ok(Value::Bool(true))
            } else {
                let values = vec![left, right];
                self.each(values, 0, &mut |machine, values| match values {
                    [Value::Object(a, _), Value::Object(b, _)] if a == b => Ok(Ok(Value::Bool(true))),
                    [left, right] => match machine.compared_here(Comparison::Equal, left, right)? {
                        Ok(answer) => machine.each(vec![answer], 0, &mut |machine, it| machine.truth_here(&it[0])),
                        fault => Ok(fault),
                    },
                    _ => Ok(Ok(Value::Poison)),
                })?
            };
            let event = answer.and_then(|answer| {
                let state = &mut self.state;
                let event = choices::truth_event(state, &answer)?;
                let event = if equal { event } else { choices::operators::negation(state, event)? };
                let here = choices::operators::conjunction(state, going, event)?;
                choices::operators::disjunction(state, found, here)
            });
            match event {
                Ok(event) => found = event,
                Err(fault) => return Ok(Err(fault)),
            }
        }
        Ok(Ok(found))
    }

    /// `not value`
    pub(super) fn opposite_of(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        if matches!(value, Value::Choice(_)) {
            let event = choices::truth_event(&mut self.state, value)?;
            let opposite = choices::operators::negation(&mut self.state, event)?;
            return Ok(choices::settle(&self.state, opposite));
        }
        compare::truth(&self.state, value).map(|truth| Value::Bool(!truth))
    }
}
