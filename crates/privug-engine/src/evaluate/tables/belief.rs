//! What the attacker believes about a secret column: the kind of distribution that each row's secret has.

use std::sync::Arc;

use crate::network::NodeId;
use crate::number::Rational;
use crate::sums::Law;

/// What kind of distribution the prior gives to the secrets of a column.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Belief {
    /// Gaussian: the nodes of the network are all there is to know.
    #[default]
    Gaussian,
    /// One of a few values, independently of all others.
    Discrete(Discrete),
    /// A skewed, bounded or empirical distribution, independently of all others. The nodes of the network have its mean and
    /// variance: which figures follow from which does not depend on the rest.
    Skewed(Skewed),
}

/// A secret column whose rows have one-dimensional laws.
#[derive(Debug, Clone, PartialEq)]
pub struct Skewed {
    /// The different laws.
    pub laws: Vec<Law>,
    /// The law of each secret, by its place among these.
    pub law_of: Vec<u32>,
}

/// A secret column whose rows each hold one of a few values.
///
/// The network has an indicator 1[x = v] for each row and each value but the first: every function of the secret is
/// affine in them. Its nodes stand for these indicators; their variances mean nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Discrete {
    /// What is possible, ascending; the code of a value is its place here.
    pub values: Vec<SecretValue>,
    /// The different distributions, each with a probability for every value.
    pub laws: Vec<Vec<f64>>,
    /// The same in rationals, where arithmetic is exact; else there are none.
    pub exact_laws: Vec<Vec<Rational>>,
    /// The distribution of each secret, by its place among these.
    pub law_of: Vec<u32>,
    /// The code of the real value of each secret.
    pub truths: Vec<u32>,
    /// The indicators of the table's rows, one after the other; those of the second value first.
    pub first_indicator: NodeId,
    /// How many rows the table has.
    pub row_count: usize,
}

/// A median over rows of a function of a discrete secret.
///
/// It is no sum over people, so that the network only has a node in its place, which stands for nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct Median {
    /// The node in its place.
    pub node: NodeId,
    /// The first indicator of the secret column, by which it is told from others.
    pub first_indicator: NodeId,
    /// The rows of the table that it is taken over: those that have a value.
    pub rows: Vec<u32>,
    /// What comes out for each of the secret's values.
    pub tables: Vec<Vec<f64>>,
    /// Which of these each of the rows has.
    pub which: Vec<u32>,
}

/// One value of a discrete secret.
#[derive(Debug, Clone, PartialEq)]
pub enum SecretValue {
    /// `False` or `True`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Another number.
    Number(f64),
    /// A text.
    Text(Arc<str>),
}

impl SecretValue {
    /// The number that it is or counts as; `None` for texts.
    pub fn number(&self) -> Option<f64> {
        match self {
            SecretValue::Bool(value) => Some(f64::from(u8::from(*value))),
            SecretValue::Int(value) => Some(*value as f64),
            SecretValue::Number(value) => Some(*value),
            SecretValue::Text(_) => None,
        }
    }

    /// As a person writes it.
    pub fn show(&self) -> String {
        match self {
            SecretValue::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
            SecretValue::Int(value) => value.to_string(),
            SecretValue::Number(value) => format!("{value:?}"),
            SecretValue::Text(text) => text.to_string(),
        }
    }
}

impl Discrete {
    /// The indicator of a value (not the first one) in a row of the table.
    pub fn indicator(&self, row: usize, code: usize) -> NodeId {
        NodeId(self.first_indicator.0 + ((code - 1) * self.row_count + row) as u32)
    }

    /// Whose indicator a node is, and of which value: (row of the table, code).
    pub fn indicated(&self, node: NodeId) -> Option<(usize, usize)> {
        let place = node.0.checked_sub(self.first_indicator.0)? as usize;
        let code = place / self.row_count.max(1) + 1;
        (code < self.values.len()).then(|| (place % self.row_count, code))
    }
}
