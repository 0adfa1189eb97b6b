//! Tables in another shape: `melt`, `pivot`, `stack`, `unstack` and `T`.

use crate::sorting::CompactSort;
use std::collections::HashMap;
use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Frame, FrameColumn, Index, Keys, Label, Level, Series, Words, label_text};
use super::{axes, column, columns_method, derived, frames, grouping};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `frame.melt(id_vars=, value_vars=, var_name=, value_name=)`
pub(in super::super) fn melted<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let parameters = ["id_vars", "value_vars", "var_name", "value_name"];
    let [kept, melted, variable, value] = arguments.bind("melt", parameters, 0, 4)?;
    let names = |state: &mut State<S>, names: Option<super::super::builtins::Argument<'_, S>>| match names
        .map(|names| names.value)
    {
        None | Some(Value::None) => Ok(None),
        Some(names) => derived::names(state, names).map(Some),
    };
    let kept = names(state, kept)?.unwrap_or_default();
    let melted = match names(state, melted)? {
        Some(names) => names,
        None => frame.columns.iter().map(|column| column.label.clone()).filter(|name| !kept.contains(name)).collect(),
    };
    let text = |state: &State<S>, name: Option<super::super::builtins::Argument<'_, S>>, otherwise: &str| {
        Label::text(&name.map_or(otherwise.to_owned(), |name| text::show(state, name.value)))
    };
    let (variable, value) = (text(state, variable, "variable"), text(state, value, "value"));
    let (count, times) = (frame.len(), melted.len());
    tables::spend_rows(state, count * times)?;
    let rows: Rc<Vec<u32>> = Rc::new((0..times).flat_map(|_| 0..count as u32).collect());
    tables::spend_bytes(state, rows.len() * size_of::<u32>())?;
    let origin = derived::origin_of(state, &frame.index)?;
    let origin = origin
        .map(|(table, origin)| (table, Rc::new(rows.iter().map(|row| origin[*row as usize]).collect::<Vec<u32>>())));
    let index = derived::made_rows(state, rows.len(), origin);
    let mut columns = Vec::new();
    for name in &kept {
        let position = frames::column_position(frame, name)?;
        let column = frames::frame_column(state, frame, position)?.column.clone();
        columns.push(FrameColumn { label: name.clone(), column, rows: Some(rows.clone()) });
    }
    let labels: Vec<std::sync::Arc<str>> = melted.iter().map(|name| label_text(name).into()).collect();
    let codes: Vec<u32> = (0..times as u32).flat_map(|code| std::iter::repeat_n(code, count)).collect();
    let (codes, labels) = (std::sync::Arc::new(codes), std::sync::Arc::new(labels));
    let column = Column::Texts { codes, labels, words: Words::Plain };
    columns.push(FrameColumn { label: vec![variable], column, rows: None });
    let mut values = Vec::with_capacity(rows.len());
    for name in &melted {
        let position = frames::column_position(frame, name)?;
        let series = frames::frame_column(state, frame, position)?;
        values.extend(column::cells(state, &series.column)?);
    }
    columns.push(FrameColumn { label: vec![value], column: column::column_of(state, values)?, rows: None });
    tables::new_frame(state, Frame { index, columns })
}

