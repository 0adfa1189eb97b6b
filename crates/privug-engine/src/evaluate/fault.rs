//! What goes wrong while a program runs, before it is known where in the text that is.

use std::rc::Rc;

use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::source::Span;
use privug_language::words::shortened;

/// A refusal on its way to its place in the program.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) hint: Option<String>,
    /// Which argument of the call is to blame, if one is.
    pub(super) argument: Option<usize>,
    /// The class of the exception that the program raises, if it does.
    pub(super) class: Option<Rc<str>>,
    /// What that exception says in Python, where all versions say the same.
    pub(super) says: Option<String>,
}

pub(super) type Outcome<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { code, message: message.into(), hint: None, argument: None, class: None, says: None })
    }

    pub(super) fn hinted(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { hint: Some(hint.into()), ..*Fault::new(code, message) })
    }

    pub(super) fn at_argument(mut self: Box<Self>, index: usize) -> Box<Self> {
        self.argument.get_or_insert(index);
        self
    }

    /// The same, of which it is known what the exception says.
    pub(super) fn saying(mut self: Box<Self>, text: impl Into<String>) -> Box<Self> {
        self.says = Some(text.into());
        self
    }

    /// Whether it is about `None`, with which Python can do no more than is done here: it has no length, no elements and no
    /// attributes.
    pub(super) fn is_of_none(&self) -> bool {
        matches!(self.code, Code::TypeMismatch | Code::NotIterable | Code::Attribute)
            && self.message.starts_with("None ")
    }

    /// Whether the run must end: what was used up will not come back.
    pub(super) fn is_final(&self) -> bool {
        match self.code {
            Code::StepLimit
            | Code::VariableLimit
            | Code::SizeLimit
            | Code::DepthLimit
            | Code::NumberLimit
            | Code::ValueNesting
            | Code::Cancelled
            | Code::AssertionFailed
            | Code::Contradiction
            | Code::TooUnlikely
            | Code::TooManyWorlds
            | Code::BranchOnRandom => true,
            // Everything else poisons one value.
            _ => false,
        }
    }

    /// Whether nothing was done because the thing has no such method, or not with these arguments.
    pub(super) fn is_unknown_method(&self) -> bool {
        matches!(self.code, Code::Attribute | Code::WrongArguments | Code::FunctionAsValue)
    }

    /// Whether it belongs to the worlds in which it happens, because Python stops there too: what is used up or not
    /// understood concerns all of them.
    pub(super) fn is_of_its_worlds(&self) -> bool {
        match self.code {
            Code::AssertionFailed
            | Code::UsedBeforeAssignment
            | Code::NegativeVariance
            | Code::DivisionByZero
            | Code::IndexOutOfRange
            | Code::MissingKey
            | Code::DomainError
            | Code::UnpackMismatch
            | Code::BadProbability => true,
            // Of other arguments it is not known whether Python would take them.
            Code::BadArgument => {
                let endings = [OF_NOTHING, NOT_IN_LIST, NOT_IN_STRING];
                endings.iter().any(|ending| self.message.ends_with(ending))
            }
            _ => self.is_of_none(),
        }
    }

    pub(super) fn at(self, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code, span, shortened(&self.message, LONGEST));
        match self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}

/// How messages end that are about the least, the largest or the middle one of no values.
pub(super) const OF_NOTHING: &str = " of nothing";
/// How messages end that are about a value which a list does not have.
pub(super) const NOT_IN_LIST: &str = "is not in the list";
/// The same of a part that a string does not have.
pub(super) const NOT_IN_STRING: &str = "is not in the string";
/// What is said of elements that are missing in some worlds, whatever they are elements of.
pub(super) const NO_SUCH_ELEMENT: &str = "there is no such element in some worlds";

/// What is quoted of a long message: it may quote a value of the program, which may have megabytes.
const LONGEST: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_quote_megabytes_are_shortened() {
        let long = Fault::new(Code::BadArgument, format!("`{}` is not an ordinary number", "é".repeat(1_000_000)));
        let message = long.at(Span::START).message;
        assert_eq!(message.chars().count(), LONGEST / 2 + 3 + LONGEST / 3);
        assert!(message.starts_with("`éé") && message.ends_with("é` is not an ordinary number"));
        assert_eq!(Fault::new(Code::BadArgument, "short").at(Span::START).message, "short");
    }
}
