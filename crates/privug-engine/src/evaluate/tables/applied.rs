//! What functions of the program make of columns, rows and groups, put together as pandas does.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::grouping::{Chosen, GroupBy, NO_GROUP};
use super::index::Level;
use super::{Frame, FrameColumn, Index, Keys, Label, Series};
use super::{column, columns_method, derived, frames, groups_method, joined, lookup};
use crate::evaluate::tables;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `frame.assign(name=value)`
pub(in super::super) fn table_with<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    name: &str,
    value: &Value<S>,
) -> Outcome<Value<S>> {
    let Value::Frame(handle) = object else {
        return Err(Fault::new(Code::TypeMismatch, format!("{} has no columns", object.kind())));
    };
    let name = state.text(name.to_owned())?;
    let frame = tables::frame(state, *handle).clone();
    let changed = frames::with_column(state, frame, &name, value)?;
    tables::new_frame(state, changed)
}

/// Other values for the rows of a column.
pub(in super::super) fn series_like<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    values: Vec<Value<S>>,
) -> Outcome<Value<S>> {
    if values.iter().any(|value| matches!(value, Value::Poison)) {
        return Ok(Value::Poison);
    }
    check_cells(state, &values)?;
    let column = column::column_of(state, values)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

fn check_cells<S: Scalar>(state: &State<S>, values: &[Value<S>]) -> Outcome<()> {
    let is_cell = |value: &Value<S>| {
        let is_text = matches!(value, Value::Text(_) | Value::Missing) || value.only_figure().is_some();
        is_text || state.number(value).is_some() || value.as_random().is_some()
    };
    match values.iter().find(|value| !is_cell(value)) {
        Some(other) => {
            let hint = "the function must give a number or a string";
            Err(Fault::hinted(Code::TypeMismatch, format!("a column cannot hold {}", other.kind()), hint))
        }
        None => Ok(()),
    }
}

/// The rows of a frame, or its columns.
pub(in super::super) fn frame_parts<S: Scalar>(
    state: &mut State<S>,
    handle: u32,
    by_row: bool,
) -> Outcome<Vec<Value<S>>> {
    let frame = tables::frame(state, handle).clone();
    if by_row {
        return (0..frame.len()).map(|row| table_row(state, &frame, row)).collect();
    }
    (0..frame.columns.len()).map(|column| frames::frame_column(state, &frame, column).map(Value::Series)).collect()
}

/// A row as pandas gives it: numbers of different kinds become floats.
pub(super) fn table_row<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, row: usize) -> Outcome<Value<S>> {
    let value = lookup::frame_row(state, frame, row)?;
    let Value::Series(series) = &value else { return Ok(value) };
    let cells = column::cells(state, &series.column)?;
    let is_float = |cell: &Value<S>| matches!(cell, Value::Float(_) | Value::Missing) || cell.as_random().is_some();
    let is_int = |cell: &Value<S>| matches!(cell, Value::Int(_));
    if !cells.iter().all(|cell| is_float(cell) || is_int(cell)) || !cells.iter().any(is_float) {
        return Ok(value);
    }
    let float = |cell: Value<S>| if let Value::Int(cell) = cell { Value::Float(S::from_i64(cell)) } else { cell };
    series_like(state, series, cells.into_iter().map(float).collect())
}

/// What the columns of a frame are called.
pub(in super::super) fn names_of_columns<S: Scalar>(state: &mut State<S>, handle: u32) -> Outcome<Vec<Value<S>>> {
    let frame = tables::frame(state, handle).clone();
    columns_method::column_names(state, &frame)
}

