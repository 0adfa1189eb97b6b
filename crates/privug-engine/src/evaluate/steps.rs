//! Steps of the machine that change or call something, one function each.

use super::fault::Fault;
use super::frame::{Caller, Frame, under_way};
use super::objects::is_grouped_by_object;
use super::running::{Machine, Stop};
use super::tables::assigned_column;
use super::value::Value;
use super::{builtins, callbacks, choices, compare, containers, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Function, Logic, Method, Operand, Register};

impl<'p, S: Scalar> Machine<'p, S> {
    /// A container that is being made in the worlds that are being looked at. Where these cannot be told from others any more,
    /// because a value hides what it comes from, it would silently stay as it is.
    pub(super) fn being_made(&mut self, register: usize) -> Result<Value<S>, Stop> {
        let container = self.here(register)?;
        if choices::calls::is_choice(&container) {
            let message = "a list, tuple or dictionary is made in a branch that depends on too many choices at once";
            self.fail(Fault::hinted(
                Code::TooManyWorlds,
                message,
                "make it before the branch, or branch on fewer choices",
            ))?;
        }
        Ok(container)
    }

    /// `list.append(value)` of a list that is being made.
    pub(super) fn append(
        &mut self,
        function: &Function,
        base: usize,
        (list, value): (Register, Operand),
    ) -> Result<(), Stop> {
        let value = self.fetch(function, base, value)?;
        let object = self.being_made(base + list as usize)?;
        if let Value::List(handle) = object {
            let appended = choices::writes::change(&mut self.state, &object, |state| {
                state.budget.spend_elements(1)?;
                state.heap.sequences[handle as usize].push(value);
                Ok(())
            });
            if let Err(fault) = appended {
                self.fail(fault)?;
            }
        }
        Ok(())
    }

    /// `not value`
    pub(super) fn opposite(
        &mut self,
        function: &Function,
        base: usize,
        (to, from): (Register, Operand),
    ) -> Result<(), Stop> {
        let value = self.fetch(function, base, from)?;
        let result = match value {
            Value::Poison => Ok(Value::Poison),
            value if choices::calls::is_choice(&value) || choices::lift::has_holes(&self.state, &value) => {
                let event = choices::truth_event(&mut self.state, &value);
                let opposite = event.and_then(|event| choices::operators::negation(&mut self.state, event));
                opposite.map(|event| choices::settle(&self.state, event))
            }
            value => compare::truth(&self.state, &value).map(|truth| Value::Bool(!truth)),
        };
        self.store(base, to, result)
    }

    /// `left & right` and the like.
    pub(super) fn joined_by_logic(
        &mut self,
        function: &Function,
        base: usize,
        (operator, in_place): (Logic, bool),
        (to, left, right): (Register, Operand, Operand),
    ) -> Result<(), Stop> {
        let left = self.fetch(function, base, left)?;
        let right = self.fetch(function, base, right)?;
        let (left, right) = match in_place && self.state.worlds.are_split() {
            true => (self.seen_here(left)?, self.seen_here(right)?),
            false => (left, right),
        };
        let result = ndarray::elementwise::logic_of(&mut self.state, operator, &left, &right, in_place);
        self.store(base, to, result)
    }

    /// An entry of a dictionary that is being made.
    pub(super) fn insert_entry(
        &mut self,
        function: &Function,
        base: usize,
        (dict, key, value): (Register, Operand, Operand),
    ) -> Result<(), Stop> {
        let key = self.fetch(function, base, key)?;
        let value = self.fetch(function, base, value)?;
        if let (Value::Dict(handle), false) = (self.being_made(base + dict as usize)?, matches!(key, Value::Poison)) {
            let object = Value::Dict(handle);
            let inserted = if choices::lift::holds_choice(&self.state, &key, 0) {
                choices::calls::set_index_choices(&mut self.state, &object, &key, &value)
            } else {
                choices::writes::change(&mut self.state, &object, |state| state.insert(handle, key, value))
            };
            if let Err(fault) = inserted {
                self.fail(fault)?;
            }
        }
        Ok(())
    }

    /// `object[index] = value`
    pub(super) fn set_element(
        &mut self,
        frame: &Frame<'p>,
        callers: &[Caller<'p>],
        (object, index, value): (Operand, Operand, Operand),
    ) -> Result<(), Stop> {
        let (function, base) = (frame.function, frame.base);
        let object = self.fetch(function, base, object)?;
        let index = self.fetch(function, base, index)?;
        let value = self.fetch(function, base, value)?;
        if !matches!(index, Value::Poison) {
            let in_worlds = choices::calls::is_choice(&object) || choices::lift::holds_choice(&self.state, &index, 0);
            let assigned = if let Some((old, accessor)) = assigned_column(&object) {
                let changed = tables::changed::column_with(&mut self.state, &old, accessor, &index, &value);
                changed.and_then(|changed| self.put_changed(&old, changed, &under_way(frame, callers)))
            } else if in_worlds || choices::lift::has_holes(&self.state, &object) {
                choices::calls::set_index_choices(&mut self.state, &object, &index, &value)
            } else {
                choices::writes::change(&mut self.state, &object, |state| {
                    containers::set_index(state, &object, &index, value)
                })
            };
            if let Err(fault) = assigned {
                self.fail(fault)?;
            }
        }
        Ok(())
    }

    /// `object.name = value`
    pub(super) fn set_attribute_of(
        &mut self,
        frame: &Frame<'p>,
        callers: &[Caller<'p>],
        (object, name, value): (Operand, Operand, Operand),
    ) -> Result<(), Stop> {
        let (function, base) = (frame.function, frame.base);
        let object = self.fetch(function, base, object)?;
        let name = self.fetch(function, base, name)?;
        let value = self.fetch(function, base, value)?;
        let assigned = if let Value::Series(old) = &object {
            let name = text::show(&self.state, &name);
            let changed = tables::changed::column_renamed(&mut self.state, old, &name, &value);
            changed.and_then(|changed| self.put_changed(old, changed, &under_way(frame, callers)))
        } else if self.has_classes && self.is_frozen(&object) && !function.name.ends_with("init__") {
            let message = "a field of a record that stays as it was made is changed";
            let hint =
                "make another one: `dataclasses.replace(record, field=value)`, or `record._replace(field=value)`";
            Err(Fault::hinted(Code::Class, message, hint))
        } else if !self.has_setters {
            self.set_member_in_worlds(&object, &name, &value)?
        } else {
            self.passes_on = true;
            self.above(frame, callers.len(), |machine| machine.set_member_in_worlds(&object, &name, &value))?
        };
        if let Err(fault) = assigned {
            self.fail(fault)?;
        }
        Ok(())
    }

    /// The step of a call of a method.
    pub(super) fn method_called(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        (to, method, shape, first): (Register, Method, u32, Register),
    ) -> Result<(), Stop> {
        let base = frame.base;
        let shape = &self.program.call_shapes[shape as usize];
        let first = base + first as usize;
        self.find_functions(first + 1, shape.spans.len())?;
        let object = self.here(first)?;
        let values = self.registers[first + 1..first + 1 + shape.spans.len()].to_vec();
        let result = if is_grouped_by_object(&self.state, method, &values) {
            self.above(frame, callers, |machine| machine.grouped_by(&object, shape, values))?
        } else if values.iter().any(|value| callbacks::holds_function(&self.state, value)) {
            self.above(frame, callers, |machine| machine.method_with_functions(method, &object, shape, &values))?
        } else {
            builtins::call_method(&mut self.state, method, &object, shape, &values)
        };
        self.store_call(base, to, &shape.spans, result)
    }
}
