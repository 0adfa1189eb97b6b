//! Errors that users see: a code, a place in the text, one short sentence, and a hint that says what to do.

mod address;
mod codes;
mod json;
mod nearest;
mod render;
mod visible;

pub use address::{Front, addressed};
pub use codes::{ALL as ALL_CODES, Code};
pub use json::to_json;
pub use nearest::{listed, nearest};
pub use render::{Style, render};
pub use visible::{is_unseen, push_visible, visible};

use crate::source::{SourceId, Sources, Span};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The program or its data is refused.
    Error,
}

impl Severity {
    /// As it is written in JSON and text.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
        }
    }
}

/// One finding about the user's input.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// What kind of finding.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One short sentence, without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where it is.
    pub span: Span,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error without a hint.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { code, severity: Severity::Error, message: message.into(), hint: None, span, related: Vec::new() }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }
}

/// Why there is no result: the findings, and the texts that they point into.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The texts.
    pub sources: Sources,
    /// At least one finding, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Refusal {
    /// Everything that both say.
    #[must_use]
    pub fn and(mut self, other: Refusal) -> Self {
        let before = self.sources.append(other.sources);
        let moved = |span: Span| Span { source: SourceId(span.source.0 + before), ..span };
        self.diagnostics.extend(other.diagnostics.into_iter().map(|mut diagnostic| {
            diagnostic.span = moved(diagnostic.span);
            diagnostic.related.iter_mut().for_each(|(span, _)| *span = moved(*span));
            diagnostic
        }));
        self
    }

    /// All results, or everything that is wrong with those that are none.
    pub fn all<T>(results: impl IntoIterator<Item = Result<T, Refusal>>) -> Result<Vec<T>, Refusal> {
        let (mut found, mut refused) = (Vec::new(), None::<Refusal>);
        for result in results {
            match result {
                Ok(value) => found.push(value),
                Err(other) => {
                    refused = Some(match refused {
                        Some(all) => all.and(other),
                        None => other,
                    });
                }
            }
        }
        refused.map_or(Ok(found), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_that_are_put_together_keep_their_places() {
        let one = |name: &str| {
            let mut sources = Sources::default();
            sources.add("program.py", "");
            let source = sources.add(name, "text");
            let span = Span { source, start: 1, end: 2 };
            let diagnostic = Diagnostic::error(Code::MalformedOption, span, name).related(span, "here");
            Refusal { sources, diagnostics: vec![diagnostic] }
        };
        let all = Refusal::all([Ok(1), Err(one("--set")), Err(one("--prior"))]).expect_err("two are wrong");
        for diagnostic in &all.diagnostics {
            assert_eq!(all.sources.get(diagnostic.span.source).name, diagnostic.message);
            assert_eq!(diagnostic.related[0].0, diagnostic.span);
        }
        assert_eq!(Refusal::all([Ok(1), Ok(2)]).ok(), Some(vec![1, 2]));
    }
}
