//! How far the numbers of a run can be relied on, and which arithmetic decides.

use privug_language::source::Span;

/// Where certainty was lost, and whether doubles decide in exact arithmetic too.
pub(super) struct Certainty {
    /// Where floating point lost the certainty that exact arithmetic has.
    pub(super) doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub(super) rounded: Option<Span>,
    /// Whether there was an irrational number, in any arithmetic.
    pub(super) irrational: bool,
    /// Whether doubles decide although the run is exact: it follows another in doubles.
    pub(super) follows_doubles: bool,
}

impl Certainty {
    pub(super) fn new(follows_doubles: bool) -> Self {
        Certainty { doubt: None, rounded: None, irrational: false, follows_doubles }
    }

    /// Keeps the first place where doubles may have decided wrongly.
    pub(super) fn doubt_at(&mut self, span: Span) {
        self.doubt.get_or_insert(span);
    }
}
