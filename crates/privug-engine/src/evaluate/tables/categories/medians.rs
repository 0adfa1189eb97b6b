//! Medians over rows of functions of a discrete secret: noted down, to be conditioned on by what they say about everybody.

use super::super::super::fault::{Fault, Outcome};
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::belief::Median;
use super::ChoiceColumn;
use crate::evaluate::tables;
use crate::number::Scalar;
use crate::sorting::CompactSort;
use privug_language::diagnostic::Code;

/// The median of all rows that have a value, as pandas takes it: of an even number of them, the mean of the two in the
/// middle.
pub(in super::super) fn choice_median<S: Scalar>(
    state: &mut State<S>,
    column: &ChoiceColumn<S>,
    name: &str,
) -> Outcome<Value<S>> {
    tables::spend_rows(state, column.len())?;
    let mut tables: Vec<Vec<S>> = Vec::with_capacity(column.tables.len());
    for table in &column.tables {
        let numbers: Option<Vec<S>> = table.iter().map(number).collect();
        tables.push(numbers.ok_or_else(|| no_numbers(column, name))?);
    }
    let present: Vec<usize> = (0..column.len()).filter(|row| !column.is_missing(*row)).collect();
    if present.is_empty() {
        return Ok(Value::Missing);
    }
    if let Some(truths) = &column.source.truths {
        let value = |row: &usize| &tables[column.table_of(*row)][truths[column.rows[*row] as usize] as usize];
        let mut values: Vec<&S> = present.iter().map(value).collect();
        values.sort_compact_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let middle = values.len() / 2;
        let median = match values.len() % 2 {
            1 => values[middle].clone(),
            _ => values[middle - 1].add(values[middle]).div(&S::from_i64(2)),
        };
        return state.float(median);
    }
    state.budget.spend_elements(2 * present.len() as u64)?;
    let variable = state.push_node(S::zero(), [], S::one())?;
    state.tables.medians.push(Median {
        node: variable.node,
        first_indicator: column.source.first_indicator,
        rows: present.iter().map(|row| column.rows[*row]).collect(),
        tables: tables.iter().map(|table| table.iter().map(S::to_f64).collect()).collect(),
        which: present.iter().map(|row| column.table_of(*row) as u32).collect(),
    });
    Ok(Value::random(variable))
}

fn number<S: Scalar>(value: &Value<S>) -> Option<S> {
    match value {
        Value::Bool(value) => Some(S::from_i64(i64::from(*value))),
        Value::Int(value) => Some(S::from_i64(*value)),
        Value::Float(value) => Some(value.settled()),
        _ => None,
    }
}

fn no_numbers<S: Scalar>(column: &ChoiceColumn<S>, name: &str) -> Box<Fault> {
    if column.may_be_missing() {
        let message = format!("how many values {name} has depends on the secret");
        let hint = "the median would be one of a secret number of values; give every value of the secret a number";
        return Fault::hinted(Code::NonlinearFunction, message, hint);
    }
    let message = format!("the median of {} is taken, which have no order", column.kind());
    Fault::hinted(Code::TypeMismatch, message, "count them: `value_counts`")
}