/// What a function made of each row or column of a frame.
pub(in super::super) fn applied_frame<S: Scalar>(
    state: &mut State<S>,
    handle: u32,
    by_row: bool,
    results: Vec<Value<S>>,
) -> Outcome<Value<S>> {
    if results.iter().any(|value| matches!(value, Value::Poison)) {
        return Ok(Value::Poison);
    }
    let frame = tables::frame(state, handle).clone();
    if results.iter().all(|value| matches!(value, Value::Series(_))) && !results.is_empty() {
        return match by_row {
            true => stacked_results(state, frame.index, &results),
            false => columns_side_by_side(state, &frame, &results),
        };
    }
    check_cells(state, &results)?;
    let index = if by_row {
        frame.index
    } else {
        let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
        let scalar = labels.iter().all(|label| label.len() == 1);
        Index::Keys(Keys::new(labels, scalar))
    };
    let column = column::column_of(state, results)?;
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// What a function made of each column, as a table: all of the same rows.
fn columns_side_by_side<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, results: &[Value<S>]) -> Outcome<Value<S>> {
    let (mut index, mut columns): (Option<Index>, Vec<FrameColumn<S>>) = (None, Vec::new());
    for (column, result) in frame.columns.iter().zip(results) {
        let Value::Series(series) = result else { continue };
        if index.as_ref().is_some_and(|index| !index.same(&series.index)) {
            let hint = "give as many values for each column, with the same labels";
            return Err(Fault::hinted(Code::DifferentRows, "the function gives columns of different rows", hint));
        }
        index.get_or_insert_with(|| series.index.clone());
        let label = column.label.clone();
        columns.push(FrameColumn { label, column: series.column.clone(), rows: None });
    }
    let index = index.unwrap_or_else(|| frame.index.clone());
    tables::new_frame(state, Frame { index, columns })
}

/// A group as `apply` sees it: without the columns that are grouped by.
pub(in super::super) fn applied_group<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    group: usize,
) -> Outcome<Value<S>> {
    if let Chosen::One(position) = groups.chosen {
        return part_of_group(state, groups, position, group);
    }
    let positions = groups.value_positions();
    let columns = positions.iter().map(|position| groups.frame.columns[*position].clone()).collect();
    let frame = Frame { index: groups.frame.index.clone(), columns };
    let rows = groups.grouped.members().rows(group).to_vec();
    derived::rows_at(state, &frame, rows)
}

/// A group with all its columns.
pub(in super::super) fn whole_group<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    group: usize,
) -> Outcome<Value<S>> {
    if let Chosen::One(position) = groups.chosen {
        return part_of_group(state, groups, position, group);
    }
    let rows = groups.grouped.members().rows(group).to_vec();
    let frame = groups.frame.clone();
    derived::rows_at(state, &frame, rows)
}

/// One column of a group.
pub(in super::super) fn part_of_group<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    position: usize,
    group: usize,
) -> Outcome<Value<S>> {
    let series = frames::frame_column(state, &groups.frame, position)?;
    let rows = groups.grouped.members().rows(group).to_vec();
    derived::values_at(state, &series, rows)
}

/// What a function made of each group: numbers become a column, columns of the same labels a table.
pub(in super::super) fn applied_groups<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    results: Vec<Value<S>>,
) -> Outcome<Value<S>> {
    if results.iter().any(|value| matches!(value, Value::Poison)) {
        return Ok(Value::Poison);
    }
    let index = Index::Keys(groups.grouped.keys.clone());
    if results.iter().all(|result| matches!(result, Value::Series(_))) && !results.is_empty() {
        let made = stacked_results(state, index, &results)?;
        return groups_method::without_keys(state, groups, made);
    }
    if results.iter().all(|result| matches!(result, Value::Frame(_))) && !results.is_empty() {
        return below_each_other(state, groups, &results);
    }
    check_cells(state, &results)?;
    let column = column::column_of(state, results)?;
    let name = match groups.chosen {
        Chosen::One(position) => Some(Rc::from(super::label_text(&groups.frame.columns[position].label))),
        Chosen::Rest | Chosen::Some(_) => None,
    };
    let made = Value::Series(Rc::new(Series { name, column, index }));
    groups_method::without_keys(state, groups, made)
}

