//! Functions of the language, conditions and loops that are given objects, or lists of them.

use std::rc::Rc;

use super::Step;
use crate::evaluate::callbacks::{Callable, is_function, positional};
use crate::evaluate::choices::Chosen;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::frame::Frame;
use crate::evaluate::running::{Machine, Stop, read};
use crate::evaluate::value::Value;
use crate::evaluate::{builtins, compare, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Comparison, MethodKind, Operand};

impl<'p, S: Scalar> Machine<'p, S> {
    /// What a condition is to Python, if it may be an object: a boolean, which may be random.
    pub(in crate::evaluate) fn truth_of_object(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        condition: Operand,
    ) -> Result<Option<Value<S>>, Stop> {
        let value = read(&self.registers, &self.literals, frame.base, condition);
        if !self.may_be_object(value) {
            return Ok(None);
        }
        let value = value.clone();
        self.passes_on = true;
        let truth = self.above(frame, callers, |machine| {
            machine.each(vec![value], 0, &mut |machine, value| machine.truth_here(&value[0]))
        })?;
        match truth {
            Ok(truth) => Ok(Some(truth)),
            Err(fault) => {
                self.give_up(fault)?;
                Ok(Some(Value::Unbound))
            }
        }
    }

    pub(super) fn truth_here(&mut self, value: &Value<S>) -> Step<S> {
        if let Some(truth) = self.asked(value, "__bool__", &[])? {
            return Ok(truth);
        }
        if let Some(length) = self.asked(value, "__len__", &[])? {
            return Ok(length
                .and_then(|length| compare::compare(&mut self.state, Comparison::NotEqual, &length, &Value::Int(0))));
        }
        match value {
            Value::Object(_, class) if !self.class(*class).is_written => {
                let class = self.class(*class);
                Ok(Ok(Value::Bool(!class.is_tuple || class.fields.as_ref().is_some_and(|fields| !fields.is_empty()))))
            }
            Value::Choice(_) | Value::Unbound | Value::Poison => Ok(Ok(value.clone())),
            other => Ok(compare::truth(&self.state, other).map(Value::Bool)),
        }
    }

    /// What a loop goes through: of an object the elements that it gives.
    pub(in crate::evaluate) fn gone_through(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        value: Value<S>,
        at_once: bool,
    ) -> Result<Outcome<Value<S>>, Stop> {
        if !self.may_be_object(&value) {
            return Ok(Ok(value));
        }
        self.passes_on = true;
        self.above(frame, callers, |machine| {
            machine.each(vec![value], 0, &mut |machine, value| machine.elements_here(&value[0], at_once))
        })
    }

    /// What is spread over several names.
    pub(in crate::evaluate) fn fetch_parts(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        from: Operand,
    ) -> Result<Value<S>, Stop> {
        let value = self.fetch(frame.function, frame.base, from)?;
        if !self.has_classes {
            return Ok(value);
        }
        match self.gone_through(frame, callers, value, true)? {
            Ok(value) => Ok(value),
            Err(fault) => {
                self.fail(fault)?;
                Ok(Value::Poison)
            }
        }
    }

    /// The elements of an object; those of an iterator of the program only if all of them are taken before anything else
    /// happens.
    pub(super) fn elements_here(&mut self, value: &Value<S>, at_once: bool) -> Step<S> {
        let found = match self.asked(value, "__iter__", &[])? {
            Some(Ok(found)) => found,
            Some(Err(fault)) => return Ok(Err(fault)),
            None => return Ok(Ok(self.as_tuple(value)?)),
        };
        if self.may_be_object(&found) {
            if at_once {
                return self.each(vec![found], 0, &mut |machine, found| machine.gathered(&found[0]));
            }
            let message = "`__iter__` gives an object that Python would ask for one element after the other";
            let hint = "write a loop: `for x in xs: ...`";
            return Ok(Err(Fault::hinted(Code::NotIterable, message, hint)));
        }
        let list = containers::elements(&mut self.state, &found).and_then(|elements| self.state.list(elements));
        Ok(list)
    }

