//! Refusals to condition, in the user's terms.

use super::escalate::{Failure, UNDECIDED};
use privug_engine::number::Scalar;
use privug_engine::posterior::{Refusal, Resource, Subject};
use privug_language::diagnostic::{self, Code, Diagnostic};
use privug_language::source::{Sources, Span};

/// What was conditioned, as far as messages speak of it.
pub(crate) trait Conditioned {
    /// What is under way, as `the analysis`.
    const WORK: &'static str;
    /// What there would have to be fewer of, as `publish fewer overlapping figures`.
    const FEWER: &'static str;

    /// All texts.
    fn sources(&self) -> &Sources;
    /// The start of the program.
    fn start(&self) -> Span;
    /// Where something stands.
    fn place(&self, subject: Subject) -> Span;
    /// What is open if nobody can tell whether something is new, as `whether this adds any information`.
    fn open(&self, subject: Subject) -> String;
    /// What is too large or too small.
    fn sized(&self, subject: Subject) -> String;
    /// An observed value that cannot be, and the value that the others imply.
    fn contradiction(&self, observation: usize, implied: &str, given: &str) -> Diagnostic;
}

/// Why conditioning gave no result.
pub(crate) fn explain<S: Scalar, T: Conditioned>(refusal: Refusal<S>, about: &T) -> Failure {
    let refuse = |diagnostic| diagnostic::Refusal { sources: about.sources().clone(), diagnostics: vec![diagnostic] };
    let diagnostic = match refusal {
        Refusal::Doubtful { subject } => {
            let message = about.open(subject) + UNDECIDED;
            return Failure::doubtful(refuse(Diagnostic::error(Code::Undecidable, about.place(subject), message)));
        }
        Refusal::OutOfRange { subject } => {
            let message = format!("{} is too large or too small for a double", about.sized(subject));
            let error = Diagnostic::error(Code::ScaleOutOfRange, about.place(subject), message);
            let error = error.hint("choose other units");
            if !S::EXACT {
                return Failure::imprecise(refuse(error));
            }
            error
        }
        Refusal::Contradiction { observation, implied, given } => {
            about.contradiction(observation, &number_text(&implied), &number_text(&given))
        }
        Refusal::TooLarge { resource, needed, limit } => {
            let what = match resource {
                Resource::Cells => "coefficients in memory",
                Resource::Operations => "multiplications",
            };
            let message = format!("conditioning needs {needed:.1e} {what}; the limit is {limit:.1e}");
            let hint = format!("raise it with `--max-work`, or {}", T::FEWER);
            Diagnostic::error(Code::WorkLimit, about.start(), message).hint(hint)
        }
        Refusal::Cancelled => Diagnostic::error(Code::Cancelled, about.start(), format!("{} was cancelled", T::WORK)),
    };
    Failure::Refused(refuse(diagnostic))
}

/// A number as a person would write it.
pub(crate) fn number_text<S: Scalar>(number: &S) -> String {
    const READABLE: usize = 40;
    let exact = number.to_exact_string().filter(|text| text.len() <= READABLE);
    exact.unwrap_or_else(|| {
        let double = number.to_f64();
        let is_usual = double == 0.0 || (1e-6..1e16).contains(&double.abs());
        if is_usual { format!("{double}") } else { format!("{double:e}") }
    })
}