/// The tables that a function made of each group: each under the key of its group, or without keys in the order of the rows
/// if these are those of the groups.
fn below_each_other<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>, results: &[Value<S>]) -> Outcome<Value<S>> {
    if groups.keyless {
        let hint = "group without `as_index=False`, and call `.reset_index()` in the end";
        return Err(Fault::hinted(Code::BadArgument, "a function gives tables of groups without keys", hint));
    }
    let mut frames: Vec<Frame<S>> = Vec::with_capacity(results.len());
    for result in results {
        let Value::Frame(handle) = result else { continue };
        frames.push(tables::frame(state, *handle).clone());
    }
    let members = groups.grouped.members();
    if !groups.puts_keys {
        let index = &groups.frame.index;
        let is_group = |(group, frame): (usize, &Frame<S>)| {
            frame.index.same(&index.picked(&Rc::new(members.rows(group).to_vec())))
        };
        let is_same = frames.iter().enumerate().all(is_group);
        let joined = joined::below(state, results)?;
        let (true, Value::Frame(handle)) = (is_same, &joined) else { return Ok(joined) };
        let rows: Vec<u32> = (0..frames.len()).flat_map(|group| members.rows(group).to_vec()).collect();
        let mut places: Vec<u32> = (0..rows.len() as u32).collect();
        places.sort_unstable_by_key(|place| rows[*place as usize]);
        let frame = tables::frame(state, *handle).clone();
        return derived::rows_at(state, &frame, places);
    }
    let keys = &groups.grouped.keys;
    let mut parts = Vec::with_capacity(frames.len());
    for (group, mut frame) in frames.into_iter().enumerate() {
        let (own, levels): (Vec<Vec<Label>>, Vec<Level>) = match &frame.index {
            Index::Keys(own) => (own.labels.clone(), (0..own.depth()).map(|at| own.level(at)).collect()),
            Index::Rows { sizes: None, rows: Some(rows), .. } => {
                (rows.iter().map(|row| vec![Label::Int(i64::from(*row))]).collect(), vec![Level::default()])
            }
            Index::Rows { sizes: None, rows: None, count, .. } | Index::Positions(count) => {
                ((0..*count as i64).map(|row| vec![Label::Int(row)]).collect(), vec![Level::default()])
            }
            Index::Rows { sizes: Some(_), .. } => {
                let hint = "give a number for each group";
                return Err(Fault::hinted(
                    Code::BadArgument,
                    "a function gives rows of a table of groups of people",
                    hint,
                ));
            }
        };
        let key = &keys.labels[group];
        let labels = own.into_iter().map(|label| [key.clone(), label].concat()).collect();
        let levels = (0..keys.depth()).map(|at| keys.level(at)).chain(levels).collect();
        frame.index = Index::Keys(Keys::of_levels(labels, false, levels));
        parts.push(tables::new_frame(state, frame)?);
    }
    joined::below(state, &parts)
}

/// Columns with the same labels, as the rows of a table.
fn stacked_results<S: Scalar>(state: &mut State<S>, index: Index, results: &[Value<S>]) -> Outcome<Value<S>> {
    let mut labels: Option<Rc<Keys>> = None;
    let mut cells: Vec<Vec<Value<S>>> = Vec::new();
    for result in results {
        let Value::Series(series) = result else { continue };
        match (&series.index, &labels) {
            (Index::Keys(keys), None) => labels = Some(keys.clone()),
            (Index::Keys(keys), Some(first)) if keys.labels == first.labels => {}
            _ => {
                let hint = "give a number for each group; for rows, use `.transform(f)`";
                let message = "the function gives columns with different labels";
                return Err(Fault::hinted(Code::DifferentRows, message, hint));
            }
        }
        cells.push(column::cells(state, &series.column)?);
    }
    let Some(labels) = labels else { return Err(Fault::new(Code::BadArgument, "there are no groups")) };
    let mut columns = Vec::with_capacity(labels.labels.len());
    for (place, label) in labels.labels.iter().enumerate() {
        let values = cells.iter().map(|row| row[place].clone()).collect();
        columns.push(FrameColumn { label: label.clone(), column: column::column_of(state, values)?, rows: None });
    }
    tables::new_frame(state, Frame { index, columns })
}

