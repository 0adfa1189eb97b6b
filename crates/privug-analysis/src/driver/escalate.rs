//! Which arithmetic a piece of work is run in: doubles and, where they cannot decide, exact rationals.

use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::Span;

/// How a message ends that says what is open.
pub(crate) const UNDECIDED: &str = " could not be decided";

/// Something that can be run in either arithmetic.
pub(crate) trait Work {
    /// What it finds.
    type Found;

    /// Runs it in doubles.
    fn in_doubles(&self) -> Result<Self::Found, Failure>;
    /// Runs it in exact rationals.
    fn in_rationals(&self, pass: &Pass) -> Result<Self::Found, Failure>;
}

/// Which run a run is.
#[derive(Debug)]
pub(crate) enum Pass {
    /// In doubles, at first.
    Doubles,
    /// In rationals, because that was asked for.
    Exact,
    /// In rationals that decide as doubles did where Python decides; with what doubles left open, if it was that.
    Again(Option<Doubt>),
}

/// Something that doubles could not decide.
#[derive(Debug)]
pub(crate) struct Doubt {
    /// What could not be decided, as a refusal would say it: exactly one finding.
    pub(crate) refusal: Refusal,
    /// Whether the rounding of the program's own numbers decides, and not only that of numbers computed from them. Then
    /// rationals can tell only if no irrational number was rounded.
    about_inputs: bool,
}

/// Why a run in one arithmetic gave no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is refused.
    Refused(Refusal),
    /// Doubles cannot decide.
    Doubtful(Doubt),
}

impl Failure {
    /// The rounding of the program's numbers decides.
    pub(crate) fn doubtful(refusal: Refusal) -> Self {
        Failure::Doubtful(Doubt { refusal, about_inputs: true })
    }

    /// Doubles have too few digits; rationals have enough.
    pub(crate) fn imprecise(refusal: Refusal) -> Self {
        Failure::Doubtful(Doubt { refusal, about_inputs: false })
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) | Failure::Doubtful(Doubt { refusal, .. }) => refusal,
        }
    }
}

impl Failure {
    /// The same of a run in rationals, after which nobody is asked: what is in doubt depends on numbers that were rounded.
    pub(crate) fn for_good(self, rounded: Option<Span>, hint: &str) -> Failure {
        match (self, rounded) {
            (Failure::Doubtful(doubt), Some(rounded)) => Failure::Refused(doubt.refused(rounded, hint)),
            (failure, _) => failure,
        }
    }
}

impl Doubt {
    /// The refusal of what depends on how a number is rounded.
    fn refused(&self, rounded: Span, hint: &str) -> Refusal {
        let open = self.finding().message.trim_end_matches(UNDECIDED);
        let message = format!("{open} depends on how a number is rounded");
        let finding = Diagnostic::error(Code::Undecidable, self.finding().span, message).hint(hint);
        let diagnostics = vec![finding.related(rounded, "rounded here")];
        Refusal { sources: self.refusal.sources.clone(), diagnostics }
    }

    /// What could not be decided.
    pub(crate) fn finding(&self) -> &Diagnostic {
        &self.refusal.diagnostics[0]
    }

    /// The line of the program that it is about.
    pub(crate) fn line(&self) -> usize {
        self.refusal.sources.location(self.finding().span).line
    }
}

impl Pass {
    /// Whether a run in rationals does what the run in doubles did.
    pub(crate) fn follows_doubles(&self) -> bool {
        matches!(self, Pass::Again(_))
    }

    /// Refuses if what doubles could not decide depends on how an irrational number was rounded.
    pub(crate) fn refuse_rounding(&self, rounded: Option<Span>, hint: &str) -> Result<(), Failure> {
        let (Pass::Again(Some(doubt)), Some(rounded)) = (self, rounded) else { return Ok(()) };
        if !doubt.about_inputs {
            return Ok(());
        }
        Err(Failure::Refused(doubt.refused(rounded, hint)))
    }
}

/// Runs a piece of work: in rationals if asked for, otherwise in doubles and, where they cannot decide, again in rationals.
pub(crate) fn decide<W: Work>(work: &W, exact: bool) -> Result<W::Found, Refusal> {
    let found = if exact {
        work.in_rationals(&Pass::Exact)
    } else {
        match work.in_doubles() {
            Err(Failure::Doubtful(doubt)) => work.in_rationals(&Pass::Again(Some(doubt))),
            decided => decided,
        }
    };
    found.map_err(Refusal::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_language::source::Sources;
    use std::cell::RefCell;

    /// Work that writes down what is asked of it.
    struct Recorded {
        in_doubles: fn() -> Result<&'static str, Failure>,
        asked: RefCell<Vec<&'static str>>,
    }

    impl Work for Recorded {
        type Found = &'static str;

        fn in_doubles(&self) -> Result<&'static str, Failure> {
            self.asked.borrow_mut().push("doubles");
            (self.in_doubles)()
        }

        fn in_rationals(&self, pass: &Pass) -> Result<&'static str, Failure> {
            self.asked.borrow_mut().push(if pass.follows_doubles() { "again" } else { "rationals" });
            pass.refuse_rounding(Some(Span::START), "write it as a decimal")?;
            Ok("exact")
        }
    }

    fn refusal() -> Refusal {
        let mut sources = Sources::default();
        sources.add("program.py", "\nx");
        let span = Span { start: 1, end: 2, ..Span::START };
        Refusal {
            sources,
            diagnostics: vec![Diagnostic::error(Code::Undecidable, span, "whether so".to_owned() + UNDECIDED)],
        }
    }

    fn decided(
        in_doubles: fn() -> Result<&'static str, Failure>,
        exact: bool,
    ) -> (Result<&'static str, String>, Vec<&'static str>) {
        let work = Recorded { in_doubles, asked: RefCell::default() };
        let found = decide(&work, exact).map_err(|refusal| refusal.diagnostics[0].message.clone());
        (found, work.asked.into_inner())
    }

    #[test]
    fn rationals_are_used_where_they_are_asked_for_or_needed_and_nowhere_else() {
        assert_eq!(decided(|| Ok("float"), false), (Ok("float"), vec!["doubles"]));
        assert_eq!(decided(|| Ok("float"), true), (Ok("exact"), vec!["rationals"]));
        assert_eq!(decided(|| Err(Failure::imprecise(refusal())), false), (Ok("exact"), vec!["doubles", "again"]));
        let refused = decided(|| Err(Failure::Refused(refusal())), false);
        assert_eq!(refused, (Err("whether so could not be decided".to_owned()), vec!["doubles"]));
    }

    #[test]
    fn what_hangs_on_a_rounded_number_is_refused() {
        let (found, asked) = decided(|| Err(Failure::doubtful(refusal())), false);
        assert_eq!(found, Err("whether so depends on how a number is rounded".to_owned()));
        assert_eq!(asked, ["doubles", "again"]);
    }
}
