//! The machine that carries out a checked program, instruction by instruction.

use std::rc::Rc;

use super::callbacks::{Callable, is_function};
use super::fault::Fault;
use super::frame::{Caller, Frame};
use super::iterators::Walk;
use super::registers::without_value;
use super::running::{Machine, Returned, Stop, read};
use super::value::Value;
use super::{
    arithmetic, builtins, callbacks, choices, compare, containers, iterators, ndarray, objects, statements, tables,
};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, FunctionId, Instruction};
use privug_language::source::Span;

/// Calls in worlds that a random value has parted are not followed deeper than this.
const MAX_DEPTH_IN_WORLDS: usize = 200;

impl<'p, S: Scalar> Machine<'p, S> {
    /// Calls a function from outside, with one argument for each parameter.
    pub(super) fn call(&mut self, id: FunctionId, arguments: Vec<Value<S>>) -> Result<Returned<S>, Stop> {
        let program = self.program;
        let mut callers: Vec<Caller<'p>> = Vec::new();
        let mut frame = Frame {
            function: program.function(id),
            next: 0,
            uncounted: 0,
            base: self.floor,
            loop_base: self.loop_floor,
        };
        self.open_frame(&frame, 0);
        for (register, argument) in arguments.into_iter().enumerate() {
            self.registers[frame.base + register] = argument;
        }
        loop {
            if self.state.exceptions.are_on_their_way()
                && let Some(returned) = self.unwind(&mut frame, &mut callers)?
            {
                return Ok(returned);
            }
            if !self.splits.is_empty() {
                self.reschedule(&mut frame, self.waiting + callers.len())?;
                self.keeps = self.keeps_others(self.waiting + callers.len());
                if self.is_over()? {
                    // What was seen excludes these worlds, and there is no going on in them.
                    match self.end_call(&mut frame, &mut callers, Value::Unbound, u32::MAX)? {
                        Some(returned) => return Ok(returned),
                        None => continue,
                    }
                }
            }
            // Choices may be missing in some worlds, which the short way does not look for.
            if !self.state.worlds.exist()
                && let Some(last) = self.run_quickly(&mut frame, &mut callers)
            {
                self.state.span = place_of(&frame, last, &callers).unwrap_or(self.state.span);
                self.pause()?;
                continue;
            }
            let function = frame.function;
            let instruction = &function.code[frame.next];
            self.state.span = place_of(&frame, frame.next, &callers).unwrap_or(self.state.span);
            frame.next += 1;
            self.state.budget.steps += (frame.next - frame.uncounted) as u64;
            frame.uncounted = frame.next;
            if self.state.budget.steps >= self.pause_at {
                self.pause()?;
            }
            let base = frame.base;
            if self.has_handlers {
                self.look_for_handlers(&frame, &callers);
                self.under_way = Some((base, instruction));
            }
            if self.has_classes && self.asked_of_objects(&frame, callers.len(), *instruction)? {
                frame.uncounted = frame.next;
                continue;
            }
            match *instruction {
                Instruction::Binary { operator, in_place, to, left, right } => {
                    let left_value = read(&self.registers, &self.literals, base, left);
                    let right_value = read(&self.registers, &self.literals, base, right);
                    let result = if operator == Binary::Divide && matches!(left_value, Value::Object(..)) {
                        let (left_value, right_value) = (left_value.clone(), right_value.clone());
                        let place = (&frame, callers.len());
                        match self.operated(place, "__truediv__", (&left_value, &right_value))? {
                            Some(result) => result,
                            None => arithmetic::binary(&mut self.state, operator, &left_value, &right_value),
                        }
                    } else if in_place && self.state.worlds.are_split() {
                        let (left_value, right_value) = (left_value.clone(), right_value.clone());
                        let (left_value, right_value) = (self.seen_here(left_value)?, self.seen_here(right_value)?);
                        choices::writes::change(&mut self.state, &left_value, |state| {
                            ndarray::elementwise::binary_in_place(state, operator, &left_value, &right_value)
                        })
                    } else if in_place {
                        ndarray::elementwise::binary_in_place(&mut self.state, operator, left_value, right_value)
                    } else {
                        arithmetic::binary(&mut self.state, operator, left_value, right_value)
                    };
                    match result {
                        Ok(value) => self.put(base + to as usize, value)?,
                        Err(fault) => {
                            let fault = self.unbound(function, base, &[left, right]).unwrap_or(fault);
                            self.poison(base, to, fault)?;
                        }
                    }
                }
                Instruction::NextItem { slot, to, exit } => {
                    let walk = &mut self.loops[frame.loop_base + slot as usize];
                    match walk.next(&mut self.state) {
                        Ok(Some(value)) => {
                            self.begin_round(&mut frame, self.waiting + callers.len(), slot, base + to as usize, value)?
                        }
                        Ok(None) => frame.next = exit as usize,
                        Err(fault) => {
                            self.give_up(fault)?;
                        }
                    }
                }
                Instruction::Repeat { slot, to, body } => {
                    let walk = &mut self.loops[frame.loop_base + slot as usize];
                    match walk.next(&mut self.state) {
                        Ok(Some(value)) => {
                            frame.next = body as usize;
                            self.begin_round(
                                &mut frame,
                                self.waiting + callers.len(),
                                slot,
                                base + to as usize,
                                value,
                            )?;
                        }
                        Ok(None) => {}
                        Err(fault) => {
                            self.give_up(fault)?;
                        }
                    }
                }
                Instruction::Index { to, object, index } => {
                    let object_value = read(&self.registers, &self.literals, base, object);
                    let index_value = read(&self.registers, &self.literals, base, index);
                    let result = if matches!(index_value, Value::Poison) {
                        Ok(Value::Poison)
                    } else if matches!(object_value, Value::Object(..))
                        || callbacks::holds_function(&self.state, index_value)
                    {
                        let (object_value, index_value) = (object_value.clone(), index_value.clone());
                        self.looked_up_by_call((&frame, callers.len()), &object_value, &index_value)?
                    } else {
                        containers::index(&mut self.state, object_value, index_value)
                    };
                    match result {
                        Ok(value) => self.put(base + to as usize, value)?,
                        Err(fault) => {
                            let fault = self.unbound(function, base, &[object, index]).unwrap_or(fault);
                            self.poison(base, to, fault)?;
                        }
                    }
                }
                Instruction::Jump { target } => frame.next = target as usize,
                Instruction::Append { list, value } => {
                    self.append(function, base, (list, value))?;
                }
                Instruction::Move { to, from } => {
                    let value = match read(&self.registers, &self.literals, base, from) {
                        // A missing argument is not a variable without a value.
                        Value::Unbound if from.place().is_err() => Value::Unbound,
                        _ => self.fetch(function, base, from)?,
                    };
                    self.put(base + to as usize, value)?;
                }
                Instruction::LoadGlobal { to, global } => {
                    let value = self.registers[global as usize].clone();
                    if matches!(value, Value::Unbound) {
                        let name = program.functions[0].variables.get(global as usize).map_or("", String::as_str);
                        let fault = without_value(name);
                        self.poison(base, to, fault)?;
                    } else {
                        self.put(base + to as usize, value)?;
                    }
                }
                Instruction::Branch { condition, expected, target } => {
                    let of_object = match self.has_classes {
                        true => self.truth_of_object(&frame, callers.len(), condition)?,
                        false => None,
                    };
                    let value = match &of_object {
                        Some(truth) => truth,
                        None => read(&self.registers, &self.literals, base, condition),
                    };
                    if matches!(value, Value::Poison) {
                        // Both ways would follow from an error that is noted down already.
                        return Err(Stop);
                    }
                    if self.state.worlds.exist()
                        && (choices::calls::is_choice(value) || choices::lift::has_holes(&self.state, value))
                    {
                        let value = value.clone();
                        let happens = match choices::truth_event(&mut self.state, &value) {
                            Ok(event) if expected => Ok(event),
                            Ok(event) => choices::operators::negation(&mut self.state, event),
                            Err(fault) => Err(fault),
                        };
                        match happens {
                            Ok(event) => self.part(&mut frame, self.waiting + callers.len(), event, target as usize)?,
                            Err(fault) => {
                                self.give_up(fault)?;
                            }
                        }
                        frame.uncounted = frame.next;
                        continue;
                    }
                    match compare::truth(&self.state, value) {
                        Ok(truth) if truth == expected => frame.next = target as usize,
                        Ok(_) => {}
                        Err(fault) => {
                            let fault = self.unbound(function, base, &[condition]).unwrap_or(fault);
                            self.give_up(fault)?;
                        }
                    }
                }
                Instruction::Compare { operator, to, left, right } => {
                    let left_value = read(&self.registers, &self.literals, base, left);
                    let right_value = read(&self.registers, &self.literals, base, right);
                    match compare::compare(&mut self.state, operator, left_value, right_value) {
                        Ok(value) => self.put(base + to as usize, value)?,
                        Err(fault) => {
                            let fault = self.unbound(function, base, &[left, right]).unwrap_or(fault);
                            self.poison(base, to, fault)?;
                        }
                    }
                }
                Instruction::Negate { to, from } => {
                    let value = self.fetch(function, base, from)?;
                    let result = arithmetic::negative(&mut self.state, &value);
                    self.store(base, to, result)?;
                }
                Instruction::Plus { to, from } => {
                    let value = self.fetch(function, base, from)?;
                    let result = arithmetic::positive(&mut self.state, &value);
                    self.store(base, to, result)?;
                }
                Instruction::Not { to, from } => {
                    self.opposite(function, base, (to, from))?;
                }
                Instruction::Logic { operator, in_place, to, left, right } => {
                    self.joined_by_logic(function, base, (operator, in_place), (to, left, right))?;
                }
                Instruction::Invert { to, from } => {
                    let value = self.fetch(function, base, from)?;
                    let result = ndarray::elementwise::inverted(&mut self.state, &value);
                    self.store(base, to, result)?;
                }
                Instruction::Column { to, object, name } => {
                    let object = self.fetch(function, base, object)?;
                    let name = self.fetch(function, base, name)?;
                    let result = match object {
                        Value::Object(..) => {
                            self.above(&frame, callers.len(), |machine| machine.member(&object, &name, None))?
                        }
                        _ => tables::lookup::attribute_column(&mut self.state, &object, &name),
                    };
                    self.store(base, to, result)?;
                }
                Instruction::NewList { to } => {
                    let result = self.state.list(Vec::new());
                    self.store(base, to, result)?;
                }
                Instruction::Forget { list } => {
                    if self.state.worlds.exist() {
                        // Other worlds may still need it.
                        frame.uncounted = frame.next;
                        continue;
                    }
                    let forgotten = std::mem::replace(&mut self.registers[base + list as usize], Value::Unbound);
                    // A slice of an array is a view of elements that others see as well.
                    if let Value::List(handle) | Value::Tuple(handle) = forgotten {
                        self.state.forget(handle);
                    }
                }
                Instruction::Freeze { list } => {
                    if let Value::List(handle) = self.being_made(base + list as usize)? {
                        self.put(base + list as usize, Value::Tuple(handle))?;
                    }
                }
                Instruction::NewDict { to } => {
                    let result = self.state.new_dict();
                    self.store(base, to, result)?;
                }
                Instruction::Insert { dict, key, value } => {
                    self.insert_entry(function, base, (dict, key, value))?;
                }
                Instruction::MakeSlice { to, bounds } => {
                    let first = base + bounds as usize;
                    let bounds = self.registers[first..first + 3].to_vec();
                    let poisoned = bounds.iter().any(|bound| matches!(bound, Value::Poison));
                    let result =
                        if poisoned { Ok(Value::Poison) } else { self.state.new_sequence(bounds).map(Value::Slice) };
                    self.store(base, to, result)?;
                }
                Instruction::MakeIterator { list } => {
                    if let Value::List(handle) = self.being_made(base + list as usize)? {
                        let items = std::mem::take(&mut self.state.heap.sequences[handle as usize]);
                        let walk = Walk::Items { items: items.into_iter() };
                        let result = iterators::iterator(&mut self.state, walk, &[]);
                        self.store(base, list, result)?;
                    }
                }
                Instruction::Slice { to, object, bounds } => {
                    let object = self.fetch(function, base, object)?;
                    let first = base + bounds as usize;
                    let bounds = self.registers[first..first + 3].to_vec();
                    let result = containers::slice(&mut self.state, &object, &bounds);
                    self.store(base, to, result)?;
                }
                Instruction::SetIndex { object, index, value } => {
                    self.set_element(&frame, &callers, (object, index, value))?;
                }
                Instruction::Unpack { from, first, count } => {
                    let value = self.fetch_parts(&frame, callers.len(), from)?;
                    let parts = self.unpack(&value, count as usize)?;
                    for (part, register) in parts.into_iter().zip(base + first as usize..) {
                        self.put(register, part)?;
                    }
                }
                Instruction::UnpackRest { from, first, before, after } => {
                    let value = self.fetch_parts(&frame, callers.len(), from)?;
                    let parts = self.unpack_rest(&value, before as usize, after as usize)?;
                    for (part, register) in parts.into_iter().zip(base + first as usize..) {
                        self.put(register, part)?;
                    }
                }
                Instruction::StartLoop { slot, over } => {
                    let value = self.fetch(function, base, over)?;
                    if matches!(value, Value::Poison) {
                        return Err(Stop);
                    }
                    let through = match self.has_classes {
                        true => self.gone_through(&frame, callers.len(), value, false)?,
                        false => Ok(value),
                    };
                    match through.and_then(|value| iterators::walk(&mut self.state, &value)) {
                        Ok(walk) => self.loops[frame.loop_base + slot as usize] = walk,
                        Err(fault) => {
                            self.give_up(fault)?;
                        }
                    }
                }
                Instruction::Call { to, function: callee, first } => {
                    if callers.len() as u32 + 1 >= self.state.budget.limits.depth {
                        let message = format!(
                            "functions call each other more than {} levels deep",
                            self.state.budget.limits.depth
                        );
                        let hint = "is there an infinite recursion? raise it with `--max-depth`";
                        self.fail(Fault::hinted(Code::DepthLimit, message, hint))?;
                    }
                    if callers.len() >= MAX_DEPTH_IN_WORLDS && self.state.worlds.are_split() {
                        let message = format!(
                            "functions call each other more than {MAX_DEPTH_IN_WORLDS} levels deep in some worlds"
                        );
                        let hint =
                            "a recursion that ends only by chance is unbounded; use a loop over a range and `break`";
                        self.fail(Fault::hinted(Code::DepthLimit, message, hint))?;
                    }
                    let opened = frame.callee(program.function(callee), first);
                    self.open_frame(&opened, opened.function.parameters.len());
                    callers.push(frame.waiting(first, to));
                    frame = opened;
                }
                Instruction::MakeFunction { to, function: callee, first, count } => {
                    let first = base + first as usize;
                    let seen = self.registers[first..first + count as usize].to_vec();
                    let callable = Callable::OfFile { function: callee, seen };
                    self.put(base + to as usize, Value::Function(Rc::new(callable)))?;
                }
                Instruction::MakeBuiltin { to, builtin } => {
                    self.put(base + to as usize, Value::Function(Rc::new(Callable::OfLanguage(builtin))))?;
                }
                Instruction::CallValue { to, shape, first } => {
                    let shape = &program.call_shapes[shape as usize];
                    let first = base + first as usize;
                    self.find_functions(first + 1, shape.spans.len())?;
                    let callee = self.here(first)?;
                    let values = self.registers[first + 1..first + 1 + shape.spans.len()].to_vec();
                    self.passes_on = match &callee {
                        Value::Function(known) => known.is_of_file(),
                        other => matches!(other, Value::Choice(_)),
                    };
                    let result = self.above(&frame, callers.len(), |machine| {
                        machine.call_value_in_worlds(&callee, shape, &values)
                    })?;
                    self.store_call(base, to, &shape.spans, result)?;
                }
                Instruction::NewObject { to, class } => {
                    let result = objects::new_object(&mut self.state, class);
                    self.store(base, to, result)?;
                }
                Instruction::Member { to, object, name, method } => {
                    let (object, name) = (self.fetch(function, base, object)?, self.fetch(function, base, name)?);
                    let result = self.above(&frame, callers.len(), |machine| machine.member(&object, &name, method))?;
                    self.store(base, to, result)?;
                }
                Instruction::CallMember { to, name, method, shape, first } => {
                    let name = self.fetch(function, base, name)?;
                    self.member_called(&frame, callers.len(), (to, &name, method, shape, first))?;
                }
                Instruction::CallSpread { to, method, first } => {
                    self.spread_called(&frame, callers.len(), (to, method, first))?;
                }
                Instruction::MakeSet { list } => {
                    let value = self.being_made(base + list as usize)?;
                    let result = choices::sets::set_in_worlds(&mut self.state, &value);
                    self.store(base, list, result)?;
                }
                Instruction::SetAttribute { object, name, value } => {
                    self.set_attribute_of(&frame, &callers, (object, name, value))?;
                }
                Instruction::CallBuiltin { to, builtin, shape, first } => {
                    let shape = &program.call_shapes[shape as usize];
                    let first = base + first as usize;
                    self.find_functions(first, shape.spans.len())?;
                    if self.registers[first..first + shape.spans.len()].iter().any(is_function) {
                        let values = self.registers[first..first + shape.spans.len()].to_vec();
                        let result = self.above(&frame, callers.len(), |machine| {
                            machine.builtin_with_functions(builtin, shape, &values)
                        })?;
                        self.store_call(base, to, &shape.spans, result)?;
                        frame.uncounted = frame.next;
                        continue;
                    }
                    let values = &self.registers[first..first + shape.spans.len()];
                    let result = builtins::call_builtin(&mut self.state, builtin, shape, values);
                    self.store_call(base, to, &shape.spans, result)?;
                }
                Instruction::CallMethod { to, method, shape, first } => {
                    self.method_called(&frame, callers.len(), (to, method, shape, first))?;
                }
                Instruction::Format { to, from, specification } => {
                    let value = self.fetch(function, base, from)?;
                    let result = if choices::calls::is_choice(&value) {
                        let texts = std::slice::from_ref(&value);
                        choices::lift::lift(&mut self.state, texts, false, &mut |state, values| {
                            statements::format(state, &values[0], specification)
                        })
                    } else {
                        statements::format(&mut self.state, &value, specification)
                    };
                    self.store(base, to, result)?;
                }
                Instruction::Join { to, left, right } => {
                    let (left, right) = (self.fetch(function, base, left)?, self.fetch(function, base, right)?);
                    let result = statements::join_texts(&mut self.state, &left, &right);
                    self.store(base, to, result)?;
                }
                Instruction::Assert { condition, message } => {
                    let value = self.fetch(function, base, condition)?;
                    let message = read(&self.registers, &self.literals, base, message).clone();
                    self.check_assertion(&value, &message, function.written)?;
                }
                Instruction::Raise { exception, message, said } => {
                    let exception = self.fetch(function, base, exception)?;
                    let message = read(&self.registers, &self.literals, base, message).clone();
                    let said = read(&self.registers, &self.literals, base, said).clone();
                    self.raise_exception(&exception, &message, &said)?;
                }
                Instruction::Return { value, name } => {
                    let value = self.fetch(function, base, value)?;
                    match self.end_call(&mut frame, &mut callers, value, name)? {
                        Some(returned) => return Ok(returned),
                        None => continue,
                    }
                }
            }
            frame.uncounted = frame.next;
        }
    }
}

/// Where an instruction stands. What goes wrong in a written module is told where the program calls it; `None` if that is
/// further up than these calls.
#[inline(always)]
fn place_of(frame: &Frame<'_>, at: usize, callers: &[Caller<'_>]) -> Option<Span> {
    if !frame.function.written {
        return Some(frame.function.spans[at]);
    }
    let caller = callers.iter().rev().find(|caller| !caller.function.written)?;
    Some(caller.function.spans[caller.next as usize - 1])
}