    /// All that an iterator of the program gives until it raises `StopIteration`.
    fn gathered(&mut self, iterator: &Value<S>) -> Step<S> {
        let next = match iterator {
            Value::Object(_, class) => self.class(*class).method("__next__"),
            _ => None,
        };
        let Some((MethodKind::Bound, function)) = next else {
            let message = format!("`__iter__` gives {}, which has no `__next__`", iterator.kind());
            return Ok(Err(Fault::new(Code::NotIterable, message)));
        };
        let ask = Value::Function(Rc::new(Callable::OfFile { function, seen: vec![iterator.clone()] }));
        self.for_objects("_gathered", vec![ask])
    }

    pub(super) fn has_objects_in(&self, list: &Value<S>) -> bool {
        match list {
            Value::List(handle) | Value::Tuple(handle) => {
                self.state.heap.sequence(*handle).iter().any(|element| self.may_be_object(element))
            }
            Value::Choice(Chosen::Diagram(diagram)) => {
                let worlds = &self.state.worlds;
                let leaves = worlds.diagrams.leaves_of(*diagram);
                let is_list = |value: &Value<S>| matches!(value, Value::List(_) | Value::Tuple(_));
                leaves
                    .iter()
                    .map(|leaf| &worlds.leaves[*leaf as usize])
                    .any(|leaf| is_list(leaf) && self.has_objects_in(leaf))
            }
            _ => false,
        }
    }

    /// Whether a function of the language is given objects that it has to ask something.
    pub(super) fn looks_at_objects(&self, builtin: Builtin, values: &[Value<S>]) -> bool {
        let is_one = |value: &Value<S>| self.may_be_object(value);
        match builtin {
            Builtin::Len | Builtin::Bool | Builtin::Abs | Builtin::Int | Builtin::Float | Builtin::Str => {
                values.iter().any(is_one)
            }
            Builtin::Sum | Builtin::Sorted | Builtin::Min | Builtin::Max => {
                values.iter().any(is_one) || values.first().is_some_and(|list| self.has_objects_in(list))
            }
            builtin => goes_through(builtin) && values.iter().any(is_one),
        }
    }

    pub(super) fn builtin_here(&mut self, builtin: Builtin, shape: &CallShape, values: &[Value<S>]) -> Step<S> {
        let name = match builtin {
            Builtin::Len => "__len__",
            Builtin::Abs => "__abs__",
            Builtin::Int => "__int__",
            Builtin::Float => "__float__",
            Builtin::Bool if let [value] = values => return self.truth_here(value),
            Builtin::Str if let [value @ Value::Object(..)] = values => {
                return match self.text_here(value)? {
                    Ok(text @ Value::Object(..)) => {
                        Ok(builtins::call_builtin(&mut self.state, builtin, shape, std::slice::from_ref(&text)))
                    }
                    said => Ok(said),
                };
            }
            _ => "",
        };
        if let ([value], false) = (values, name.is_empty())
            && let Some(found) = self.asked(value, name, &[])?
        {
            return Ok(found);
        }
        let order = matches!(builtin, Builtin::Sum | Builtin::Sorted | Builtin::Min | Builtin::Max);
        let are_operands = matches!(builtin, Builtin::Min | Builtin::Max) && shape.positional > 1;
        let mut given = Vec::with_capacity(values.len());
        for (place, value) in values.iter().enumerate() {
            let is_list = !(are_operands || order && place > 0);
            // An object that is called in the place of a function.
            if (order && place > 0 || calls_first(builtin) && place == 0)
                && let Some(callable) = self.callable_of(value)
            {
                given.push(Value::Function(callable));
                continue;
            }
            given.push(match is_list && name.is_empty() {
                true => match self.elements_here(value, takes_all(builtin))? {
                    Ok(elements) => elements,
                    fault => return Ok(fault),
                },
                false if name.is_empty() => value.clone(),
                false => self.as_tuple(value)?,
            });
        }
        if given.iter().any(is_function) {
            return self.builtin_with_functions(builtin, shape, &given);
        }
        if order && let Some(found) = self.ordered_here(builtin, shape, &given)? {
            return Ok(found);
        }
        Ok(builtins::call_builtin(&mut self.state, builtin, shape, &given))
    }

