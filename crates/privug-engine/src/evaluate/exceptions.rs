//! Exceptions: the worlds in which one is raised leave what they are doing, and go on in the handler that takes it.
//!
//! An exception belongs to worlds. Those worlds count as failed until a handler takes them over, so that nothing more happens
//! in them; the instruction that raised it leaves its target as it was there. Calls are left one after the other, each by its
//! own worlds, and the other worlds go on in them.

use std::rc::Rc;

use super::fault::{Fault, NO_SUCH_ELEMENT, NOT_IN_LIST, NOT_IN_STRING, OF_NOTHING, Outcome};
use super::frame::{Caller, Frame};
use super::running::{Machine, Returned, Stop, read};
use super::state::State;
use super::value::Value;
use super::{choices, text};
use crate::choices::Diagram;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Function, Handler, Instruction, Operand};

/// An exception on its way.
#[derive(Debug, Clone)]
pub(super) struct Raised<S> {
    worlds: Diagram,
    class: Rc<str>,
    /// What it says and what it was made of, if the program has raised it; else that is not known.
    said: Value<S>,
}

/// What is known of exceptions while a program runs.
#[derive(Debug)]
pub(super) struct Exceptions<S> {
    /// Whether something would catch one that is raised now.
    pub(super) are_caught: bool,
    /// Raised by the instruction under way.
    raised: Vec<Raised<S>>,
    /// On their way to a call, by how many wait for it.
    leaving: Vec<(usize, Raised<S>)>,
}

impl<S> Default for Exceptions<S> {
    fn default() -> Self {
        Exceptions { are_caught: false, raised: Vec::new(), leaving: Vec::new() }
    }
}

impl<S: Scalar> Exceptions<S> {
    /// Whether some worlds are on their way to a handler.
    #[inline]
    pub(super) fn are_on_their_way(&self) -> bool {
        !self.raised.is_empty() || !self.leaving.is_empty()
    }

    /// Takes those that are raised now, and those that have come to a call.
    fn arrived(&mut self, depth: usize) -> Vec<Raised<S>> {
        let mut found = std::mem::take(&mut self.raised);
        self.leaving.retain(|(to, exception)| {
            if *to == depth {
                found.push(exception.clone());
            }
            *to != depth
        });
        found
    }
}

impl Fault {
    /// The same fault, raised as an exception of this class.
    pub(super) fn raising(mut self: Box<Self>, class: Rc<str>) -> Box<Self> {
        self.class = Some(class);
        self
    }

    /// The class of the exception that Python raises, where that is certain.
    fn exception(&self) -> Option<Rc<str>> {
        if let Some(class) = &self.class {
            return Some(class.clone());
        }
        let class = match self.code {
            Code::DivisionByZero => "ZeroDivisionError",
            Code::IndexOutOfRange => "IndexError",
            Code::MissingKey if self.message != NO_SUCH_ELEMENT => "KeyError",
            Code::UnpackMismatch => "ValueError",
            Code::BadArgument
                if self.message.ends_with(OF_NOTHING)
                    || self.message.ends_with(NOT_IN_LIST)
                    || self.message.ends_with(NOT_IN_STRING)
                    || self.message.ends_with(" is not an integer")
                    || self.message.contains(" is not an integer in base ") =>
            {
                "ValueError"
            }
            _ if self.is_of_none() && self.code == Code::Attribute => "AttributeError",
            _ if self.is_of_none() => "TypeError",
            // What is used up or not understood is no exception of the program.
            _ => return None,
        };
        Some(class.into())
    }
}

/// Whether Python raises for a value what this language refuses: numpy and pandas often do not.
fn is_of_python<S: Scalar>(value: &Value<S>) -> bool {
    match value {
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Tuple(_)
        | Value::Dict(_)
        | Value::Set(_)
        | Value::Object(..)
        | Value::Range(_)
        | Value::Unbound => true,
        Value::Poison
        | Value::Missing
        | Value::NumpyBool(_)
        | Value::NumpyInt(_)
        | Value::NumpyFloat(_)
        | Value::Counted(_)
        | Value::Random { .. }
        | Value::Choice(_)
        | Value::Array(_)
        | Value::Iterator(_)
        | Value::View(..)
        | Value::Slice(_)
        | Value::Frame(_)
        | Value::Series(_)
        | Value::Groups(_)
        | Value::Loc(_)
        | Value::Function(_) => false,
    }
}

