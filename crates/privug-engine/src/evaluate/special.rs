//! What Python calls by itself: functions of classes such as `__eq__`, `__add__` and `__iter__`, and what records have instead.
//!
//! An object may be another one in other worlds: each of them is asked in its worlds, and what they answer is put together.

use std::rc::Rc;

use super::callbacks::{Callable, is_function, positional};
use super::choices::{self, Chosen};
use super::fault::{Fault, Outcome};
use super::frame::Frame;
use super::machine::{Machine, Stop, read};
use super::value::{Key, Value};
use super::{arithmetic, builtins, compare, containers, ndarray, objects};
use crate::choices::Diagram;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{
    Binary, Builtin, CallShape, Class, ClassId, Comparison, Instruction, Logic, MISSING_FIELD, MethodKind, Operand,
    OperatorNames, SETTER,
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
    pub(super) fn asked_of_objects(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        instruction: Instruction,
    ) -> Result<bool, Stop> {
        let base = frame.base;
        let value_of =
            |machine: &Self, operand: Operand| read(&machine.registers, &machine.literals, base, operand).clone();
        let (to, values): (_, Vec<Value<S>>) = match instruction {
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
            if !self.has_objects(diagram) {
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
            (Instruction::Format { specification, .. }, [value]) => match self.text_here(value)? {
                Ok(text) if choices::calls::is_choice(&text) => {
                    let texts = std::slice::from_ref(&text);
                    Ok(choices::lift::lift(&mut self.state, texts, false, &mut |state, values| {
                        super::statements::format(state, &values[0], specification)
                    }))
                }
                Ok(text) => Ok(super::statements::format(&mut self.state, &text, specification)),
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

    pub(super) fn compared_here(&mut self, operator: Comparison, left: &Value<S>, right: &Value<S>) -> Step<S> {
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

    fn is_missing_field(&self, value: &Value<S>) -> bool {
        matches!(value, Value::Text(text) if self.state.heap.text(*text).starts_with(MISSING_FIELD))
    }

    /// Comparisons that no function of the program answers.
    fn compared_as_records(&mut self, operator: Comparison, left: &Value<S>, right: &Value<S>) -> Step<S> {
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
    fn membership(&mut self, item: &Value<S>, container: &Value<S>) -> Step<S> {
        if let Some(found) = self.asked(container, "__contains__", std::slice::from_ref(item))? {
            return match found {
                Ok(found) => self.each(vec![found], 0, &mut |machine, found| machine.truth_here(&found[0])),
                Err(fault) => Ok(Err(fault)),
            };
        }
        let list = match self.elements_here(container)? {
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
    fn all_equal(&mut self, left: Vec<Value<S>>, right: Vec<Value<S>>) -> Step<S> {
        let differs = self.first_of(left.into_iter().zip(right).collect(), false)?;
        let equal = differs.and_then(|event| choices::operators::negation(&mut self.state, event));
        Ok(equal.map(|event| choices::settle(&self.state, event)))
    }

    /// The worlds in which some pair is equal, or some pair is not. Each pair is compared in the worlds that go on until then.
    fn first_of(&mut self, pairs: Vec<(Value<S>, Value<S>)>, equal: bool) -> Result<Outcome<Diagram>, Stop> {
        let active = self.state.worlds.active;
        let found = self.first_among(pairs, equal, active);
        self.state.worlds.active = active;
        found
    }

    fn first_among(
        &mut self,
        pairs: Vec<(Value<S>, Value<S>)>,
        equal: bool,
        active: Diagram,
    ) -> Result<Outcome<Diagram>, Stop> {
        let mut found = Diagram::FALSE;
        for (left, right) in pairs {
            let going = (|state: &mut super::state::State<S>| {
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
    fn opposite_of(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        if matches!(value, Value::Choice(_)) {
            let event = choices::truth_event(&mut self.state, value)?;
            let opposite = choices::operators::negation(&mut self.state, event)?;
            return Ok(choices::settle(&self.state, opposite));
        }
        compare::truth(&self.state, value).map(|truth| Value::Bool(!truth))
    }

    /// What a condition is to Python, if it may be an object: a boolean, which may be random.
    pub(super) fn truth_of_object(
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

    fn truth_here(&mut self, value: &Value<S>) -> Step<S> {
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
    pub(super) fn gone_through(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        value: Value<S>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        if !self.may_be_object(&value) {
            return Ok(Ok(value));
        }
        self.passes_on = true;
        self.above(frame, callers, |machine| {
            machine.each(vec![value], 0, &mut |machine, value| machine.elements_here(&value[0]))
        })
    }

    /// What is spread over several names.
    pub(super) fn fetch_parts(&mut self, frame: &Frame<'p>, callers: usize, from: Operand) -> Result<Value<S>, Stop> {
        let value = self.fetch(frame.function, frame.base, from)?;
        if !self.has_classes {
            return Ok(value);
        }
        match self.gone_through(frame, callers, value)? {
            Ok(value) => Ok(value),
            Err(fault) => {
                self.fail(fault)?;
                Ok(Value::Poison)
            }
        }
    }

    fn elements_here(&mut self, value: &Value<S>) -> Step<S> {
        let found = match self.asked(value, "__iter__", &[])? {
            Some(Ok(found)) => found,
            Some(Err(fault)) => return Ok(Err(fault)),
            None => return Ok(Ok(self.as_tuple(value)?)),
        };
        if self.may_be_object(&found) {
            let message = "`__iter__` gives an object that Python would ask for one element after the other";
            let hint = "give an iterator over a list: `return iter(self.items)`";
            return Ok(Err(Fault::hinted(Code::NotIterable, message, hint)));
        }
        let list = containers::elements(&mut self.state, &found).and_then(|elements| self.state.list(elements));
        Ok(list)
    }

    /// A `namedtuple` as the tuple that it is; anything else as it is.
    fn as_tuple(&mut self, value: &Value<S>) -> Result<Value<S>, Stop> {
        match value {
            Value::Object(_, class) if self.class(*class).is_tuple => {
                let fields = self.fields_of(value);
                self.checked(|state| state.tuple(fields))
            }
            other => Ok(other.clone()),
        }
    }

    /// `object.name = value` of an object, which may have a function for it.
    pub(super) fn set_member_here(
        &mut self,
        object: &Value<S>,
        name: &Value<S>,
        value: &Value<S>,
    ) -> Result<Outcome<()>, Stop> {
        let Value::Object(_, class) = object else {
            return Ok(objects::set_member(&mut self.state, object, name, value));
        };
        let class = self.class(*class);
        let text = super::text::show(&self.state, name);
        if let Some((MethodKind::Property, _)) = class.method(&text) {
            return match self.asked(object, &format!("{SETTER}{text}"), std::slice::from_ref(value))? {
                Some(set) => Ok(set.map(|_| ())),
                None => {
                    let message = format!("property `{text}` of `{}` has no setter", class.name);
                    let hint = "write one: `@name.setter`, or set the attribute that it looks at";
                    Ok(Err(Fault::hinted(Code::Class, message, hint)))
                }
            };
        }
        Ok(objects::set_member(&mut self.state, object, name, value))
    }

    /// Whether objects of a class stay as they were made.
    pub(super) fn is_frozen(&self, object: &Value<S>) -> bool {
        match object {
            Value::Object(_, class) => self.class(*class).is_frozen,
            Value::Choice(Chosen::Diagram(diagram)) => {
                let worlds = &self.state.worlds;
                let leaves = worlds.diagrams.leaves_of(*diagram);
                leaves.iter().any(|leaf| match worlds.leaves[*leaf as usize] {
                    Value::Object(_, class) => self.class(class).is_frozen,
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// What every record can do: `_replace` and `_asdict`.
    pub(super) fn record_called(
        &mut self,
        object: &Value<S>,
        replaces: bool,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Step<S> {
        let Value::Object(_, id) = object else { return Ok(Ok(Value::Poison)) };
        let class = self.class(*id);
        let names = class.fields.clone().unwrap_or_default();
        let fields = self.fields_of(object);
        if !replaces {
            return Ok(self.state.new_dict().and_then(|dict| {
                if let Value::Dict(handle) = dict {
                    for (name, value) in names.into_iter().zip(fields) {
                        let name = self.state.text(name)?;
                        self.state.insert(handle, name, value)?;
                    }
                }
                Ok(dict)
            }));
        }
        let unknown = shape.keywords.iter().find(|name| !names.contains(name));
        if unknown.is_some() || shape.positional > 0 {
            let message = match unknown {
                Some(name) => format!("`{}` has no field `{name}`", class.name),
                None => "the fields to replace are given by their names".to_owned(),
            };
            return Ok(Err(Fault::new(Code::WrongArguments, message)));
        }
        let given = |name: &String| shape.keywords.iter().position(|known| known == name).map(|at| values[at].clone());
        let values = names.iter().zip(fields).map(|(name, old)| given(name).unwrap_or(old)).collect();
        let made = match objects::new_object(&mut self.state, *id) {
            Ok(made) => made,
            Err(fault) => return Ok(Err(fault)),
        };
        let Some((_, function)) = class.method("__init__") else { return Ok(Ok(made)) };
        let callee = Value::Function(Rc::new(Callable::OfFile { function, seen: vec![made.clone()] }));
        let shape = CallShape { keywords: names, ..positional(0) };
        Ok(self.call_value(&callee, &shape, values)?.map(|_| made))
    }

    /// The function `__call__` of an object, with the object.
    pub(super) fn callable_of(&self, object: &Value<S>) -> Option<Rc<Callable<S>>> {
        let Value::Object(_, class) = object else { return None };
        let (_, function) = self.class(*class).method("__call__")?;
        Some(Rc::new(Callable::OfFile { function, seen: vec![object.clone()] }))
    }

    /// The parts of a record, in order.
    fn fields_of(&self, object: &Value<S>) -> Vec<Value<S>> {
        let Value::Object(handle, class) = object else { return Vec::new() };
        let dict = self.state.heap.dict(*handle);
        let fields = self.class(*class).fields.iter().flatten();
        let value = |field: &String| match dict.positions.get(&Key::Text(field.clone())) {
            Some(place) => dict.entries[*place].1.clone(),
            None => Value::Unbound,
        };
        fields.map(value).collect()
    }

    fn has_objects_in(&self, list: &Value<S>) -> bool {
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
    fn looks_at_objects(&self, builtin: Builtin, values: &[Value<S>]) -> bool {
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

    fn builtin_here(&mut self, builtin: Builtin, shape: &CallShape, values: &[Value<S>]) -> Step<S> {
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
            let is_list = !are_operands && !(order && place > 0);
            // An object that is called in the place of a function.
            if (order && place > 0 || calls_first(builtin) && place == 0)
                && let Some(callable) = self.callable_of(value)
            {
                given.push(Value::Function(callable));
                continue;
            }
            given.push(match is_list && name.is_empty() {
                true => match self.elements_here(value)? {
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
    fn ordered_here(
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
    fn for_objects(&mut self, name: &str, values: Vec<Value<S>>) -> Step<S> {
        let known = self.program.written_methods.iter().find(|(known, _)| known == name);
        let Some((_, function)) = known else { return Ok(Ok(Value::Poison)) };
        let callee = Value::Function(Rc::new(Callable::OfFile { function: *function, seen: Vec::new() }));
        self.call_value(&callee, &positional(values.len()), values)
    }

    /// What `str` gives of an object: what it says, or itself, which is refused.
    fn text_here(&mut self, value: &Value<S>) -> Step<S> {
        for name in ["__str__", "__repr__"] {
            if let Some(text) = self.asked(value, name, &[])? {
                return Ok(text);
            }
        }
        Ok(Ok(value.clone()))
    }
}

fn is_not_implemented<S>(value: &Value<S>) -> bool {
    let Value::Function(callable) = value else { return false };
    matches!(&**callable, Callable::OfLanguage(Builtin::NotImplemented))
}

/// Functions of the language whose first argument is a function.
fn calls_first(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Map | Builtin::Filter | Builtin::Reduce)
}

/// Functions of the language that go through what they are given.
fn goes_through(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::List
            | Builtin::Tuple
            | Builtin::Set
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