    /// Sums and orders of objects by their own functions; `None` if there are none, or something else is asked for.
    pub(super) fn ordered_here(
        &mut self,
        builtin: Builtin,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Option<Outcome<Value<S>>>, Stop> {
        let operands = shape.positional as usize;
        let list = match (builtin, values) {
            (Builtin::Min | Builtin::Max, values) if operands > 1 && values.len() == operands => {
                if !values.iter().any(|value| self.may_be_object(value)) {
                    return Ok(None);
                }
                let values = values.to_vec();
                self.checked(|state| state.list(values))?
            }
            (_, [list, ..]) => list.clone(),
            _ => return Ok(None),
        };
        let is_asked = self.has_objects_in(&list)
            || matches!((builtin, values), (Builtin::Sum, [_, start]) if self.may_be_object(start));
        if !is_asked {
            return Ok(None);
        }
        let result = match (builtin, &values[1..], &shape.keywords[..]) {
            (Builtin::Sum, [], []) => self.for_objects("_added", vec![list, Value::Int(0)])?,
            (Builtin::Sum, [start], _) => self.for_objects("_added", vec![list, start.clone()])?,
            (Builtin::Sorted, [], []) => self.for_objects("_arranged", vec![list, Value::Bool(false)])?,
            (Builtin::Sorted, [reverse], [name]) if name == "reverse" => {
                self.for_objects("_arranged", vec![list, reverse.clone()])?
            }
            (Builtin::Min, _, []) => self.for_objects("_smallest", vec![list])?,
            (Builtin::Max, _, []) => self.for_objects("_largest", vec![list])?,
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// Calls a function of the written module `builtins`.
    pub(super) fn for_objects(&mut self, name: &str, values: Vec<Value<S>>) -> Step<S> {
        let known = self.program.written_methods.iter().find(|(known, _)| known == name);
        let Some((_, function)) = known else { return Ok(Ok(Value::Poison)) };
        let callee = Value::Function(Rc::new(Callable::OfFile { function: *function, seen: Vec::new() }));
        self.call_value(&callee, &positional(values.len()), values)
    }

    /// What `str` gives of an object: what it says, or itself, which is refused.
    pub(super) fn text_here(&mut self, value: &Value<S>) -> Step<S> {
        for name in ["__str__", "__repr__"] {
            if let Some(text) = self.asked(value, name, &[])? {
                return Ok(text);
            }
        }
        Ok(Ok(value.clone()))
    }
}

/// Functions of the language whose first argument is a function.
fn calls_first(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Map | Builtin::Filter | Builtin::Reduce)
}

/// Functions of the language that take all elements before they do anything else.
fn takes_all(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::List
            | Builtin::Tuple
            | Builtin::Set
            | Builtin::FrozenSet
            | Builtin::Sum
            | Builtin::Sorted
            | Builtin::Counter
            | Builtin::ExactSum
            | Builtin::StatisticsMean
            | Builtin::FloatMean
    )
}

/// Functions of the language that go through what they are given.
fn goes_through(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::List
            | Builtin::Tuple
            | Builtin::Set
            | Builtin::FrozenSet
            | Builtin::Any
            | Builtin::All
            | Builtin::Enumerate
            | Builtin::Zip
            | Builtin::Map
            | Builtin::Filter
            | Builtin::Counter
            | Builtin::Reduce
            | Builtin::ExactSum
            | Builtin::StatisticsMean
            | Builtin::FloatMean
            | Builtin::Iteration(_)
    )
}
