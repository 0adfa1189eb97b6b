//! What a function publishes about tables: figures, counts, and everything else.

use super::super::Note;
use super::super::value::Value;
use super::results::Figure;
use super::{Belief, CountOf, Median};
use crate::network::{Affine, Network};
use crate::number::Scalar;
use privug_language::source::Span;

/// Which column of which table is secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretColumn {
    /// The table's place.
    pub table: usize,
    /// The column's place in it.
    pub column: usize,
}

/// The means of groups, and people who are no entries.
#[derive(Debug)]
pub struct GroupMeans<S> {
    /// The mean of each row that has a secret.
    pub means: Vec<Affine<S>>,
    /// Of each group that two rows stand for, somebody whose weight is in the middle.
    pub between: Vec<Affine<S>>,
}

/// What a function publishes about a table, in both runs.
#[derive(Debug)]
pub struct Published<S> {
    /// The attacker's random variables.
    pub network: Network<S>,
    /// The secret of each row that has one, a node of its own; those of the first secret column first.
    pub secrets: Vec<Affine<S>>,
    /// In a table of groups, of which the secrets are those of somebody in each: the mean of each group, which the figures
    /// depend on.
    pub group_means: Option<GroupMeans<S>>,
    /// The rows of these, for each secret column.
    pub rows: Vec<Vec<u32>>,
    /// What kind of distribution the attacker has for each secret column. The node of a discrete secret is the indicator of
    /// its second value.
    pub beliefs: Vec<Belief>,
    /// Which values of each discrete secret column must not be learned: all, unless an expression behind the priors says
    /// which.
    pub sensitive: Vec<Vec<bool>>,
    /// The medians of discrete secrets: the node of each stands for it alone.
    pub medians: Vec<Median>,
    /// The figures that depend on a secret.
    pub figures: Vec<PublishedFigure<S>>,
    /// The counts.
    pub counts: Vec<PublishedCount>,
    /// Everything else.
    pub unexamined: Vec<Unexamined>,
    /// The names of figures that are NaN: nobody with a value is in them.
    pub empty: Vec<String>,
    /// What the script's author should hear.
    pub notes: Vec<Note>,
    /// Where floating point lost the certainty that exact arithmetic has.
    pub doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub rounded: Option<Span>,
    /// The same, or a number with too many digits, where conditioning takes it into account.
    pub known_rounded: Option<Span>,
}

/// One figure that depends on the secret.
#[derive(Debug)]
pub struct PublishedFigure<S> {
    /// What it is called.
    pub name: String,
    /// What the attacker knows it to be.
    pub variable: Affine<S>,
    /// What it really is.
    pub value: S,
    /// Where it is computed.
    pub span: Span,
}

/// A number of rows, or of something in them, that does not depend on a secret.
#[derive(Debug)]
pub struct PublishedCount {
    /// What it is called.
    pub name: String,
    /// The number.
    pub count: i64,
    /// What it is the number of.
    pub of: CountOf,
    /// The table's place.
    pub table: usize,
    /// The rows behind it; `None` for all rows of the table.
    pub rows: Option<Vec<u32>>,
    /// Where it is returned.
    pub span: Span,
}

/// Something published of which it is not known who is behind it.
#[derive(Debug)]
pub struct Unexamined {
    /// What it is called.
    pub name: String,
    /// What a person calls this kind of value.
    pub kind: &'static str,
    /// The number, if it is one.
    pub value: Option<f64>,
    /// Where it is returned.
    pub span: Span,
}

impl<S: Scalar> Published<S> {
    /// Takes up something that does not depend on a secret.
    pub(super) fn push_public(&mut self, figure: Figure<S>, value: Option<f64>, span: Span) {
        let Figure { name, value: public } = figure;
        match public {
            // A cell that has nobody.
            Value::None => {}
            Value::Missing => self.empty.push(name),
            Value::Counted(counted) => self.counts.push(PublishedCount {
                name,
                count: counted.count,
                of: counted.of,
                table: counted.table as usize,
                rows: counted.rows.as_ref().map(|rows| rows.to_vec()),
                span,
            }),
            // Nothing is left of the secret in it.
            Value::Random { .. } => self.unexamined.push(Unexamined { name, kind: "a number", value, span }),
            other => self.unexamined.push(Unexamined { name, kind: other.kind(), value, span }),
        }
    }
}
