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
        if let Column::Choices(choices) = column {
            return self.choice_statistic(statistic, choices, rows, name);
        }
        match statistic {
            Statistic::Size => Ok(Value::Int(rows.len() as i64)),
            Statistic::Count => {
                self.spend_rows(rows.len())?;
                Ok(Value::Int(present(column, rows) as i64))
            }
            Statistic::Sum => self.sum_of_rows(column, rows, name),
            Statistic::Mean => {
                let count = present(column, rows);
                if count == 0 && !matches!(column, Column::Texts { .. }) {
                    return Ok(Value::Missing);
                }
                let numbers: Option<Vec<S>> = match column {
                    Column::Numbers(values) => Some(rows.iter().map(|row| values[row].clone()).collect()),
                    Column::Cells(values) => self.plain_numbers(values, rows)?,
                    Column::Booleans(_)
                    | Column::Integers(_)
                    | Column::Texts { .. }
                    | Column::Random(_)
                    | Column::Choices(_) => None,
                };
                if let Some(numbers) = numbers {
                    // Divided before the sum is rounded.
                    let total = self.wide_sum(numbers.iter(), rows.len())?;
                    let mean = total.div(&S::Wide::widen(&S::from_i64(count as i64)));
                    let double = |total: DoubleDouble| total.div(&(count as f64).into());
                    return self.summed(mean.narrow(), numbers.iter(), double);
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
            Column::Choices(values) => self.choice_sum(values, rows, name),
            Column::Cells(values) => {
                if let Some(numbers) = self.plain_numbers(values, rows)? {
                    let total = self.wide_sum(numbers.iter(), rows.len())?;
                    return self.summed(total.narrow(), numbers.iter(), |total| total);
                }
                self.spend_rows(rows.len())?;
                let present = rows.iter().map(|row| &values[row]).filter(|value| !matches!(value, Value::Missing));
                let present: Vec<Value<S>> = present.cloned().collect();
                if present.iter().all(|value| value.as_random().is_some()) {
                    let variables = present.iter().filter_map(Value::as_random).collect();
                    let column = RandomColumn::from_variables(variables);
                    return self.random_sum(&column, RowSet::All(present.len()));
                }
                self.sum_values(&present, Value::Int(0))
            }
            Column::Texts { .. } => {
                let message = format!("{name} holds strings, which cannot be added up");
                Err(Fault::hinted(Code::TypeMismatch, message, "choose a column of numbers"))
            }
        }
    }

    /// The values that are not missing, if all of them are plain numbers.
    fn plain_numbers(&mut self, values: &[Value<S>], rows: RowSet<'_>) -> Outcome<Option<Vec<S>>> {
        self.spend_rows(rows.len())?;
        let mut numbers = Vec::new();
        for row in rows.iter() {
            match &values[row] {
                Value::Missing => {}
                Value::Int(value) => numbers.push(S::from_i64(*value)),
                Value::Float(value) => numbers.push(value.clone()),
                _ => return Ok(None),
            }
        }
        Ok(Some(numbers))
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

    /// `np.sum(column)`, which is the column's own.
    pub(in super::super) fn sum_of_column(&mut self, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        let Value::Series(series) = value else { return Ok(None) };
        self.series_statistic(Statistic::Sum, series).map(Some)
    }

    /// `sum(column)`, for which a missing value is a number like others.
    pub(in super::super) fn sum_of_iterated_column(&mut self, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        let Value::Series(series) = value else { return Ok(None) };
        if series.column.has_gaps() && !matches!(series.column, Column::Texts { .. }) {
            return Ok(Some(Value::Missing));
        }
        self.statistic(Statistic::Sum, &series.column, &series.shown_name()).map(Some)
    }

    /// The mean of a value that is a column.
    pub(in super::super) fn mean_of_column(&mut self, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        let Value::Series(series) = value else { return Ok(None) };
        if series.column.has_gaps() {
            // `np.mean` leaves them out, `statistics.mean` and `np.average` do not.
            let message = format!("{} has missing values", series.shown_name());
            let hint = "write `.mean()` behind the column, which leaves them out";
            return Err(Fault::hinted(Code::BadArgument, message, hint));
        }
        self.statistic(Statistic::Mean, &series.column, &series.shown_name()).map(Some)
    }

    /// Σ wᵢ·xᵢ
    pub(in super::super) fn dot_columns(&mut self, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        let product = self.binary_columns(Binary::Multiply, left, right)?;
        match &product {
            // A missing product is left out by no one: pandas and numpy multiply matrices here.
            Value::Series(series) if series.column.has_gaps() => Ok(Value::Missing),
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
        if matches!(total, Value::Missing) || weights.column.has_gaps() {
            return Ok(Value::Missing);
        }
        let weight = self.statistic(Statistic::Sum, &weights.column, &weights.shown_name())?;
        self.binary(Binary::Divide, &total, &weight)
    }
}

/// How many rows are not missing.
fn present<S: Scalar>(column: &Column<S>, rows: RowSet<'_>) -> usize {
    rows.iter().filter(|row| is_present(column, *row)).count()
}

/// Whether a row is not missing.
pub(super) fn is_present<S: Scalar>(column: &Column<S>, row: usize) -> bool {
    !column.is_missing(row)
}
