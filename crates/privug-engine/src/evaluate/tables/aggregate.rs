//! Sums and means of columns, of all rows and of groups of them.
//!
//! Published figures are compared later with what other figures imply, to within a few units in the last place, so sums
//! of doubles are kept in pairs of doubles. Sums of random variables are one node with the weights as they are; a mean
//! divides it, so that the weights stay exact.

use super::super::fault::{Fault, Outcome};
use super::super::random::Total;
use super::super::state::State;
use super::super::value::Value;
use super::grouping::Members;
use super::{Column, RandomColumn};
use crate::number::{DoubleDouble, Scalar, Wide};
use dashu_int::IBig;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// What is computed of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Sum,
    Mean,
    Count,
    Size,
}

impl Statistic {
    pub(super) fn named(name: &str) -> Option<Statistic> {
        Some(match name {
            "sum" => Statistic::Sum,
            "mean" => Statistic::Mean,
            "count" => Statistic::Count,
            "size" => Statistic::Size,
            _ => return None,
        })
    }
}

/// Some rows of a column.
#[derive(Clone, Copy)]
pub(super) enum RowSet<'a> {
    All(usize),
    Some(&'a [u32]),
}

impl RowSet<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            RowSet::All(count) => *count,
            RowSet::Some(rows) => rows.len(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let (all, some) = match self {
            RowSet::All(count) => (0..*count, [].as_slice()),
            RowSet::Some(rows) => (0..0, *rows),
        };
        all.chain(some.iter().map(|row| *row as usize))
    }
}

impl<S: Scalar> State<S> {
    /// A statistic of all rows; `name` is what messages call the column.
    pub(super) fn statistic(&mut self, statistic: Statistic, column: &Column<S>, name: &str) -> Outcome<Value<S>> {
        self.statistic_of(statistic, column, RowSet::All(column.len()), name)
    }

    /// A statistic of each group.
    pub(super) fn group_statistics(
        &mut self,
        statistic: Statistic,
        column: &Column<S>,
        members: &Members,
        name: &str,
    ) -> Outcome<Vec<Value<S>>> {
        let mut results = Vec::with_capacity(members.count());
        for group in 0..members.count() {
            results.push(self.statistic_of(statistic, column, RowSet::Some(members.rows(group)), name)?);
        }
        Ok(results)
    }

    pub(super) fn statistic_of(
        &mut self,
        statistic: Statistic,
        column: &Column<S>,
        rows: RowSet<'_>,
        name: &str,
    ) -> Outcome<Value<S>> {
        match statistic {
            Statistic::Size => Ok(Value::Int(rows.len() as i64)),
            Statistic::Count => {
                self.spend_rows(rows.len())?;
                Ok(Value::Int(present(column, rows) as i64))
            }
            Statistic::Sum => self.sum_of_rows(column, rows, name),
            Statistic::Mean => {
                let count = present(column, rows);
                if count == 0 {
                    let message = format!("the mean of {name} over no rows");
                    let hint = "no row fits the filter: pandas would publish NaN here";
                    return Err(Fault::hinted(Code::DivisionByZero, message, hint));
                }
                if let Column::Numbers(values) = column {
                    // Divided before the sum is rounded.
                    let total = self.wide_sum(rows.iter().map(|row| &values[row]), rows.len())?;
                    let mean = total.div(&S::Wide::widen(&S::from_i64(count as i64)));
                    let double = |total: DoubleDouble| total.div(&(count as f64).into());
                    return self.summed(mean.narrow(), rows.iter().map(|row| &values[row]), double);
                }
                let total = self.sum_of_rows(column, rows, name)?;
                self.binary(Binary::Divide, &total, &Value::Int(count as i64))
            }
        }
    }