/// `series.unstack(level=-1, fill_value=…)`: the labels of one part of the keys, or of several, become columns.
pub(super) fn unstacked<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [level, fill] = arguments.bind("unstack", ["level", "fill_value"], 0, 2)?;
    let (index, columns): (Index, Vec<(Vec<Label>, Column<S>)>) = match object {
        Value::Series(series) => (series.index.clone(), vec![(Vec::new(), series.column.clone())]),
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            let mut columns = Vec::new();
            for position in 0..frame.columns.len() {
                let series = frames::frame_column(state, &frame, position)?;
                columns.push((frame.columns[position].label.clone(), series.column.clone()));
            }
            (frame.index, columns)
        }
        other => return Err(Fault::new(Code::TypeMismatch, format!("{} is unstacked", other.kind()))),
    };
    let Index::Keys(keys) = &index else { return Err(not_keyed("unstack")) };
    let depth = keys.depth();
    if depth < 2 {
        return Err(not_keyed("unstack"));
    }
    if keys.shape.is_by_appearance {
        let message = "after `sort=False` pandas orders the columns by first appearance";
        return Err(Fault::hinted(Code::BadArgument, message, "omit `sort=False`"));
    }
    let at = match level.map(|level| level.value) {
        None => vec![depth - 1],
        Some(several @ (Value::List(_) | Value::Tuple(_))) => {
            let mut places = Vec::new();
            for level in containers::elements(state, several)? {
                places.push(axes::level_place(state, &index, &level, depth)?);
            }
            let different: std::collections::HashSet<usize> = places.iter().copied().collect();
            if different.len() < places.len() || !(1..depth).contains(&places.len()) {
                let hint = "leave at least one part of the keys for the rows";
                return Err(Fault::hinted(Code::BadArgument, "each part of the keys is unstacked at most once", hint));
            }
            places
        }
        Some(level) => vec![axes::level_place(state, &index, level, depth)?],
    };
    let fill = fill.map_or(Value::Missing, |fill| fill.value.clone());
    spread_keys(state, keys, &at, &columns, &fill)
}

/// A frame whose columns are the labels at some places of the keys, together as they occur.
fn spread_keys<S: Scalar>(
    state: &mut State<S>,
    keys: &Keys,
    at: &[usize],
    columns: &[(Vec<Label>, Column<S>)],
    fill: &Value<S>,
) -> Outcome<Value<S>> {
    let rest = |key: &[Label]| -> Vec<Label> {
        key.iter().enumerate().filter(|(place, _)| !at.contains(place)).map(|(_, label)| label.clone()).collect()
    };
    let rest_levels: Vec<Level> =
        (0..keys.depth()).filter(|place| !at.contains(place)).map(|place| keys.level(place)).collect();
    tables::spend_rows(state, keys.labels.len() * columns.len().max(1))?;
    let mut places: HashMap<(Vec<Label>, Vec<Label>), usize> = HashMap::new();
    let (mut row_keys, mut spread): (Vec<Vec<Label>>, Vec<Vec<Label>>) = (Vec::new(), Vec::new());
    let (mut seen_rows, mut seen_labels) = (std::collections::HashSet::new(), std::collections::HashSet::new());
    for (position, key) in keys.labels.iter().enumerate() {
        let (row, label) = (rest(key), at.iter().map(|place| key[*place].clone()).collect::<Vec<Label>>());
        if seen_rows.insert(row.clone()) {
            row_keys.push(row.clone());
        }
        if seen_labels.insert(label.clone()) {
            spread.push(label.clone());
        }
        if places.insert((row, label), position).is_some() {
            let message = format!("the key `{}` is there twice", label_text(key));
            return Err(Fault::new(Code::BadArgument, message));
        }
    }
    // The labels of one part are put in order, those of several stand as they first occur.
    if let [only] = at {
        let level = keys.level(*only);
        spread.sort_compact_by(|a, b| level.order(&a[0], &b[0]));
    }
    let sorted = Keys::of_levels(row_keys, false, rest_levels.clone());
    let mut row_keys = sorted.labels.clone();
    row_keys.sort_compact_by(|a, b| sorted.order(a, b));
    state.budget.spend_elements((row_keys.len() * spread.len() * columns.len()) as u64)?;
    let mut made = Vec::new();
    for (label, column) in columns {
        for spread_label in &spread {
            let mut values = Vec::with_capacity(row_keys.len());
            for row in &row_keys {
                values.push(match places.get(&(row.clone(), spread_label.clone())) {
                    Some(position) => column::cell(state, column, *position)?,
                    None => fill.clone(),
                });
            }
            let label = label.iter().chain(spread_label).cloned().collect();
            made.push(FrameColumn { label, column: column::column_of(state, values)?, rows: None });
        }
    }
    let scalar = rest_levels.len() == 1;
    tables::new_frame(
        state,
        Frame { index: Index::Keys(Keys::of_levels(row_keys, scalar, rest_levels)), columns: made },
    )
}

