//! Results as one self-contained page for people: the verdict in words, what it rests on, plots, tables, a glossary,
//! and how to get the same again.
//!
//! A page loads nothing from anywhere, and says so to the browser. It is the same bytes for the same result and the same
//! [`Provenance`].

mod analysis;
mod audit;
mod choices;
mod comparison;
mod figure;
mod frame;
mod glossary;
mod inputs;
mod knowledge;
mod listing;
mod page;
mod sweep;
#[cfg(test)]
mod tests;
mod verdict;
mod words;

pub use analysis::analysis_to_html;
pub use audit::audit_to_html;
pub use comparison::comparison_to_html;
pub use sweep::sweep_to_html;

/// Where a page comes from. The library has no clock and does not know how it was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The command that makes the page, as it can be typed into a shell.
    pub command: String,
    /// The version of the program.
    pub version: String,
    /// When the page was made.
    pub date: String,
}
