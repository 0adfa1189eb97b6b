//! Columns that depend on a discrete secret, row by row.
//!
//! Whatever is computed from one row's secret is a small table: what comes out for each of the secret's values. An operator
//! is carried out once for each table, not for each row; where rows are added up, the tables become weights of the
//! secret's indicators ([`sums`]).

pub(in crate::evaluate) mod combine;
pub(in crate::evaluate) mod grouped;
pub(in crate::evaluate) mod medians;
pub(in crate::evaluate) mod prior;
mod source;
pub(in crate::evaluate) mod sums;

pub(super) use grouped::SecretKeys;
pub(super) use source::{SecretSource, label, secret_source};

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Label, Series};
use crate::evaluate::tables;
use crate::network::NodeId;
use crate::number::{Rational, Scalar};
use privug_language::diagnostic::Code;

/// Where the values of a discrete secret are.
#[derive(Debug)]
pub(in super::super) struct ChoiceSource {
    /// What is possible, ascending.
    pub(super) labels: Vec<Label>,
    /// The distributions, and that of each row.
    pub(super) laws: Vec<Vec<f64>>,
    /// The same in rationals, where arithmetic is exact; else there are none.
    pub(super) exact_laws: Vec<Vec<Rational>>,
    pub(super) law_of: Vec<u32>,
    /// The indicators of rows, those of the second value first.
    pub(super) first_indicator: NodeId,
    /// In the run on real values: the code of each row's value.
    pub(super) truths: Option<Vec<u32>>,
}

/// The row of the table that a missing value comes from: none.
pub(super) const NO_ROW: u32 = u32::MAX;

/// A column of functions of a discrete secret.
#[derive(Debug)]
pub(in super::super) struct ChoiceColumn<S> {
    pub(super) source: Rc<ChoiceSource>,
    /// The row of the table that each row's secret is in; [`NO_ROW`] where it is missing.
    pub(super) rows: Vec<u32>,
    /// What comes out for each of the secret's values.
    pub(super) tables: Vec<Rc<Vec<Value<S>>>>,
    /// Which of the tables each row has; `None` if all have the first.
    pub(super) which: Option<Vec<u32>>,
    /// Whether it is the secret itself.
    pub(super) is_untouched: bool,
    /// The intervals of `pd.cut` in their order: all of them are counted, also those that nobody is in.
    pub(super) categories: Option<Rc<Vec<Label>>>,
}

impl ChoiceSource {
    /// How many rows the table has.
    pub(super) fn row_count(&self) -> usize {
        self.law_of.len()
    }

    /// The indicator of a value (not the first one) in a row of the table.
    pub(super) fn indicator(&self, row: u32, code: usize) -> NodeId {
        NodeId(self.first_indicator.0 + ((code - 1) * self.row_count()) as u32 + row)
    }
}

impl<S: Scalar> ChoiceColumn<S> {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn is_missing(&self, row: usize) -> bool {
        self.rows[row] == NO_ROW
    }

    /// Which table a row has.
    pub(super) fn table_of(&self, row: usize) -> usize {
        self.which.as_ref().map_or(0, |which| which[row] as usize)
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        ChoiceColumn {
            source: self.source.clone(),
            rows: rows.iter().map(|row| self.rows[*row as usize]).collect(),
            tables: self.tables.clone(),
            which: self.which.as_ref().map(|which| rows.iter().map(|row| which[*row as usize]).collect()),
            is_untouched: self.is_untouched,
            categories: self.categories.clone(),
        }
    }

    pub(super) fn bytes_per_row(&self) -> usize {
        4 + if self.which.is_some() { 4 } else { 0 }
    }

    /// All values that any of the tables has.
    pub(super) fn all_values(&self) -> impl Iterator<Item = &Value<S>> {
        self.tables.iter().flat_map(|table| table.iter())
    }

    /// Whether it holds booleans only.
    pub(super) fn is_boolean(&self) -> bool {
        self.all_values().all(|value| matches!(value, Value::Bool(_)))
    }

    /// Whether some function gives no value at all for some secret.
    pub(super) fn may_be_missing(&self) -> bool {
        self.all_values().any(|value| matches!(value, Value::Missing))
    }

    pub(super) fn kind(&self) -> &'static str {
        let all = |is: fn(&Value<S>) -> bool| self.all_values().all(is);
        if self.is_boolean() {
            "secret booleans"
        } else if all(|value| matches!(value, Value::Text(_) | Value::Missing)) {
            "secret strings"
        } else {
            "secret numbers"
        }
    }
}

/// The secret itself, in each row.
pub(super) fn choice_column<S: Scalar>(
    state: &mut State<S>,
    source: Rc<ChoiceSource>,
    rows: Vec<u32>,
) -> Outcome<ChoiceColumn<S>> {
    tables::spend_bytes(state, rows.len() * size_of::<u32>())?;
    let table =
        source.labels.iter().map(|label| tables::frames::label_value(state, label)).collect::<Outcome<Vec<_>>>()?;
    Ok(ChoiceColumn { source, rows, tables: vec![Rc::new(table)], which: None, is_untouched: true, categories: None })
}

/// One row's value on its own. Only numbers are: they are sums of one.
pub(super) fn choice_cell<S: Scalar>(state: &mut State<S>, column: &ChoiceColumn<S>, row: usize) -> Outcome<Value<S>> {
    if column.is_missing(row) {
        return Ok(Value::Missing);
    }
    if let Some(truths) = &column.source.truths {
        let code = truths[column.rows[row] as usize] as usize;
        return Ok(column.tables[column.table_of(row)][code].clone());
    }
    let is_number = |value: &Value<S>| matches!(value, Value::Int(_) | Value::Float(_));
    if !column.tables[column.table_of(row)].iter().all(is_number) {
        let message = format!("a single row is selected from a column of {}", column.kind());
        let hint = "count whole groups, with `value_counts`, `crosstab` or `.sum()`; for a release of the rows themselves use `--release-rows`";
        return Err(Fault::hinted(Code::SecretDecides, message, hint));
    }
    sums::choice_sum(state, column, super::aggregate::RowSet::Some(&[row as u32]), "a secret column")
}

/// What a column's secret is called where it cannot be used.
pub(super) fn refuse_choice<S: Scalar>(what: &str, series: &Series<S>) -> Box<Fault> {
    let message = format!("{what} {}, which is secret", series.shown_name());
    let hint = "counts and sums of it in public groups can be audited: `value_counts`, `crosstab`, `.sum()`, `.mean()`";
    Fault::hinted(Code::SecretDecides, message, hint)
}