    fn wide_sum<'v>(&mut self, values: impl Iterator<Item = &'v S>, count: usize) -> Outcome<S::Wide> {
        self.spend_rows(count)?;
        Ok(values.fold(S::Wide::zero(), |total, value| total.add(&S::Wide::widen(value))))
    }

    /// A sum of numbers, or what is made of one; where doubles decide, with the double that they make of it.
    fn summed<'v>(
        &self,
        value: S,
        numbers: impl Iterator<Item = &'v S>,
        of_sum: impl Fn(DoubleDouble) -> DoubleDouble,
    ) -> Outcome<Value<S>> {
        if !S::EXACT || !self.follows_doubles {
            return self.float(value);
        }
        let total = numbers.fold(DoubleDouble::zero(), |total, number| total.add(&number.to_f64().into()));
        self.float(value.followed_by(of_sum(total).to_f64()))
    }

    fn sum_of_rows(&mut self, column: &Column<S>, rows: RowSet<'_>, name: &str) -> Outcome<Value<S>> {
        match column {
            Column::Booleans(values) => {
                self.spend_rows(rows.len())?;
                Ok(Value::Int(rows.iter().filter(|row| values[*row]).count() as i64))
            }
            Column::Integers(values) => {
                self.spend_rows(rows.len())?;
                let total: i128 = rows.iter().map(|row| i128::from(values[row])).sum();
                self.integer(IBig::from(total))
            }
            Column::Numbers(values) => {
                let total = self.wide_sum(rows.iter().map(|row| &values[row]), rows.len())?;
                self.summed(total.narrow(), rows.iter().map(|row| &values[row]), |total| total)
            }
            Column::Random(values) => self.random_sum(values, rows),
            Column::Cells(values) => {
                let present: Vec<Value<S>> =
                    rows.iter().map(|row| values[row].clone()).filter(|value| !matches!(value, Value::None)).collect();
                self.sum_values(&present, Value::Int(0))
            }
            Column::Texts { .. } => {
                let message = format!("{name} holds texts, which cannot be added up");
                Err(Fault::hinted(Code::TypeMismatch, message, "choose a column of numbers"))
            }
        }
    }

    /// Σ (offset + scale·node), as one node.
    fn random_sum(&mut self, values: &RandomColumn<S>, rows: RowSet<'_>) -> Outcome<Value<S>> {
        // A term of a node takes half of what an element of a list does.
        self.spend_elements(rows.len() as u64 / 2)?;
        let mut constant = Total::new();
        if let Some(offsets) = &values.offsets {
            self.spend_rows(rows.len())?;
            rows.iter().for_each(|row| constant.add(&offsets[row]));
        }
        let one = S::one();
        let scale = |row: usize| values.scales.as_ref().map_or_else(|| one.clone(), |scales| scales[row].clone());
        let terms: Vec<_> = rows.iter().map(|row| (values.nodes[row], scale(row))).collect();
        if terms.iter().all(|(_, scale)| scale.is_zero()) {
            return self.float(constant.narrow());
        }
        self.sum_terms(terms, &constant).map(Value::random)
    }

    /// The sum of a value that is a column.
    pub(in super::super) fn sum_of_column(&mut self, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        self.of_column(Statistic::Sum, value)
    }

    /// The mean of a value that is a column.
    pub(in super::super) fn mean_of_column(&mut self, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        self.of_column(Statistic::Mean, value)
    }

    fn of_column(&mut self, statistic: Statistic, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        let Value::Series(series) = value else { return Ok(None) };
        self.series_statistic(statistic, series).map(Some)
    }

    /// Σ wᵢ·xᵢ
    pub(in super::super) fn dot_columns(&mut self, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        let product = self.binary_columns(Binary::Multiply, left, right)?;
        match &product {
            Value::Series(series) => self.statistic(Statistic::Sum, &series.column, &series.shown_name()),
            other => Ok(other.clone()),
        }
    }

    /// `np.average(xs, weights=ws)` = Σ wᵢ·xᵢ / Σ wᵢ
    pub(in super::super) fn average_columns(&mut self, values: &Value<S>, weights: &Value<S>) -> Outcome<Value<S>> {
        let total = self.dot_columns(weights, values)?;
        let weights = match self.side(weights)? {
            super::elementwise::Side::Column(series) => series,
            super::elementwise::Side::Single(other) => {
                return Err(Fault::new(Code::TypeMismatch, format!("the weights are {}, not a column", other.kind())));
            }
        };
        let weight = self.statistic(Statistic::Sum, &weights.column, &weights.shown_name())?;
        self.binary(Binary::Divide, &total, &weight)
    }
}

/// How many rows are not missing.
fn present<S: Scalar>(column: &Column<S>, rows: RowSet<'_>) -> usize {
    match column {
        Column::Cells(_) => rows.iter().filter(|row| is_present(column, *row)).count(),
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Texts { .. } | Column::Random(_) => {
            rows.len()
        }
    }
}

/// Whether a row is not missing.
pub(super) fn is_present<S: Scalar>(column: &Column<S>, row: usize) -> bool {
    match column {
        Column::Cells(values) => !matches!(values[row], Value::None),
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Texts { .. } | Column::Random(_) => {
            true
        }
    }
}
