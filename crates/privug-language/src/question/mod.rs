//! Questions about random variables, `P(490_000 < x < 510_000)`, and requirements on their answers.
//!
//! A question's text is split into the expressions of the program's language that it is about and a small tree over
//! them. The expressions are computed with the program; the answers need only the distributions of those that turned
//! out to be random.

mod parse;
mod requirement;
mod support;

pub use parse::{Operands, parse_query};
pub use requirement::{Bound, Requirement, Subject, parse_requirement, unknown_measure};
pub use support::{Possible, SupportStatement, parse_support};

use crate::source::Span;

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// As it was asked.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What is asked.
    pub kind: QueryKind,
}

/// What is asked; numbers are places among the questions' expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryKind {
    /// `P(event)`
    Probability(Event),
    /// `E(x)`
    Mean(usize),
    /// `Var(x)`
    Variance(usize),
    /// `Std(x)`
    StdDev(usize),
    /// `quantile(x, p)`
    Quantile(usize, usize),
    /// `Cov(x, y)`
    Covariance(usize, usize),
    /// `Corr(x, y)`
    Correlation(usize, usize),
}

/// Something that happens or not.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// `left < right` and the like.
    Comparison {
        /// The left side.
        left: Side,
        /// How they are compared.
        relation: Relation,
        /// The right side.
        right: Side,
        /// Place of `left - right` among the differences.
        difference: usize,
        /// Where it stands.
        span: Span,
    },
    /// An expression of the program's language that is true or not, by its place.
    Holds(usize, Span),
    /// All of them.
    All(Vec<Event>),
    /// At least one of them.
    Any(Vec<Event>),
    /// Not so.
    Not(Box<Event>),
}

/// One side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Side {
    /// An expression.
    Plain(usize),
    /// `abs(expression)`
    Absolute(usize),
}

impl Event {
    /// The comparisons that all have to hold, if the event is one or several of them.
    pub fn comparisons(&self) -> Option<Vec<(Side, Relation, Side)>> {
        match self {
            Event::Comparison { left, relation, right, .. } => Some(vec![(*left, *relation, *right)]),
            Event::All(parts) => {
                let parts: Option<Vec<Vec<_>>> = parts.iter().map(Event::comparisons).collect();
                Some(parts?.concat())
            }
            Event::Any(_) | Event::Not(_) | Event::Holds(_, _) => None,
        }
    }
}

impl Side {
    /// The expression's place.
    pub fn operand(self) -> usize {
        match self {
            Side::Plain(operand) | Side::Absolute(operand) => operand,
        }
    }
}

/// How two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Relation {
    /// The relation with its sides exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
        }
    }

    /// Whether it holds between two numbers.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::LessEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterEqual => left >= right,
        }
    }
}
