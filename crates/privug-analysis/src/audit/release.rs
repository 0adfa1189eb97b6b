//! What an analysis script publishes about a table.

use privug_engine::network::{Affine, Network, Variables};
use privug_language::source::{Sources, Span};

/// A script's outputs, as the attacker models them and as they really are: the result of running it twice.
#[derive(Debug)]
pub struct Release<S> {
    /// The attacker's random variables.
    pub network: Network<S>,
    /// The secret of each person (each row of the secret's table), in the table's order. Each is a node of its own
    /// (scale 1, offset 0), also where priors are correlated, so that a statistic's weight on a person can be read off.
    pub secrets: Variables<S>,
    /// The real value of each person's secret.
    pub truths: Vec<f64>,
    /// What each person is called: the value of an identifying column, or the number of the row, from 1.
    pub people: People,
    /// The published figures, in the order of the result.
    pub outputs: Vec<Output<S>>,
    /// What was assumed on the way: rows left out, columns read as text, and so on.
    pub notes: Vec<String>,
    /// Where doubles lost the certainty that exact arithmetic has: then lift again in rationals.
    pub doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub rounded: Option<Span>,
    /// The script and the options, for messages about `Output::span`.
    pub sources: Sources,
}

/// What the people in a table are called.
#[derive(Debug, Clone, PartialEq)]
pub enum People {
    /// By their row, from 1.
    Rows(usize),
    /// By the values of a column.
    Named {
        /// The column.
        column: String,
        /// One for each row.
        names: Vec<String>,
    },
}

/// One published figure.
#[derive(Debug, Clone)]
pub struct Output<S> {
    /// What it is called: the path in the result, such as `by group[21-30, male]`.
    pub name: String,
    /// What the attacker knows it to be.
    pub variable: Affine<S>,
    /// What is published, computed from the real values.
    pub value: S,
    /// Where in the script it is returned.
    pub span: Span,
}
