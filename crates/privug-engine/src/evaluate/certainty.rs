//! How far the numbers of a run can be relied on, and which arithmetic decides.

use std::cell::Cell;

use privug_language::source::Span;

/// Where certainty was lost, and whether doubles decide in exact arithmetic too.
pub(super) struct Certainty {
    /// Where floating point lost the certainty that exact arithmetic has.
    pub(super) doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub(super) rounded: Option<Span>,
    /// The same where the number knows that it was rounded, so that conditioning decides what can be decided nevertheless.
    pub(super) known_rounded: Cell<Option<Span>>,
    /// Whether there was an irrational number, in any arithmetic.
    pub(super) irrational: bool,
    /// Whether doubles decide although the run is exact: it follows another in doubles.
    pub(super) follows_doubles: bool,
}

impl Certainty {
    pub(super) fn new(follows_doubles: bool) -> Self {
        let known_rounded = Cell::new(None);
        Certainty { doubt: None, rounded: None, known_rounded, irrational: false, follows_doubles }
    }

    /// Keeps the first place where a number was rounded that knows it, in the program rather than in what is given beside it.
    pub(super) fn rounded_at(&self, span: Span) {
        let is_kept = self.known_rounded.get().is_some_and(|kept| kept.source.0 <= span.source.0);
        if !is_kept {
            self.known_rounded.set(Some(span));
        }
    }

    /// Keeps the first place where doubles may have decided wrongly.
    pub(super) fn doubt_at(&mut self, span: Span) {
        self.doubt.get_or_insert(span);
    }
}
