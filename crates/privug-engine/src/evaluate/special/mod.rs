//! What Python calls by itself: functions of classes such as `__eq__`, `__add__` and `__iter__`, and what records have instead.
//!
//! An object may be another one in other worlds: each of them is asked in its worlds, and what they answer is put together.

mod compared;
mod functions;
mod records;

use std::rc::Rc;

use super::callbacks::{Callable, positional};
use super::choices::{self, Chosen};
use super::fault::Outcome;
use super::frame::Frame;
use super::running::{Machine, Stop, read};
use super::value::Value;
use super::{arithmetic, containers, ndarray, statements};
use crate::choices::Diagram;
use crate::number::Scalar;
use privug_language::program::{
    Binary, Builtin, Class, ClassId, Comparison, Instruction, Logic, MethodKind, Operand, OperatorNames, Shown,
};

/// What a step gives, or the fault that it ends with.
type Step<S> = Result<Outcome<Value<S>>, Stop>;

/// An operator with two operands.
#[derive(Clone, Copy)]
enum Operator {
    Binary(Binary),
    Logic(Logic),
}

impl Operator {
    fn names(self) -> OperatorNames {
        match self {
            Operator::Binary(operator) => operator.names(),
            Operator::Logic(operator) => operator.names(),
        }
    }
}

