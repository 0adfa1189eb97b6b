//! Sums and counts over rows of functions of a discrete secret.
//!
//! With f the table of a row and 0 the code of the first value, f(x) = f(0) + Σ_{c>0} (f(c) − f(0))·1[x = c]: a sum over
//! rows is one node over the indicators.

use super::super::super::fault::{Fault, Outcome};
use super::super::super::ndarray::weighted::bin_of;
use super::super::super::random::Total;
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::aggregate::{RowSet, Statistic};
use super::ChoiceColumn;
use crate::evaluate::{arithmetic, random, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// A statistic of some rows.
pub(in super::super) fn choice_statistic<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    column: &ChoiceColumn<S>,
    rows: RowSet<'_>,
    name: &str,
) -> Outcome<Value<S>> {
    let present = |column: &ChoiceColumn<S>| rows.iter().filter(|row| !column.is_missing(*row)).count() as i64;
    match statistic {
        Statistic::Size => Ok(Value::Int(rows.len() as i64)),
        Statistic::Sum => choice_sum(state, column, rows, name),
        Statistic::Count if !column.may_be_missing() => Ok(Value::Int(present(column))),
        // Whether there is a value depends on the secret.
        Statistic::Count => choice_weighted(state, column, rows, |value| match value {
            Value::Missing => Some(S::zero()),
            _ => Some(S::one()),
        }),
        Statistic::Mean if column.may_be_missing() => {
            let message = format!("how many values {name} has depends on the secret");
            let hint = "the mean would be a quotient of two secrets; give every value of the secret a number";
            Err(Fault::hinted(Code::NonlinearFunction, message, hint))
        }
        Statistic::Mean => {
            let count = present(column);
            if count == 0 {
                return Ok(Value::Missing);
            }
            let total = choice_sum(state, column, rows, name)?;
            arithmetic::binary(state, Binary::Divide, &total, &Value::Int(count))
        }
    }
}

/// The sum of some rows; booleans count as 0 and 1, and what has no value is left out.
pub(in super::super) fn choice_sum<S: Scalar>(
    state: &mut State<S>,
    column: &ChoiceColumn<S>,
    rows: RowSet<'_>,
    name: &str,
) -> Outcome<Value<S>> {
    if column.all_values().any(|value| matches!(value, Value::Text(_))) {
        let message = format!("{name} holds strings, which cannot be summed");
        let hint = "compare it first: `(p.disease == \"flu\").sum()`, or count with `value_counts`";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    }
    choice_weighted(state, column, rows, |value| match value {
        Value::Bool(value) => Some(S::from_i64(i64::from(*value))),
        Value::Int(value) => Some(S::from_i64(*value)),
        Value::Float(value) => Some(value.settled()),
        Value::Missing => Some(S::zero()),
        _ => None,
    })
}

/// How many of some rows have the value `wanted`.
pub(in super::super) fn choice_count<S: Scalar>(
    state: &mut State<S>,
    column: &ChoiceColumn<S>,
    rows: RowSet<'_>,
    wanted: &super::Label,
) -> Outcome<Value<S>> {
    let matching: Vec<Vec<bool>> = column
        .tables
        .iter()
        .map(|table| {
            table.iter().map(|value| tables::frames::label_of(state, value).as_ref() == Some(wanted)).collect()
        })
        .collect();
    choice_terms(state, column, rows, |table, code| S::from_i64(i64::from(matching[table][code])))
}

/// How many rows there are in each bin of a histogram with these edges.
pub(in crate::evaluate) fn choice_histogram<S: Scalar>(
    state: &mut State<S>,
    column: &ChoiceColumn<S>,
    edges: &[S],
) -> Outcome<Vec<Value<S>>> {
    let mut bins = Vec::with_capacity(column.tables.len());
    for table in &column.tables {
        let mut of_table = Vec::with_capacity(table.len());
        for value in table.iter() {
            of_table.push(match value {
                Value::Missing => None,
                Value::Int(_) | Value::Float(_) => match state.number(value) {
                    Some(number) => bin_of(edges, &state.scalar(&number)?),
                    None => None,
                },
                _ => {
                    let message = format!("`histogram` takes numbers, not {}", column.kind());
                    return Err(Fault::hinted(Code::TypeMismatch, message, "count them: `value_counts`"));
                }
            });
        }
        bins.push(of_table);
    }
    let mut counts = Vec::with_capacity(edges.len() - 1);
    for bin in 0..edges.len() - 1 {
        // In a bin that nobody's value can be in there is nobody, whatever the secret is.
        counts.push(match bins.iter().flatten().any(|of_value| *of_value == Some(bin)) {
            false => Value::Int(0),
            true => choice_terms(state, column, RowSet::All(column.len()), |table, code| {
                S::from_i64(i64::from(bins[table][code] == Some(bin)))
            })?,
        });
    }
    Ok(counts)
}

fn choice_weighted<S: Scalar>(
    state: &mut State<S>,
    column: &ChoiceColumn<S>,
    rows: RowSet<'_>,
    weight: impl Fn(&Value<S>) -> Option<S>,
) -> Outcome<Value<S>> {
    let mut weights: Vec<Vec<S>> = Vec::with_capacity(column.tables.len());
    for table in &column.tables {
        let of_table: Option<Vec<S>> = table.iter().map(&weight).collect();
        match of_table {
            Some(of_table) => weights.push(of_table),
            None => {
                let message = format!("a column of {} cannot be summed", column.kind());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
        }
    }
    choice_terms(state, column, rows, |table, code| weights[table][code].clone())
}

/// Σ over rows of the weight of what their secret is.
fn choice_terms<S: Scalar>(
    state: &mut State<S>,
    column: &ChoiceColumn<S>,
    rows: RowSet<'_>,
    weight: impl Fn(usize, usize) -> S,
) -> Outcome<Value<S>> {
    tables::spend_rows(state, rows.len())?;
    let source = &column.source;
    let of_row = |row: usize| (column.rows[row], column.table_of(row));
    let present = || rows.iter().filter(|row| !column.is_missing(*row)).map(of_row);
    let mut constant = Total::new();
    if let Some(truths) = &source.truths {
        present().for_each(|(row, table)| constant.add(&weight(table, truths[row as usize] as usize)));
        return whole_or_float(state, constant.narrow());
    }
    present().for_each(|(_, table)| constant.add(&weight(table, 0)));
    // What each table adds for each value but the first.
    let steps: Vec<Vec<S>> = (0..column.tables.len())
        .map(|table| (0..source.labels.len()).map(|code| weight(table, code).sub(&weight(table, 0))).collect())
        .collect();
    let mut terms = Vec::new();
    for code in 1..source.labels.len() {
        if steps.iter().all(|steps| steps[code].is_zero()) {
            continue;
        }
        state.budget.spend_elements(rows.len() as u64 / 2)?;
        let of_code = present().map(|(row, table)| (source.indicator(row, code), steps[table][code].clone()));
        terms.extend(of_code.filter(|(_, step)| !step.is_zero()));
    }
    if terms.is_empty() {
        return whole_or_float(state, constant.narrow());
    }
    random::sum_terms(state, terms, &constant).map(Value::random)
}

/// A number, as an integer where it is one.
fn whole_or_float<S: Scalar>(state: &mut State<S>, value: S) -> Outcome<Value<S>> {
    let floor = value.floor();
    if S::from_integer(&floor).as_ref() == Some(&value) {
        return state.integer(floor);
    }
    state.float(value)
}
