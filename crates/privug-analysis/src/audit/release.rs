//! What an analysis script publishes about a table.

use super::grouped::ReleaseGroups;
use super::persons::Persons;
pub use privug_engine::evaluate::{Belief, CountOf, Discrete, Median, SecretValue, Skewed};
use privug_engine::network::{Affine, Network, NodeId, Variables};
use privug_engine::number::Scalar;
use privug_language::source::{Sources, Span};

/// A script's outputs, as the attacker models them and as they really are: the result of running it twice.
#[derive(Debug)]
pub struct Release<S> {
    /// The attacker's random variables.
    pub network: Network<S>,
    /// The secret columns, as `people.income`.
    pub columns: Vec<String>,
    /// The rows that have a secret, for each of the columns.
    pub rows: Vec<Vec<u32>>,
    /// The secrets: one for each of these rows, for each of the columns. Each is a node of its own
    /// (scale 1, offset 0), also where priors are correlated, so that a statistic's weight on a person can be read off.
    pub secrets: Variables<S>,
    /// What kind of distribution the attacker has for each of the columns.
    pub beliefs: Vec<Belief>,
    /// Which values of each of the columns must not be learned; for discrete secrets.
    pub sensitive: Vec<Vec<bool>>,
    /// The medians of discrete secrets among what is published.
    pub medians: Vec<Median>,
    /// Which rows agree in all columns that the attacker knows, if not all are known.
    pub known_groups: Option<Vec<u32>>,
    /// Whether the rows of the table are released as they are.
    pub releases_rows: bool,
    /// The real value of each; of a discrete secret that is no number, its code.
    pub truths: Vec<f64>,
    /// What the person of each row is called: the value of an identifying column, or the number of the row, from 1.
    pub people: People,
    /// The published figures that depend on a secret, in the order of the result.
    pub outputs: Vec<Output<S>>,
    /// The published counts, in the order of the result.
    pub counts: Vec<Count>,
    /// What else is published, in the order of the result.
    pub unexamined: Vec<Unexamined>,
    /// How many of the outputs, and of the counts, were published before; they come first.
    pub(super) earlier: (usize, usize),
    /// Where rows stand for many people each: who they are.
    pub(super) groups: Option<ReleaseGroups<S>>,
    /// What was assumed on the way: rows left out, columns read as text, and so on.
    pub notes: Vec<String>,
    /// Where doubles lost the certainty that exact arithmetic has: then lift again in rationals.
    pub doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub rounded: Option<Span>,
    /// The same, or a number with too many digits, where conditioning takes it into account.
    pub known_rounded: Option<Span>,
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

/// A published number of rows of the secrets' table, or of something in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// What it is called.
    pub name: String,
    /// The number.
    pub count: i64,
    /// What it is the number of.
    pub of: CountOf,
    /// The rows behind it; `None` for all rows of the table.
    pub rows: Option<Vec<u32>>,
    /// Where in the script it is returned.
    pub span: Span,
}

impl Count {
    /// Whether it is the number of rows, and there are some.
    pub(super) fn is_sum(&self) -> bool {
        self.of == CountOf::Rows && self.rows.as_ref().is_none_or(|rows| !rows.is_empty())
    }
}

/// Something published of which it is not known who is behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Unexamined {
    /// What it is called.
    pub name: String,
    /// What it is, such as `a text`.
    pub kind: String,
    /// The number, if it is one.
    pub value: Option<f64>,
    /// Where in the script it is returned.
    pub span: Span,
}

impl<S: Scalar> Release<S> {
    /// `weight`·x for the secret x of an entry: terms of the network, and a constant.
    pub(super) fn weighted(&self, entry: usize, weight: &S) -> (Vec<(NodeId, S)>, S) {
        let mut place = entry;
        for (belief, rows) in self.beliefs.iter().zip(&self.rows) {
            if place >= rows.len() {
                place -= rows.len();
                continue;
            }
            let Belief::Discrete(discrete) = belief else { break };
            let value = |code: usize| {
                let value = discrete.values[code].number().unwrap_or(code as f64);
                weight.mul(&S::from_written(value).unwrap_or_else(S::zero))
            };
            let terms = (1..discrete.values.len())
                .map(|code| (discrete.indicator(rows[place] as usize, code), value(code).sub(&value(0))));
            return (terms.collect(), value(0));
        }
        (vec![(self.secrets.get(entry).node, weight.clone())], S::zero())
    }
}

impl<S> Release<S> {
    /// Which rows are about the same person, or how many people each row stands for.
    pub(super) fn persons(&self) -> Persons {
        match &self.groups {
            None => Persons::new(&self.people, &self.rows),
            Some(groups) => Persons::of_groups(&groups.stand_ins.sizes, &self.rows),
        }
    }

    /// The smallest and the largest secret.
    pub(super) fn range(&self) -> (f64, f64) {
        match &self.groups {
            None => self
                .truths
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), truth| (least.min(*truth), most.max(*truth))),
            Some(groups) => groups.whole_range(),
        }
    }

    /// The names of everything published: figures, then counts, then the rest.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let figures = self.outputs.iter().map(|output| output.name.as_str());
        let counts = self.counts.iter().map(|count| count.name.as_str());
        figures.chain(counts).chain(self.unexamined.iter().map(|other| other.name.as_str()))
    }
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