impl<'p, S: Scalar> Machine<'p, S> {
    fn class(&self, id: ClassId) -> &'p Class {
        &self.program.classes[id.0 as usize]
    }

    /// Whether a value is an object of a class of the program, perhaps in some worlds only.
    fn may_be_object(&self, value: &Value<S>) -> bool {
        match value {
            Value::Object(_, class) => !self.class(*class).is_written,
            Value::Choice(Chosen::Diagram(diagram)) => self.has_objects(*diagram),
            _ => false,
        }
    }

    /// The steps that ask objects, in the place of the ordinary ones; false if none of these values is an object.
    pub(in crate::evaluate) fn asked_of_objects(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        instruction: Instruction,
    ) -> Result<bool, Stop> {
        let base = frame.base;
        let value_of =
            |machine: &Self, operand: Operand| read(&machine.registers, &machine.literals, base, operand).clone();
        let (to, values): (_, Vec<Value<S>>) = match instruction {
            // Which one it is, nobody has to be asked.
            Instruction::Compare { operator: Comparison::Is | Comparison::IsNot, .. } => return Ok(false),
            Instruction::Binary { to, left, right, .. }
            | Instruction::Logic { to, left, right, .. }
            | Instruction::Compare { to, left, right, .. } => {
                (Some(to), vec![value_of(self, left), value_of(self, right)])
            }
            Instruction::Index { to, object, index } => (Some(to), vec![value_of(self, object), value_of(self, index)]),
            Instruction::SetIndex { object, index, value } => {
                (None, vec![value_of(self, object), value_of(self, index), value_of(self, value)])
            }
            Instruction::Negate { to, from } | Instruction::Plus { to, from } | Instruction::Invert { to, from } => {
                (Some(to), vec![value_of(self, from)])
            }
            Instruction::Not { to, from } | Instruction::Format { to, from, .. } => {
                (Some(to), vec![value_of(self, from)])
            }
            Instruction::Slice { to, object, .. } => (Some(to), vec![value_of(self, object)]),
            Instruction::CallBuiltin { to, builtin, shape, first } => {
                let count = self.program.call_shapes[shape as usize].spans.len();
                let first = base + first as usize;
                if !self.looks_at_objects(builtin, &self.registers[first..first + count]) {
                    return Ok(false);
                }
                self.find_functions(first, count)?;
                (Some(to), self.registers[first..first + count].to_vec())
            }
            _ => return Ok(false),
        };
        let is_poisoned = |value: &Value<S>| matches!(value, Value::Poison | Value::Unbound);
        if values.iter().any(is_poisoned) {
            return Ok(false);
        }
        let asks = match instruction {
            Instruction::CallBuiltin { .. } => true,
            Instruction::Compare { operator: Comparison::In | Comparison::NotIn, .. } => {
                self.may_be_object(&values[0]) || self.may_be_object(&values[1]) || self.has_objects_in(&values[1])
            }
            Instruction::Compare { operator: Comparison::Equal | Comparison::NotEqual, .. } => {
                values.iter().any(|value| self.may_be_object(value) || self.has_objects_in(value))
            }
            Instruction::Index { .. } | Instruction::SetIndex { .. } => self.may_be_object(&values[0]),
            _ => values.iter().any(|value| self.may_be_object(value)),
        };
        if !asks {
            return Ok(false);
        }
        self.passes_on = true;
        let result = self.above(frame, callers, |machine| {
            let bounds = match instruction {
                Instruction::Slice { bounds, .. } => {
                    let first = base + bounds as usize;
                    machine.registers[first..first + 3].to_vec()
                }
                _ => Vec::new(),
            };
            machine.each(values, 0, &mut |machine, values| machine.asked_here(instruction, values, &bounds))
        })?;
        match to {
            Some(to) => self.store(base, to, result)?,
            None => result.map(|_| ()).or_else(|fault| self.fail(fault))?,
        }
        Ok(true)
    }

    /// Carries something out once for each object that these values are here, in its worlds.
    fn each(
        &mut self,
        mut values: Vec<Value<S>>,
        from: usize,
        run: &mut dyn FnMut(&mut Self, &[Value<S>]) -> Step<S>,
    ) -> Step<S> {
        for place in from..values.len() {
            let Value::Choice(Chosen::Diagram(diagram)) = values[place] else { continue };
            if !self.has_objects(diagram) && !self.has_objects_in(&values[place]) {
                continue;
            }
            values[place] = self.seen_here(values[place].clone())?;
            if matches!(values[place], Value::Choice(_)) {
                return self.in_worlds_of(diagram, &mut |machine, here| {
                    let mut values = values.clone();
                    values[place] = here.clone();
                    machine.each(values, place + 1, run)
                });
            }
        }
        run(self, &values)
    }

    fn asked_here(&mut self, instruction: Instruction, values: &[Value<S>], bounds: &[Value<S>]) -> Step<S> {
        match (instruction, values) {
            (Instruction::Binary { operator, in_place, .. }, [left, right]) => {
                self.operated_here(Operator::Binary(operator), in_place, left, right)
            }
            (Instruction::Logic { operator, in_place, .. }, [left, right]) => {
                self.operated_here(Operator::Logic(operator), in_place, left, right)
            }
            (Instruction::Compare { operator, .. }, [left, right]) => self.compared_here(operator, left, right),
            (Instruction::Index { .. }, [object, index]) => {
                if let Some(found) = self.asked(object, "__getitem__", std::slice::from_ref(index))? {
                    return Ok(found);
                }
                let object = self.as_tuple(object)?;
                Ok(containers::index(&mut self.state, &object, index))
            }
            (Instruction::SetIndex { .. }, [object, index, value]) => {
                let given = [index.clone(), value.clone()];
                if let Some(set) = self.asked(object, "__setitem__", &given)? {
                    return Ok(set);
                }
                let set = if choices::lift::holds_choice(&self.state, index, 0) {
                    choices::calls::set_index_choices(&mut self.state, object, index, value)
                } else {
                    choices::writes::change(&mut self.state, object, |state| {
                        containers::set_index(state, object, index, value.clone())
                    })
                };
                Ok(set.map(|()| Value::None))
            }
            (Instruction::Slice { .. }, [object]) => {
                let object = self.as_tuple(object)?;
                Ok(containers::slice(&mut self.state, &object, bounds))
            }
            (Instruction::Not { .. }, [value]) => match self.truth_here(value)? {
                Ok(truth) => Ok(self.opposite_of(&truth)),
                Err(fault) => Ok(Err(fault)),
            },
            (Instruction::Format { specification, .. }, [value]) if specification.kind == Shown::Representation => {
                match self.asked(value, "__repr__", &[])? {
                    Some(found) => Ok(found),
                    None => Ok(statements::format(&mut self.state, value, specification)),
                }
            }
            (Instruction::Format { specification, .. }, [value]) => match self.text_here(value)? {
                Ok(text) if choices::calls::is_choice(&text) => {
                    let texts = std::slice::from_ref(&text);
                    Ok(choices::lift::lift(&mut self.state, texts, false, &mut |state, values| {
                        statements::format(state, &values[0], specification)
                    }))
                }
                Ok(text) => Ok(statements::format(&mut self.state, &text, specification)),
                Err(fault) => Ok(Err(fault)),
            },
            (Instruction::Negate { .. }, [value]) => match self.asked(value, "__neg__", &[])? {
                Some(found) => Ok(found),
                None => Ok(arithmetic::negative(&mut self.state, value)),
            },
            (Instruction::Plus { .. }, [value]) => match self.asked(value, "__pos__", &[])? {
                Some(found) => Ok(found),
                None => Ok(arithmetic::positive(&mut self.state, value)),
            },
            (Instruction::Invert { .. }, [value]) => match self.asked(value, "__invert__", &[])? {
                Some(found) => Ok(found),
                None => Ok(ndarray::elementwise::inverted(&mut self.state, value)),
            },
            (Instruction::CallBuiltin { builtin, shape, .. }, values) => {
                let shape = &self.program.call_shapes[shape as usize];
                self.builtin_here(builtin, shape, values)
            }
            // Others were left alone.
            _ => Ok(Ok(Value::Poison)),
        }
    }

    /// What a function of an object gives, if its class has it.
    fn asked(&mut self, object: &Value<S>, name: &str, values: &[Value<S>]) -> Result<Option<Outcome<Value<S>>>, Stop> {
        let Value::Object(_, class) = object else { return Ok(None) };
        let Some((MethodKind::Bound, function)) = self.class(*class).method(name) else { return Ok(None) };
        let callee = Value::Function(Rc::new(Callable::OfFile { function, seen: vec![object.clone()] }));
        self.call_value(&callee, &positional(values.len()), values.to_vec()).map(Some)
    }

    /// Asks one object after the other, until one does not say `NotImplemented`.
    fn asked_in_turn(
        &mut self,
        attempts: &[(&Value<S>, &str, &Value<S>)],
        otherwise: &mut dyn FnMut(&mut Self) -> Step<S>,
    ) -> Step<S> {
        let [(object, name, other), rest @ ..] = attempts else { return otherwise(self) };
        match self.asked(object, name, std::slice::from_ref(*other))? {
            None => self.asked_in_turn(rest, otherwise),
            Some(Ok(answer)) if is_not_implemented(&answer) => self.asked_in_turn(rest, otherwise),
            Some(Ok(Value::Choice(Chosen::Diagram(diagram)))) if self.may_be_not_implemented(diagram) => self
                .in_worlds_of(diagram, &mut |machine, here| match is_not_implemented(here) {
                    true => machine.asked_in_turn(rest, otherwise),
                    false => Ok(Ok(here.clone())),
                }),
            Some(answer) => Ok(answer),
        }
    }

    fn may_be_not_implemented(&self, diagram: Diagram) -> bool {
        let worlds = &self.state.worlds;
        worlds.diagrams.leaves_of(diagram).iter().any(|leaf| is_not_implemented(&worlds.leaves[*leaf as usize]))
    }

    /// Whether the right is asked first: its class inherits from the left's, and has a function of its own.
    fn is_right_first(&self, left: &Value<S>, right: &Value<S>, name: &str) -> bool {
        let (Value::Object(_, left), Value::Object(_, right)) = (left, right) else { return false };
        let mut above = self.class(*right).parent;
        while let Some(class) = above {
            if class == *left {
                return self.class(*left).method(name) != self.class(*right).method(name);
            }
            above = self.class(class).parent;
        }
        false
    }

    fn operated_here(&mut self, operator: Operator, in_place: bool, left: &Value<S>, right: &Value<S>) -> Step<S> {
        let names = operator.names();
        let mut attempts = Vec::new();
        if in_place {
            attempts.push((left, names.in_place, right));
        }
        let is_right_first = self.is_right_first(left, right, names.right);
        if is_right_first {
            attempts.push((right, names.right, left));
        }
        attempts.push((left, names.left, right));
        let are_alike = matches!((left, right), (Value::Object(_, a), Value::Object(_, b)) if a == b);
        if !is_right_first && !are_alike {
            attempts.push((right, names.right, left));
        }
        self.asked_in_turn(&attempts, &mut |machine| {
            let (left, right) = (machine.as_tuple(left)?, machine.as_tuple(right)?);
            let state = &mut machine.state;
            Ok(match operator {
                Operator::Binary(operator) if in_place => choices::writes::change(state, &left, |state| {
                    ndarray::elementwise::binary_in_place(state, operator, &left, &right)
                }),
                Operator::Binary(operator) => arithmetic::binary(state, operator, &left, &right),
                Operator::Logic(operator) => ndarray::elementwise::logic_of(state, operator, &left, &right, in_place),
            })
        })
    }
}

fn is_not_implemented<S>(value: &Value<S>) -> bool {
    let Value::Function(callable) = value else { return false };
    matches!(&**callable, Callable::OfLanguage(Builtin::NotImplemented))
}
