//! What stays behind in the module when a function has ended, from where it may be published.

use super::fault::Fault;
use super::running::{Machine, Stop};
use super::tables;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::source::Span;

impl<S: Scalar> Machine<'_, S> {
    /// How much that is random each variable of the module has in it, defaults of parameters included.
    pub(super) fn kept_by_module(&self) -> Vec<usize> {
        let registers = 0..self.program.functions[0].register_count;
        registers.map(|register| tables::results::count_random(&self.state, &self.global(register), 0)).collect()
    }

    /// What stays in a variable of the module may be published from there.
    pub(super) fn refuse_keeping(&mut self, before: &[usize], span: Span) -> Result<(), Stop> {
        if self.state.publishes && self.kept_by_module().iter().zip(before).any(|(after, before)| after > before) {
            let message = "the function keeps something random in a variable of the module, or in a default";
            let hint = "return it if it should be published, or keep it in a local variable";
            self.report(Fault::hinted(Code::UnknownResult, message, hint), span)?;
        }
        Ok(())
    }
}
