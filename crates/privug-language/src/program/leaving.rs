//! `return`, `break` and `continue` inside `try`: each `finally` on the way is carried out before.

use ruff_python_ast::{Stmt, StmtTry};
use ruff_text_size::{Ranged, TextRange};

use super::functions::Body;
use super::instruction::Register;
use crate::diagnostic::Code;

/// A `finally` inside a `finally` that is left early is written out once more for each way; more of them are refused.
const MAX_LEAVING: u32 = 3;

/// A `try` that is being compiled.
pub(super) struct Attempt {
    /// Its `finally`; empty if it has none.
    finally: Vec<Stmt>,
    /// How many loops were open around it.
    loops: usize,
    /// The parts of its code that stand for `finally`, and not for what it guards.
    outside: Vec<(u32, u32)>,
}

impl Body<'_, '_> {
    pub(super) fn open_attempt(&mut self, statement: &StmtTry) {
        let finally = statement.finalbody.to_vec();
        self.attempts.push(Attempt { finally, loops: self.loops.len(), outside: Vec::new() });
    }

    /// Parts of the code between two places that the innermost `try` guards.
    pub(super) fn guarded(&self, start: u32, end: u32) -> Vec<(u32, u32)> {
        let mut parts = Vec::new();
        let mut from = start;
        for (first, last) in self.attempts.last().iter().flat_map(|attempt| &attempt.outside) {
            if *first >= from && *last <= end {
                parts.push((from, *first));
                from = *last;
            }
        }
        parts.push((from, end));
        parts.retain(|(first, last)| first < last);
        parts
    }

    /// The outermost `try` inside the innermost loop.
    pub(super) fn first_attempt_of_loop(&self) -> usize {
        let open = self.loops.len();
        self.attempts.iter().position(|attempt| attempt.loops >= open).unwrap_or(self.attempts.len())
    }

    /// Carries out what stands in `finally` of all `try` statements from the innermost to the one with a number.
    pub(super) fn leave_attempts(&mut self, outermost: usize, at: TextRange) {
        for number in (outermost..self.attempts.len()).rev() {
            if self.attempts[number].finally.is_empty() {
                continue;
            }
            if self.leaving >= MAX_LEAVING {
                let hint = "move the statements in `finally` after the whole `try` statement";
                return self.refuse(Code::Try, at, "a `try` with `finally` is left early", hint);
            }
            // What goes wrong there, or leaves it, concerns those outside only.
            let left = self.attempts.split_off(number);
            let start = self.here();
            self.leaving += 1;
            self.statements(&left[0].finally);
            self.leaving -= 1;
            let end = self.here();
            self.attempts.extend(left);
            for attempt in &mut self.attempts[number..] {
                attempt.outside.push((start, end));
            }
        }
    }

    /// The value that is returned, kept from what `finally` does to its variable.
    pub(super) fn leave_with(&mut self, value: super::Operand, at: impl Ranged) -> super::Operand {
        if self.attempts.iter().all(|attempt| attempt.finally.is_empty()) {
            return value;
        }
        let kept: Register = self.temporary();
        let span = self.span(at.range());
        self.emit(super::Instruction::Move { to: kept, from: value }, span);
        self.leave_attempts(0, at.range());
        super::Operand::register(kept)
    }
}
