//! Counts that know which rows they count, so that a published one can be held against the rules.
//!
//! A count is an integer like any other: arithmetic with it gives plain numbers, and then nobody knows any more who is
//! behind them. Only where it is published as it is can it be said how many people it is about.

use std::rc::Rc;

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::{RowSet, Statistic, is_present};
use super::derived::FIRST_MADE;
use super::grouping::Members;
use super::{Column, Index, Series};
use super::{aggregate, derived};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Method;

/// An integer that was counted.
#[derive(Debug)]
pub(in super::super) struct Counted {
    pub(in super::super) count: i64,
    pub(in super::super) table: u32,
    /// `None` for all rows of the table.
    pub(super) rows: Option<Rc<Vec<u32>>>,
    pub(super) of: CountOf,
}

/// What a count is the number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountOf {
    /// The rows themselves.
    Rows,
    /// The distinct values in them, or the groups they fall into.
    Distinct,
}

/// How many of the rows at some positions there are; a plain number where these are no rows of a table.
pub(super) fn count_rows<S: Scalar>(state: &mut State<S>, index: &Index, positions: RowSet<'_>) -> Outcome<Value<S>> {
    let count = match index.sizes() {
        None => positions.len() as u64,
        Some(sizes) => positions.iter().map(|position| sizes.at(position)).sum(),
    };
    count_of(state, CountOf::Rows, count as i64, index, positions)
}

/// How many different things there are in all rows.
pub(super) fn count_distinct<S: Scalar>(state: &mut State<S>, count: usize, index: &Index) -> Outcome<Value<S>> {
    count_of(state, CountOf::Distinct, count as i64, index, RowSet::All(index.len()))
}

fn count_of<S: Scalar>(
    state: &mut State<S>,
    of: CountOf,
    count: i64,
    index: &Index,
    positions: RowSet<'_>,
) -> Outcome<Value<S>> {
    let Index::Rows { table, rows, .. } = index else { return Ok(Value::Int(count)) };
    if *table >= FIRST_MADE {
        return count_of_made(state, of, count, index, positions);
    }
    let rows = match (positions, rows) {
        (RowSet::All(_), rows) => rows.clone(),
        (RowSet::Some(positions), rows) => {
            tables::spend_rows(state, positions.len())?;
            tables::spend_bytes(state, size_of_val(positions))?;
            let row = |at: &u32| rows.as_ref().map_or(*at, |rows| rows[*at as usize]);
            Some(Rc::new(positions.iter().map(row).collect()))
        }
    };
    state.budget.spend_elements(1)?;
    Ok(Value::Counted(Rc::new(Counted { count, table: *table, rows, of })))
}

/// The same for rows of a table that the program made: those that they come from are known, or nothing is.
fn count_of_made<S: Scalar>(
    state: &mut State<S>,
    of: CountOf,
    count: i64,
    index: &Index,
    positions: RowSet<'_>,
) -> Outcome<Value<S>> {
    let Some((table, origin)) = derived::origin_of(state, index)? else { return Ok(Value::Int(count)) };
    tables::spend_bytes(state, positions.len() * size_of::<u32>())?;
    let mut rows: Vec<u32> = positions.iter().map(|at| origin[at]).collect();
    rows.sort_unstable();
    rows.dedup();
    state.budget.spend_elements(1)?;
    Ok(Value::Counted(Rc::new(Counted { count, table, rows: Some(Rc::new(rows)), of })))
}

/// `len` of a table, a column or a grouping; `None` for everything else.
pub(in super::super) fn count_of_table<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Option<Value<S>>> {
    match value {
        Value::Frame(handle) => {
            let index = tables::frame(state, *handle).index.clone();
            count_rows(state, &index, RowSet::All(index.len())).map(Some)
        }
        Value::Series(series) => count_rows(state, &series.index, RowSet::All(series.len())).map(Some),
        Value::Groups(groups) => count_distinct(state, groups.len(), &groups.frame.index).map(Some),
        _ => Ok(None),
    }
}