/// The rows of the groups that are kept.
pub(in super::super) fn filtered_groups<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    kept: &[bool],
) -> Outcome<Value<S>> {
    let codes = &groups.grouped.codes;
    let is_kept = |row: &usize| codes[*row] != NO_GROUP && kept[codes[*row] as usize];
    let rows: Vec<u32> = (0..codes.len()).filter(is_kept).map(|row| row as u32).collect();
    if let Chosen::One(position) = groups.chosen {
        let series = frames::frame_column(state, &groups.frame, position)?;
        return derived::values_at(state, &series, rows);
    }
    let frame = groups.frame.clone();
    derived::rows_at(state, &frame, rows)
}

/// What a function made of each column of each group: one value for all rows of a group, or one for each.
pub(in super::super) fn transformed_by<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    made: Vec<(usize, Vec<Value<S>>)>,
) -> Outcome<Value<S>> {
    let mut columns = Vec::new();
    let members = groups.grouped.members();
    for (position, parts) in made {
        let mut values = vec![Value::Missing; groups.grouped.codes.len()];
        for (group, part) in parts.into_iter().enumerate() {
            let rows = members.rows(group);
            match part {
                Value::Poison => return Ok(Value::Poison),
                Value::Series(series) if series.index.same(&groups.frame.index.picked(&Rc::new(rows.to_vec()))) => {
                    for (row, value) in rows.iter().zip(column::cells(state, &series.column)?) {
                        values[*row as usize] = value;
                    }
                }
                single => {
                    check_cells(state, std::slice::from_ref(&single))?;
                    let single = single.uncounted().unwrap_or(single);
                    rows.iter().for_each(|row| values[*row as usize] = single.clone());
                }
            }
        }
        let column = column::column_of(state, values)?;
        columns.push(FrameColumn { label: groups.frame.columns[position].label.clone(), column, rows: None });
    }
    let frame = Frame { index: groups.frame.index.clone(), columns };
    match groups.chosen {
        Chosen::One(_) => frames::frame_column(state, &frame, 0).map(Value::Series),
        Chosen::Rest | Chosen::Some(_) => tables::new_frame(state, frame),
    }
}

/// The column that a function of `agg` is called on.
pub(in super::super) fn figure_position<S: Scalar>(
    state: &State<S>,
    groups: &GroupBy<S>,
    column: Option<&Value<S>>,
) -> Outcome<usize> {
    match (column, &groups.chosen) {
        (Some(column), _) => {
            let label = frames::key_labels(state, column).ok_or_else(|| frames::not_a_name(column))?;
            frames::column_position(&groups.frame, &label)
        }
        (None, Chosen::One(position)) => Ok(*position),
        (None, Chosen::Rest | Chosen::Some(_)) => match groups.value_positions().as_slice() {
            [only] => Ok(*only),
            _ => {
                let hint = "choose a column: `groups[\"income\"].agg(f)`";
                Err(Fault::hinted(Code::BadArgument, "a function is applied to several columns", hint))
            }
        },
    }
}

/// Figures that a function has computed, as `agg` takes them.
pub(in super::super) fn computed_figure<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    name: &str,
    values: Vec<Value<S>>,
) -> Outcome<Value<S>> {
    check_cells(state, &values)?;
    let (column, index) = (column::column_of(state, values)?, Index::Keys(groups.grouped.keys.clone()));
    Ok(Value::Series(Rc::new(Series { name: Some(Rc::from(format!("\0{name}"))), column, index })))
}
