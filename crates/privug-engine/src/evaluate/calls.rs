//! How calls begin and end: room for their variables, and who goes on when they are over.

use super::fault::Fault;
use super::frame::{Caller, Frame};
use super::iterators::Walk;
use super::running::{Machine, Returned, Stop};
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// Functions that are passed on are called on the stack of this program.
const MAX_NESTED_CALLS: usize = 40;

impl<'p, S: Scalar> Machine<'p, S> {
    /// Ends the call under way; gives what it gives if nobody inside waits for it.
    pub(super) fn end_call(
        &mut self,
        frame: &mut Frame<'p>,
        callers: &mut Vec<Caller<'p>>,
        value: Value<S>,
        name: u32,
    ) -> Result<Option<Returned<S>>, Stop> {
        let Some((value, name)) = self.leave_worlds(frame, self.waiting + callers.len(), value, name)? else {
            return Ok(None);
        };
        match callers.pop() {
            Some(caller) => {
                let to = frame.resume(&caller);
                self.keeps = self.keeps_others(self.waiting + callers.len());
                self.put(to, value)?;
                Ok(None)
            }
            None => {
                let (base, function) = (frame.base, frame.function);
                let variables = self.registers[base..base + function.variables.len()].to_vec();
                Ok(Some(Returned { value, name, variables }))
            }
        }
    }

    /// Carries something out that calls functions, with room above the frame under way.
    pub(super) fn above<T>(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        if self.nested >= MAX_NESTED_CALLS {
            let message = format!("callbacks call each other more than {MAX_NESTED_CALLS} levels deep");
            let fault = Fault::hinted(Code::DepthLimit, message, "is there an infinite recursion?");
            self.fail(fault)?;
            return Err(Stop);
        }
        let before = (self.floor, self.loop_floor, self.state.span);
        let (waiting, keeps) = (self.waiting, self.keeps);
        let passes_on = std::mem::take(&mut self.passes_on) && self.state.exceptions.are_caught;
        let (catches, under_way) = (std::mem::replace(&mut self.catches, passes_on), self.under_way.take());
        self.floor = frame.base + frame.function.register_count as usize;
        self.loop_floor = frame.loop_base + frame.function.loop_count as usize;
        self.nested += 1;
        self.waiting += callers + 1;
        self.keeps = false;
        let result = run(self);
        self.nested -= 1;
        (self.waiting, self.keeps) = (waiting, keeps);
        (self.catches, self.under_way) = (catches, under_way);
        (self.floor, self.loop_floor, self.state.span) = before;
        result
    }

    /// Makes room for a frame whose first `given` variables are there already.
    pub(super) fn open_frame(&mut self, frame: &Frame<'_>, given: usize) {
        let Frame { function, base, loop_base, .. } = *frame;
        let end = base + function.register_count as usize;
        if self.registers.len() < end {
            self.registers.resize(end, Value::Unbound);
        }
        // Variables start without a value; temporaries are written before they are read.
        for register in &mut self.registers[base + given..base + function.variables.len()] {
            *register = Value::Unbound;
        }
        let loops = loop_base + function.loop_count as usize;
        if self.loops.len() < loops {
            self.loops.resize(loops, Walk::Sequence { handle: 0, next: usize::MAX, reshaped: 0 });
        }
    }
}