/// A statistic of all rows of a column. Where rows are only counted it is an array of numpy's, to which a missing value
/// is a number like others.
pub(super) fn series_statistic<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    series: &Series<S>,
) -> Outcome<Value<S>> {
    let is_array = matches!(series.index, Index::Positions(_));
    if is_array && matches!(statistic, Statistic::Sum | Statistic::Mean) && series.column.has_gaps() {
        return Ok(Value::Missing);
    }
    let all = RowSet::All(series.len());
    match counting(state, statistic, series, all)? {
        Some(count) => Ok(count),
        None => aggregate::statistic(state, statistic, series),
    }
}

/// `column.sum(min_count=1)`, `column.mean(skipna=False)`
pub(super) fn series_statistic_with<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    method: Method,
    series: &Series<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let (axis, skips, least) = match statistic {
        Statistic::Sum => {
            let names = ["axis", "skipna", "numeric_only", "min_count"];
            let [axis, skips, _, least] = arguments.bind(method.name(), names, 0, 1)?;
            (axis, skips, least)
        }
        Statistic::Mean => {
            let [axis, skips, _] = arguments.bind(method.name(), ["axis", "skipna", "numeric_only"], 0, 1)?;
            (axis, skips, None)
        }
        Statistic::Count | Statistic::Size => {
            arguments.none(method.name())?;
            (None, None, None)
        }
    };
    if let Some(axis) = axis.filter(|axis| !matches!(axis.value, Value::Int(0) | Value::None)) {
        let message = format!("a column has no axis {}", text::show(state, axis.value));
        return Err(Fault::new(Code::BadArgument, message).at_argument(axis.index));
    }
    let has_gaps = series.column.has_gaps();
    if !derived::flag(state, skips, true)? && has_gaps {
        return Ok(Value::Missing);
    }
    if let Some(least) = least {
        if series.index.sizes().is_some() {
            return Err(super::not_of_groups("`min_count`"));
        }
        let least = containers::whole(least.value, "`min_count`")?;
        let present = (0..series.len()).filter(|row| !series.column.is_missing(*row)).count();
        if (present as i64) < least {
            return Ok(Value::Missing);
        }
    }
    series_statistic(state, statistic, series)
}

/// `np.nansum(column)` and `np.nanmean(column)`: gaps are left out, also of arrays.
pub(in super::super) fn skipping_gaps<S: Scalar>(
    state: &mut State<S>,
    mean: bool,
    series: &Series<S>,
) -> Outcome<Value<S>> {
    let statistic = if mean { Statistic::Mean } else { Statistic::Sum };
    aggregate::statistic(state, statistic, series)
}

/// A statistic of each group of a column's rows.
pub(super) fn series_group_statistics<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    series: &Series<S>,
    members: &Members,
) -> Outcome<Vec<Value<S>>> {
    let mut counts = Vec::with_capacity(members.count());
    for group in 0..members.count() {
        match counting(state, statistic, series, RowSet::Some(members.rows(group)))? {
            Some(count) => counts.push(count),
            None => {
                return aggregate::group_statistics(state, statistic, series, members);
            }
        }
    }
    Ok(counts)
}

/// The statistics that count rows; `None` for all others.
fn counting<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    series: &Series<S>,
    rows: RowSet<'_>,
) -> Outcome<Option<Value<S>>> {
    let counted = |row: &usize| match (statistic, &series.column) {
        (Statistic::Sum, Column::Booleans(values)) => values[*row],
        _ => is_present(&series.column, *row),
    };
    match (statistic, &series.column) {
        (Statistic::Size, _) => count_rows(state, &series.index, rows).map(Some),
        (Statistic::Count, Column::Choices(values)) if values.may_be_missing() => Ok(None),
        (Statistic::Count, _) | (Statistic::Sum, Column::Booleans(_)) => {
            tables::spend_rows(state, rows.len())?;
            if rows.iter().all(|row| counted(&row)) {
                return count_rows(state, &series.index, rows).map(Some);
            }
            let kept: Vec<u32> = rows.iter().filter(counted).map(|row| row as u32).collect();
            count_rows(state, &series.index, RowSet::Some(&kept)).map(Some)
        }
        (Statistic::Sum | Statistic::Mean, _) => Ok(None),
    }
}