/// `frame.stack()`: the columns become a part of the keys.
pub(super) fn stacked<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [_] = arguments.bind("stack", ["future_stack"], 0, 0)?;
    let Index::Keys(keys) = &frame.index else { return Err(not_keyed("stack")) };
    if frame.columns.iter().any(|column| column.label.len() != 1) {
        return Err(Fault::new(Code::BadArgument, "columns with several labels are not stacked here"));
    }
    let mut columns = Vec::new();
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        if series.column.has_gaps() {
            let hint = "fill them first: `.fillna(0)`, or leave their rows out";
            let message = "how `stack` treats missing values depends on the pandas version";
            return Err(Fault::hinted(Code::BadArgument, message, hint));
        }
        columns.push(column::cells(state, &series.column)?);
    }
    let (mut labels, mut values) = (Vec::new(), Vec::new());
    for (row, key) in keys.labels.iter().enumerate() {
        for (column, cells) in frame.columns.iter().zip(&columns) {
            labels.push(key.iter().chain(&column.label).cloned().collect());
            values.push(cells[row].clone());
        }
    }
    let mut levels: Vec<Level> = (0..keys.depth()).map(|at| keys.level(at)).collect();
    levels.push(Level::default());
    let (column, index) = (column::column_of(state, values)?, Index::Keys(Keys::of_levels(labels, false, levels)));
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// `frame.pivot(index=, columns=, values=)`: one row for each pair.
pub(super) fn pivoted<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [columns, index, values] = arguments.bind("pivot", ["columns", "index", "values"], 2, 0)?;
    let mut names = derived::names(state, given(index)?.value)?;
    names.extend(derived::names(state, given(columns)?.value)?);
    let Some(values) = values else {
        let hint = "name one column: `values=\"income\"`";
        return Err(Fault::hinted(Code::BadArgument, "`pivot` shows one column here", hint));
    };
    let mut series = Vec::new();
    for name in &names {
        let position = frames::column_position(frame, name)?;
        series.push(frames::frame_column(state, frame, position)?);
    }
    let grouped = grouping::group(state, &series, false)?;
    if (0..grouped.members().count()).any(|group| grouped.members().rows(group).len() > 1) {
        let hint = "aggregate them with `pivot_table(..., aggfunc=\"sum\")`";
        return Err(Fault::hinted(Code::BadArgument, "a cell of the pivoted table has several rows", hint));
    }
    if grouped.codes.contains(&grouping::NO_GROUP) {
        return Err(Fault::new(Code::BadArgument, "a row and a column of the pivoted table is missing"));
    }
    let [label] = derived::names(state, values.value)?
        .try_into()
        .map_err(|_| Fault::new(Code::BadArgument, "`pivot` shows one column here").at_argument(values.index))?;
    let position = frames::column_position(frame, &label)?;
    let value = frames::frame_column(state, frame, position)?;
    let rows: Vec<u32> = (0..grouped.members().count()).map(|group| grouped.members().rows(group)[0]).collect();
    let column = value.column.gather(&rows);
    spread_keys(state, &grouped.keys, &[names.len() - 1], &[(Vec::new(), column)], &Value::Missing)
}

/// `frame.T`
pub(super) fn turned<S: Scalar>(state: &mut State<S>, frame: &Frame<S>) -> Outcome<Value<S>> {
    let (rows, scalar_rows) = match &frame.index {
        Index::Keys(keys) => (keys.labels.clone(), true),
        Index::Rows { .. } | Index::Positions(_) => {
            let labels = columns_method::index_values(state, &frame.index)?;
            (labels.iter().filter_map(|label| frames::key_labels(state, label)).collect(), true)
        }
    };
    debug_assert!(scalar_rows);
    let mut cells = Vec::new();
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        cells.push(column::cells(state, &series.column)?);
    }
    let mut columns = Vec::with_capacity(rows.len());
    for (row, label) in rows.into_iter().enumerate() {
        let values = cells.iter().map(|column| column[row].clone()).collect();
        columns.push(FrameColumn { label, column: column::column_of(state, values)?, rows: None });
    }
    let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
    let scalar = labels.iter().all(|label| label.len() == 1);
    tables::new_frame(state, Frame { index: Index::Keys(Keys::new(labels, scalar)), columns })
}

fn not_keyed(what: &str) -> Box<Fault> {
    let message = format!("`{what}` needs keys of several parts");
    Fault::hinted(Code::BadArgument, message, "group by several columns first: `p.groupby([\"a\", \"b\"])`")
}
