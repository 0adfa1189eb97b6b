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

impl<S: Scalar> State<S> {
    /// How many of the rows at some positions there are; a plain number where these are no rows of a table.
    pub(super) fn count_rows(&mut self, index: &Index, positions: RowSet<'_>) -> Outcome<Value<S>> {
        let count = match index.sizes() {
            None => positions.len() as u64,
            Some(sizes) => positions.iter().map(|position| sizes.at(position)).sum(),
        };
        self.count_of(CountOf::Rows, count as i64, index, positions)
    }

    /// How many different things there are in all rows.
    pub(super) fn count_distinct(&mut self, count: usize, index: &Index) -> Outcome<Value<S>> {
        self.count_of(CountOf::Distinct, count as i64, index, RowSet::All(index.len()))
    }

    fn count_of(&mut self, of: CountOf, count: i64, index: &Index, positions: RowSet<'_>) -> Outcome<Value<S>> {
        let Index::Rows { table, rows, .. } = index else { return Ok(Value::Int(count)) };
        if *table >= FIRST_MADE {
            return self.count_of_made(of, count, index, positions);
        }
        let rows = match (positions, rows) {
            (RowSet::All(_), rows) => rows.clone(),
            (RowSet::Some(positions), rows) => {
                self.spend_rows(positions.len())?;
                self.spend_bytes(size_of_val(positions))?;
                let row = |at: &u32| rows.as_ref().map_or(*at, |rows| rows[*at as usize]);
                Some(Rc::new(positions.iter().map(row).collect()))
            }
        };
        self.budget.spend_elements(1)?;
        Ok(Value::Counted(Rc::new(Counted { count, table: *table, rows, of })))
    }

    /// The same for rows of a table that the program made: those that they come from are known, or nothing is.
    fn count_of_made(&mut self, of: CountOf, count: i64, index: &Index, positions: RowSet<'_>) -> Outcome<Value<S>> {
        let Some((table, origin)) = self.origin_of(index)? else { return Ok(Value::Int(count)) };
        self.spend_bytes(positions.len() * size_of::<u32>())?;
        let mut rows: Vec<u32> = positions.iter().map(|at| origin[at]).collect();
        rows.sort_unstable();
        rows.dedup();
        self.budget.spend_elements(1)?;
        Ok(Value::Counted(Rc::new(Counted { count, table, rows: Some(Rc::new(rows)), of })))
    }

    /// `len` of a table, a column or a grouping; `None` for everything else.
    pub(in super::super) fn count_of_table(&mut self, value: &Value<S>) -> Outcome<Option<Value<S>>> {
        match value {
            Value::Frame(handle) => {
                let index = self.frame(*handle).index.clone();
                self.count_rows(&index, RowSet::All(index.len())).map(Some)
            }
            Value::Series(series) => self.count_rows(&series.index, RowSet::All(series.len())).map(Some),
            Value::Groups(groups) => self.count_distinct(groups.len(), &groups.frame.index).map(Some),
            _ => Ok(None),
        }
    }

    /// A statistic of all rows of a column. Where rows are only counted it is an array of numpy's, to which a missing value
    /// is a number like others.
    pub(super) fn series_statistic(&mut self, statistic: Statistic, series: &Series<S>) -> Outcome<Value<S>> {
        let is_array = matches!(series.index, Index::Positions(_));
        if is_array && matches!(statistic, Statistic::Sum | Statistic::Mean) && series.column.has_gaps() {
            return Ok(Value::Missing);
        }
        let all = RowSet::All(series.len());
        match self.counting(statistic, series, all)? {
            Some(count) => Ok(count),
            None => self.statistic(statistic, series),
        }
    }

    /// `column.sum(min_count=1)`, `column.mean(skipna=False)`
    pub(super) fn series_statistic_with(
        &mut self,
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
            let message = format!("a column has no axis {}", self.show(axis.value));
            return Err(Fault::new(Code::BadArgument, message).at_argument(axis.index));
        }
        let has_gaps = series.column.has_gaps();
        if !self.flag(skips, true)? && has_gaps {
            return Ok(Value::Missing);
        }
        if let Some(least) = least {
            if series.index.sizes().is_some() {
                return Err(super::not_of_groups("`min_count`"));
            }
            let least = self.whole(least.value, "`min_count`")?;
            let present = (0..series.len()).filter(|row| !series.column.is_missing(*row)).count();
            if (present as i64) < least {
                return Ok(Value::Missing);
            }
        }
        self.series_statistic(statistic, series)
    }

    /// `np.nansum(column)` and `np.nanmean(column)`: gaps are left out, also of arrays.
    pub(in super::super) fn skipping_gaps(&mut self, mean: bool, series: &Series<S>) -> Outcome<Value<S>> {
        let statistic = if mean { Statistic::Mean } else { Statistic::Sum };
        self.statistic(statistic, series)
    }

    /// A statistic of each group of a column's rows.
    pub(super) fn series_group_statistics(
        &mut self,
        statistic: Statistic,
        series: &Series<S>,
        members: &Members,
    ) -> Outcome<Vec<Value<S>>> {
        let mut counts = Vec::with_capacity(members.count());
        for group in 0..members.count() {
            match self.counting(statistic, series, RowSet::Some(members.rows(group)))? {
                Some(count) => counts.push(count),
                None => {
                    return self.group_statistics(statistic, series, members);
                }
            }
        }
        Ok(counts)
    }

    /// The statistics that count rows; `None` for all others.
    fn counting(&mut self, statistic: Statistic, series: &Series<S>, rows: RowSet<'_>) -> Outcome<Option<Value<S>>> {
        let counted = |row: &usize| match (statistic, &series.column) {
            (Statistic::Sum, Column::Booleans(values)) => values[*row],
            _ => is_present(&series.column, *row),
        };
        match (statistic, &series.column) {
            (Statistic::Size, _) => self.count_rows(&series.index, rows).map(Some),
            (Statistic::Count, Column::Choices(values)) if values.may_be_missing() => Ok(None),
            (Statistic::Count, _) | (Statistic::Sum, Column::Booleans(_)) => {
                self.spend_rows(rows.len())?;
                if rows.iter().all(|row| counted(&row)) {
                    return self.count_rows(&series.index, rows).map(Some);
                }
                let kept: Vec<u32> = rows.iter().filter(counted).map(|row| row as u32).collect();
                self.count_rows(&series.index, RowSet::Some(&kept)).map(Some)
            }
            (Statistic::Sum | Statistic::Mean, _) => Ok(None),
        }
    }
}
