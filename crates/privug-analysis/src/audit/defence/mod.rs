//! Defences that are tried on a release without touching its script: noise, suppression and rounding.

mod protect;
mod read;

pub(super) use protect::{Protection, protect, table_of};
pub(super) use read::read_defences;

use privug_engine::mechanism::Method;
use privug_language::diagnostic::{Diagnostic, Refusal};
use privug_language::source::{Sources, Span};

/// The defences as they are written.
#[derive(Debug, Clone, Default)]
pub struct DefenceTexts {
    /// `NAME=normal(std=1000)` or `NAME=gaussian(epsilon=0.5, delta=1e-5)`; without a name, for all figures.
    pub noise: Vec<String>,
    /// `NAME`: a figure or a whole table.
    pub suppress: Vec<String>,
    /// `1000` for all figures, or `NAME=1000`.
    pub round: Vec<String>,
}

impl DefenceTexts {
    /// Each in a few words.
    pub fn describe(&self) -> Vec<String> {
        let told = |what: &str, texts: &[String]| texts.iter().map(|text| format!("{what} {text}")).collect::<Vec<_>>();
        [told("noise", &self.noise), told("suppress", &self.suppress), told("round to", &self.round)].concat()
    }
}

/// All defences, and the texts that they were read from.
#[derive(Debug, Clone, Default)]
pub(super) struct Defences {
    sources: Sources,
    all: Vec<Defence>,
}

impl Defences {
    /// What is wrong with them.
    pub(super) fn refuse(&self, diagnostics: Vec<Diagnostic>) -> Refusal {
        Refusal { sources: self.sources.clone(), diagnostics }
    }
}

/// One defence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Defence {
    /// Which figures; all if it names none.
    pub(super) name: Option<String>,
    /// Where the name is, or the whole text.
    pub(super) span: Span,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Suppress,
    /// To multiples of this.
    Round(f64),
    /// Gaussian noise of this standard deviation.
    Noise(f64),
    /// Gaussian noise for a promise.
    Mechanism {
        epsilon: f64,
        delta: f64,
        sensitivity: Sensitivity,
        method: Method,
    },
}

/// The most by which one person changes a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sensitivity {
    /// As given.
    Given(f64),
    /// The largest weight times this range of secrets.
    Range(f64),
    /// The largest weight times the range of the real secrets.
    RangeOfData,
}