/// Raises a fault in worlds if it is an exception that is caught; whether it is.
pub(super) fn raise<S: Scalar>(
    state: &mut State<S>,
    fault: &Fault,
    worlds: Diagram,
    operands: &[Value<S>],
) -> Outcome<bool> {
    if !state.exceptions.are_caught {
        return Ok(false);
    }
    let Some(class) = fault.exception() else { return Ok(false) };
    // What happens in some of these worlds only has been raised there already, or is not known.
    // How long a list is does not depend on what is in it.
    let is_long_enough = |value: &Value<S>| {
        fault.code == Code::IndexOutOfRange
            && matches!(value, Value::List(_) | Value::Tuple(_))
            && !choices::lift::has_holes(state, value)
    };
    let is_known = |value: &Value<S>| !choices::lift::holds_choice(state, value, 0) || is_long_enough(value);
    if !operands.iter().all(|value| is_of_python(value) && is_known(value)) {
        return Ok(false);
    }
    raise_in(state, worlds, class, fault)?;
    Ok(true)
}

/// The same for a fault whose worlds are known, whatever it is about.
pub(super) fn raise_there<S: Scalar>(state: &mut State<S>, fault: &Fault, worlds: Diagram) -> Outcome<bool> {
    match fault.exception().filter(|_| state.exceptions.are_caught) {
        Some(class) => {
            raise_in(state, worlds, class, fault)?;
            Ok(true)
        }
        None => Ok(false),
    }
}

fn raise_in<S: Scalar>(state: &mut State<S>, worlds: Diagram, class: Rc<str>, fault: &Fault) -> Outcome<()> {
    let said = match &fault.says {
        Some(says) => {
            let text = state.text(says.clone())?;
            // A `KeyError` was made of the key itself.
            let parts = if &*class == "KeyError" { Value::Unbound } else { state.tuple(vec![text.clone()])? };
            state.tuple(vec![text, parts])?
        }
        None => Value::Unbound,
    };
    let failed = state.worlds.failed;
    state.worlds.failed = choices::operators::disjunction(state, failed, worlds)?;
    state.exceptions.raised.push(Raised { worlds, class, said });
    Ok(())
}

