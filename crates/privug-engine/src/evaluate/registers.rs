//! Reading operands, storing results, and what becomes of a result that is a fault.

use super::choices;
use super::choices::Chosen;
use super::fault::{Fault, Outcome};
use super::running::{Machine, Stop, read};
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Function, Operand, Register};

/// A cancelled run goes on for at most this many steps.
const STEPS_BETWEEN_PAUSES: u64 = 1 << 16;
/// More errors than this are not independent any more.
const MAX_DIAGNOSTICS: usize = 20;

impl<S: Scalar> Machine<'_, S> {
    /// Budgets and cancellation, looked at now and then.
    #[cold]
    pub(super) fn pause(&mut self) -> Result<(), Stop> {
        let steps = self.state.budget.steps;
        self.pause_at =
            steps.saturating_add(STEPS_BETWEEN_PAUSES).min(self.state.budget.limits.steps.saturating_add(1));
        let outcome = self.state.budget.spend_steps(0).and_then(|()| self.state.budget.check_cancelled());
        outcome.or_else(|fault| self.fail(fault))
    }

    /// Notes a fault down; the run goes on with a poisoned value unless it is final.
    pub(super) fn report(&mut self, fault: Box<Fault>, span: privug_language::source::Span) -> Result<(), Stop> {
        let is_final = fault.is_final();
        // What is said of a refused value is no news, and hides why it was refused.
        if !self.diagnostics.is_empty() && fault.message.contains(Value::<S>::Poison.kind()) {
            return Err(Stop);
        }
        let diagnostic = fault.at(span);
        // The same line in the next round of a loop is not another error.
        let known = self.diagnostics.iter().any(|known| known.code == diagnostic.code && known.span == diagnostic.span);
        if !known {
            self.diagnostics.push(diagnostic);
        }
        if is_final || self.diagnostics.len() >= MAX_DIAGNOSTICS { Err(Stop) } else { Ok(()) }
    }

    pub(super) fn fail(&mut self, fault: Box<Fault>) -> Result<(), Stop> {
        let span = self.state.span;
        if self.is_harmless(&fault)? {
            return Ok(());
        }
        self.report(fault, span)
    }

    /// Ends a statement that has failed, or the run if it cannot go on without it.
    pub(super) fn give_up(&mut self, fault: Box<Fault>) -> Result<(), Stop> {
        if self.is_harmless(&fault)? {
            return Ok(());
        }
        let span = self.state.span;
        self.report(fault, span)?;
        Err(Stop)
    }

    pub(super) fn poison(&mut self, base: usize, to: Register, fault: Box<Fault>) -> Result<(), Stop> {
        if self.is_harmless(&fault)? {
            return self.put(base + to as usize, Value::Unbound);
        }
        self.registers[base + to as usize] = Value::Poison;
        let span = self.state.span;
        self.report(fault, span)
    }

    pub(super) fn store(&mut self, base: usize, to: Register, result: Outcome<Value<S>>) -> Result<(), Stop> {
        match result {
            Ok(value) => self.put(base + to as usize, value),
            Err(fault) => self.poison(base, to, fault),
        }
    }

    pub(super) fn store_call(
        &mut self,
        base: usize,
        to: Register,
        argument_spans: &[privug_language::source::Span],
        result: Outcome<Value<S>>,
    ) -> Result<(), Stop> {
        match result {
            Ok(value) => self.put(base + to as usize, value),
            Err(fault) if self.is_harmless(&fault)? => self.put(base + to as usize, Value::Unbound),
            Err(fault) => {
                self.registers[base + to as usize] = Value::Poison;
                let blamed = fault.argument.and_then(|index| argument_spans.get(index)).copied();
                // What stands in a written module has no place of its own.
                let blamed = blamed.filter(|span| *span != privug_language::source::Span::START);
                let span = blamed.unwrap_or(self.state.span);
                self.report(fault, span)
            }
        }
    }

    /// An operand's value; a variable without one is an error.
    pub(super) fn fetch(&mut self, function: &Function, base: usize, operand: Operand) -> Result<Value<S>, Stop> {
        let value = read(&self.registers, &self.literals, base, operand);
        if matches!(value, Value::Unbound) {
            let fault = self.unbound(function, base, &[operand]).unwrap_or_else(|| without_value("it"));
            let harmless = self.is_harmless(&fault)?;
            if !harmless {
                self.fail(fault)?;
            }
            return Ok(if harmless { Value::Unbound } else { Value::Poison });
        }
        let value = value.clone();
        if let Value::Choice(Chosen::Diagram(diagram)) = value
            && choices::lift::is_partial(&self.state, diagram)
            && choices::calls::require_presence(&mut self.state, &value).is_err()
        {
            let register = operand.place().unwrap_or(u32::MAX);
            let name = function.variables.get(register as usize).map_or("a variable", String::as_str);
            self.fail(without_value(name))?;
            return Ok(Value::Poison);
        }
        Ok(value)
    }

    /// The fault of reading a variable without a value, if one of the operands is one.
    pub(super) fn unbound(&self, function: &Function, base: usize, operands: &[Operand]) -> Option<Box<Fault>> {
        operands.iter().find_map(|operand| {
            let register = operand.place().ok()?;
            let value = &self.registers[base + register as usize];
            // Of what is not a variable, only what an exception says may have no value.
            let name = function.variables.get(register as usize).map_or(EXCEPTION, String::as_str);
            matches!(value, Value::Unbound).then(|| without_value(name))
        })
    }
}

/// What the names of exceptions begin with whose texts or arguments are read.
const EXCEPTION: &str = "exception ";

pub(super) fn without_value(name: &str) -> Box<Fault> {
    if name.starts_with(EXCEPTION) {
        let hint = "only messages of exceptions raised by the program itself are known, and not those of a `KeyError` or of several arguments";
        return Fault::hinted(Code::UsedBeforeAssignment, "the message of this exception is not known", hint);
    }
    let message = format!("`{name}` is used before it has a value");
    Fault::hinted(Code::UsedBeforeAssignment, message, "assign it on every path to this line")
}
