//! Columns made from neighbouring rows and from groups: `cumsum`, `diff`, `shift`, `transform`.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::figures::Figured;
use super::grouping::{Chosen, GroupBy, NO_GROUP};
use super::{Column, Frame, FrameColumn, Series, Words};
use super::{column, figures, frames, merge, windows};
use crate::evaluate::{arithmetic, containers, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Method, TableMethod};
use privug_tables::table::NO_LABEL;

/// `column.cumsum()`: missing values stay missing and are not added.
pub(super) fn running_sum<S: Scalar>(state: &mut State<S>, series: &Series<S>) -> Outcome<Series<S>> {
    windows::refuse_unstable_rows(state, &series.index)?;
    let values = column::cells(state, &series.column)?;
    tables::spend_rows(state, values.len())?;
    let mut total: Option<Value<S>> = None;
    let mut sums = Vec::with_capacity(values.len());
    for value in values {
        if matches!(value, Value::Missing) {
            sums.push(Value::Missing);
            continue;
        }
        let next = match &total {
            Some(total) => arithmetic::binary(state, Binary::Add, total, &value)?,
            // A number of rows becomes an ordinary number, as later ones do.
            None => match value.uncounted().unwrap_or(value) {
                Value::Bool(first) => Value::Int(i64::from(first)),
                first => first,
            },
        };
        total = Some(next.clone());
        sums.push(next);
    }
    like(state, series, sums)
}

/// `column.shift(periods)`
pub(super) fn shifted<S: Scalar>(state: &mut State<S>, series: &Series<S>, periods: i64) -> Outcome<Series<S>> {
    windows::refuse_unstable_rows(state, &series.index)?;
    let count = series.len() as i64;
    let from = |row: i64| row.checked_sub(periods).filter(|from| (0..count).contains(from));
    if let Column::Texts { .. } = series.column {
        // Dates and categories stay what they are.
        let rows: Vec<Option<u32>> = (0..count).map(|row| from(row).map(|from| from as u32)).collect();
        let column = merge::picked_or_missing(state, &series.column, &rows)?;
        return Ok(Series { name: series.name.clone(), column, index: series.index.clone() });
    }
    let values = column::cells(state, &series.column)?;
    tables::spend_rows(state, values.len())?;
    let moved = (0..count).map(|row| from(row).map_or(Value::Missing, |from| values[from as usize].clone()));
    let moved = moved.collect();
    like(state, series, moved)
}

/// `column.diff(periods)`
pub(super) fn differences_of_rows<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    periods: i64,
) -> Outcome<Series<S>> {
    if let Column::Texts { words: Words::Dates, .. } = series.column {
        // Times between dates: the method that is written in the language takes them from the shifted column.
        return Err(Fault::new(Code::Attribute, format!("{} holds dates", series.shown_name())));
    }
    if let Column::Booleans(_) = series.column {
        let message = format!("{} holds booleans, whose differences say only whether they differ", series.shown_name());
        return Err(Fault::hinted(Code::TypeMismatch, message, "make them numbers first: `.astype(int)`"));
    }
    let values = column::cells(state, &series.column)?;
    let earlier = shifted(state, series, periods)?;
    let earlier = column::cells(state, &earlier.column)?;
    let mut differences = Vec::with_capacity(values.len());
    for (value, earlier) in values.iter().zip(&earlier) {
        differences.push(match (value, earlier) {
            (Value::Missing, _) | (_, Value::Missing) => Value::Missing,
            _ => arithmetic::binary(state, Binary::Subtract, value, earlier)?,
        });
    }
    like(state, series, differences)
}

/// How many rows `shift` and `diff` look back.
pub(super) fn periods<S: Scalar>(name: &str, arguments: &Arguments<'_, S>) -> Outcome<i64> {
    let [periods] = arguments.bind(name, ["periods"], 0, 1)?;
    periods.map_or(Ok(1), |periods| containers::whole(periods.value, "the number of rows"))
}