impl<'p, S: Scalar> Machine<'p, S> {
    /// Notes whether an exception of the instruction under way would be caught: the last one, since the next is noted.
    pub(super) fn look_for_handlers(&mut self, frame: &Frame<'p>, callers: &[Caller<'p>]) {
        let here = handler_at(frame.function, frame.next.saturating_sub(1)).is_some();
        let caught = here || self.catches || callers.iter().any(Caller::is_in_try);
        self.state.exceptions.are_caught = caught;
    }

    /// Whether a fault of the instruction under way is an exception that is caught, in all worlds that are being looked at.
    pub(super) fn is_caught(&mut self, fault: &Fault) -> Result<bool, Stop> {
        if !self.state.exceptions.are_caught {
            return Ok(false);
        }
        let Some(operands) = self.operands_under_way() else { return Ok(false) };
        let running = self.checked(|state| choices::running(state))?;
        if running == Diagram::FALSE {
            return Ok(false);
        }
        self.checked(|state| raise(state, fault, running, &operands))
    }

    /// What the instruction under way reads, if it is one whose faults are known to be Python's.
    fn operands_under_way(&self) -> Option<Vec<Value<S>>> {
        let (base, instruction) = self.under_way?;
        let value = |operand: Operand| read(&self.registers, &self.literals, base, operand).clone();
        let from = |first: u32, count: usize| {
            let first = base + first as usize;
            self.registers[first..first + count].to_vec()
        };
        Some(match *instruction {
            Instruction::Binary { left, right, .. } | Instruction::Compare { left, right, .. } => {
                vec![value(left), value(right)]
            }
            Instruction::Index { object, index, .. } | Instruction::SetIndex { object, index, .. } => {
                vec![value(object), value(index)]
            }
            Instruction::Unpack { from, .. } | Instruction::UnpackRest { from, .. } => vec![value(from)],
            Instruction::CallBuiltin { shape, first, .. } => {
                from(first, self.program.call_shapes[shape as usize].spans.len())
            }
            Instruction::CallMethod { shape, first, .. } => {
                from(first, self.program.call_shapes[shape as usize].spans.len() + 1)
            }
            Instruction::Assert { condition, .. } => vec![value(condition)],
            Instruction::Raise { .. } => Vec::new(),
            _ => return None,
        })
    }

    /// `raise`: the program fails with an exception.
    pub(super) fn raise_exception(
        &mut self,
        class: &Value<S>,
        message: &Value<S>,
        said: &Value<S>,
    ) -> Result<(), Stop> {
        let text = |state: &State<S>, value: &Value<S>| match value {
            Value::Unbound => String::new(),
            other => format!(": {}", text::show(state, other)),
        };
        // Which one is raised again may differ between worlds.
        let classes = self.checked(|state| {
            let running = choices::running(state)?;
            choices::lift::worlds_of_texts(state, class, running)
        })?;
        for (class, worlds) in classes {
            let words = format!("the program raises `{class}`{}", text(&self.state, message));
            let fault = Fault::new(Code::AssertionFailed, words).raising(class);
            let before = self.state.exceptions.raised.len();
            if !self.checked(|state| {
                Ok(raise_there(state, &fault, worlds)? || choices::is_harmless(state, &fault, worlds)?)
            })? {
                let span = self.state.span;
                self.report(fault, span)?;
                return Err(Stop);
            }
            for raised in &mut self.state.exceptions.raised[before..] {
                raised.said = said.clone();
            }
        }
        Ok(())
    }

    /// Lets the worlds of exceptions go on where these are caught. Gives what the call gives if it is over by that.
    pub(super) fn unwind(
        &mut self,
        frame: &mut Frame<'p>,
        callers: &mut Vec<Caller<'p>>,
    ) -> Result<Option<Returned<S>>, Stop> {
        loop {
            let depth = self.waiting + callers.len();
            let raised = self.state.exceptions.arrived(depth);
            if raised.is_empty() {
                return Ok(None);
            }
            let mut worlds = Diagram::FALSE;
            for exception in &raised {
                worlds = self.checked(|state| choices::operators::disjunction(state, worlds, exception.worlds))?;
            }
            match handler_at(frame.function, frame.next.saturating_sub(1)) {
                Some(handler) => self.go_on_in(handler, frame, depth, raised, worlds)?,
                None => {
                    if let Some(returned) = self.leave_by_exception(frame, callers, raised, worlds)? {
                        return Ok(Some(returned));
                    }
                }
            }
        }
    }

    /// The worlds of exceptions go on in a handler.
    fn go_on_in(
        &mut self,
        handler: Handler,
        frame: &mut Frame<'p>,
        depth: usize,
        raised: Vec<Raised<S>>,
        worlds: Diagram,
    ) -> Result<(), Stop> {
        self.state.worlds.failed = self.checked(|state| {
            let failed = state.worlds.failed;
            let others = state.worlds.diagrams.without(failed, worlds);
            others.map_err(|too_wide| choices::too_wide(state, too_wide, &[failed, worlds]))
        })?;
        let place = frame.base + handler.exception as usize;
        for exception in raised {
            let old = std::mem::replace(&mut self.registers[place], Value::Unbound);
            let old = if matches!(old, Value::Poison) { Value::Unbound } else { old };
            self.registers[place] = self.checked(|state| {
                let class = state.text(exception.class.to_string())?;
                choices::lift::either(state, exception.worlds, &class, &old)
            })?;
            let place = frame.base + handler.said as usize;
            let old = std::mem::replace(&mut self.registers[place], Value::Unbound);
            let old = if matches!(old, Value::Poison) { Value::Unbound } else { old };
            self.registers[place] =
                self.checked(|state| choices::lift::either(state, exception.worlds, &exception.said, &old))?;
        }
        self.part(frame, depth, worlds, handler.target as usize)?;
        frame.uncounted = frame.next;
        Ok(())
    }

    /// Some worlds leave a call that does not catch their exceptions.
    fn leave_by_exception(
        &mut self,
        frame: &mut Frame<'p>,
        callers: &mut Vec<Caller<'p>>,
        raised: Vec<Raised<S>>,
        worlds: Diagram,
    ) -> Result<Option<Returned<S>>, Stop> {
        let depth = self.waiting + callers.len();
        let Some(outer) = depth.checked_sub(1) else { return Err(Stop) };
        self.state.exceptions.leaving.extend(raised.into_iter().map(|exception| (outer, exception)));
        if self.checked(|state| choices::running(state))? == Diagram::FALSE {
            return self.end_call(frame, callers, Value::Unbound, u32::MAX);
        }
        self.stay_without(depth, worlds)?;
        Ok(None)
    }
}

/// The innermost part around an instruction in which exceptions are caught.
fn handler_at(function: &Function, at: usize) -> Option<Handler> {
    let is_around = |handler: &&Handler| (handler.start as usize..handler.end as usize).contains(&at);
    function.handlers.iter().find(is_around).copied()
}

impl Caller<'_> {
    /// Whether the call that it waits for is inside a `try`.
    fn is_in_try(&self) -> bool {
        handler_at(self.function, (self.next as usize).saturating_sub(1)).is_some()
    }
}