/// Other values for the same rows.
fn like<S: Scalar>(state: &mut State<S>, series: &Series<S>, values: Vec<Value<S>>) -> Outcome<Series<S>> {
    let column = match words_of(state, &series.column, &values) {
        Some(column) => column,
        None => column::column_of(state, values)?,
    };
    Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
}

/// Values of a column of texts as a column of its kind, such as dates; `None` for anything else.
fn words_of<S: Scalar>(state: &State<S>, of: &Column<S>, values: &[Value<S>]) -> Option<Column<S>> {
    let Column::Texts { labels, words, .. } = of else { return None };
    let places: HashMap<&str, u32> = labels.iter().map(|label| &**label).zip(0..).collect();
    let code = |value: &Value<S>| match value {
        Value::Missing => Some(NO_LABEL),
        Value::Text(handle) => places.get(state.heap.text(*handle)).copied(),
        _ => None,
    };
    let codes = values.iter().map(code).collect::<Option<Vec<u32>>>()?;
    Some(Column::Texts { codes: Arc::new(codes), labels: labels.clone(), words: *words })
}

/// `groups.transform("mean")`: the figure of its group in each row.
pub(super) fn transformed<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>, figure: Figured) -> Outcome<Value<S>> {
    let mut columns = Vec::new();
    for position in groups.value_positions() {
        let series = frames::frame_column(state, &groups.frame, position)?;
        let figures = figures::figures_of_groups(state, figure, &series, groups.grouped.members())?;
        tables::spend_rows(state, series.len())?;
        let of_row = |code: &u32| match *code {
            NO_GROUP => Value::Missing,
            code => {
                let figure = &figures[code as usize];
                figure.uncounted().unwrap_or_else(|| figure.clone())
            }
        };
        let values = groups.grouped.codes.iter().map(of_row).collect();
        let column = like(state, &series, values)?.column;
        columns.push(FrameColumn { label: groups.frame.columns[position].label.clone(), column, rows: None });
    }
    let index = groups.frame.index.clone();
    let frame = Frame { index, columns };
    match groups.chosen {
        Chosen::One(_) => frames::frame_column(state, &frame, 0).map(Value::Series),
        Chosen::Rest | Chosen::Some(_) => tables::new_frame(state, frame),
    }
}

/// `groups.shift(n)` and `groups.diff(n)`: within each group.
pub(super) fn moved_in_groups<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    groups: &GroupBy<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let periods = periods(method.name(), arguments)?;
    within_groups(state, groups, |state, part| match method {
        Method::Table(TableMethod::Shift) => shifted(state, part, periods),
        _ => differences_of_rows(state, part, periods),
    })
}

/// `groups.cumsum()`: within each group, in the order of the rows.
pub(super) fn running_sums_of_groups<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>) -> Outcome<Value<S>> {
    within_groups(state, groups, |state, part| running_sum(state, part))
}

fn within_groups<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    mut change: impl FnMut(&mut State<S>, &Series<S>) -> Outcome<Series<S>>,
) -> Outcome<Value<S>> {
    let mut columns = Vec::new();
    for position in groups.value_positions() {
        let series = frames::frame_column(state, &groups.frame, position)?;
        let mut values = vec![Value::Missing; series.len()];
        let members = groups.grouped.members();
        for group in 0..members.count() {
            let rows = Rc::new(members.rows(group).to_vec());
            let column = column::gathered(state, &series.column, Some(&rows))?;
            let part = Series { name: series.name.clone(), column, index: series.index.picked(&rows) };
            let changed = change(state, &part)?;
            for (row, value) in rows.iter().zip(column::cells(state, &changed.column)?) {
                values[*row as usize] = value;
            }
        }
        let column = like(state, &series, values)?.column;
        columns.push(FrameColumn { label: groups.frame.columns[position].label.clone(), column, rows: None });
    }
    let frame = Frame { index: groups.frame.index.clone(), columns };
    match groups.chosen {
        Chosen::One(_) => frames::frame_column(state, &frame, 0).map(Value::Series),
        Chosen::Rest | Chosen::Some(_) => tables::new_frame(state, frame),
    }
}
