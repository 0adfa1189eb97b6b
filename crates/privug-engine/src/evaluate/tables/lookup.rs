//! `object[...]`, `object.loc[...]` and `object.column` on tables.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::frames::{not_a_name, unknown_column};
use super::grouping::{Chosen, GroupBy};
use super::{Accessed, Accessor, Column, Frame, FrameColumn, Index, Keys, Label, Level, Series, Words, label_text};
use super::{
    axes, column, columns_method, derived, describe, frames, joined, more, order, public, shape, slices, texts, windows,
};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `object[index]`
pub(in super::super) fn index_table<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    index: &Value<S>,
) -> Outcome<Value<S>> {
    if index.as_random().is_some() {
        let hint = "use a name, a key or a mask that is known beforehand";
        return Err(Fault::hinted(Code::RandomIndex, "an index is random", hint));
    }
    shape::check_lookup(state, object, index)?;
    let found = found_in_table(state, object, index)?;
    Ok(shape::looked_up(state, object, found))
}

fn found_in_table<S: Scalar>(state: &mut State<S>, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
    if let Value::Array(_) | Value::View(_, _) = index
        && let Some(rows) = rows_of(state, object)
    {
        // A mask of numpy's goes by position.
        let mask = public::array_as_column(state, index, &rows)?;
        return found_in_table(state, object, &Value::Series(mask));
    }
    match object {
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            index_frame(state, &frame, index)
        }
        Value::Series(series) => index_series(state, series, index),
        Value::Groups(groups) => index_groups(state, groups, index),
        Value::Loc(accessed) if accessed.accessor == Accessor::Iloc => {
            order::at_positions(state, &accessed.value, index)
        }
        Value::Loc(accessed) if accessed.accessor == Accessor::Text => {
            let next = match index {
                Value::Int(-1) => Value::None,
                other => Value::Int(containers::whole(other, "a position")?.saturating_add(1)),
            };
            texts::text_slice(state, &accessed.value, &[index.clone(), next, Value::None])
        }
        Value::Loc(accessed) if accessed.accessor == Accessor::Described => {
            describe::part_of_description(state, &accessed.value, index)
        }
        Value::Loc(accessed) => match &accessed.value {
            Value::Frame(handle) => {
                let frame = tables::frame(state, *handle).clone();
                locate_in_frame(state, &frame, index)
            }
            Value::Series(series) => index_series(state, series, index),
            _ if accessed.said().is_some() => {
                let message = "a string contains the secret, and its letters would reveal it";
                Err(Fault::hinted(Code::RandomConversion, message, "publish the string unchanged"))
            }
            other => Err(Fault::new(Code::TypeMismatch, format!("{} has no `.loc`", other.kind()))),
        },
        other => Err(Fault::new(Code::TypeMismatch, format!("{} cannot be indexed", other.kind()))),
    }
}

/// The rows of a table or column that a mask chooses among.
fn rows_of<S: Scalar>(state: &State<S>, object: &Value<S>) -> Option<Index> {
    match object {
        Value::Series(series) => Some(series.index.clone()),
        Value::Frame(handle) => Some(tables::frame(state, *handle).index.clone()),
        Value::Loc(accessed) if accessed.accessor == Accessor::Loc => rows_of(state, &accessed.value),
        _ => None,
    }
}

fn index_frame<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, index: &Value<S>) -> Outcome<Value<S>> {
    match index {
        Value::Series(mask) => {
            let rows = frames::masked(state, mask, &frame.index)?;
            let chosen = frames::some_rows(state, frame, rows)?;
            tables::new_frame(state, chosen)
        }
        Value::List(_) => {
            let positions = frames::some_columns(state, frame, index)?;
            frame_of(state, frame, &positions)
        }
        other => match frames::key_labels(state, other) {
            Some(label) => {
                let begins = |column: &&FrameColumn<S>| {
                    column.label.len() > label.len() && column.label[..label.len()] == *label
                };
                if frame.position(&label).is_none() && frame.columns.iter().any(|column| begins(&column)) {
                    let mut columns: Vec<FrameColumn<S>> = frame.columns.iter().filter(begins).cloned().collect();
                    columns.iter_mut().for_each(|column| _ = column.label.drain(..label.len()));
                    return tables::new_frame(state, Frame { index: frame.index.clone(), columns });
                }
                let position = frames::column_position(frame, &label)?;
                frames::frame_column(state, frame, position).map(Value::Series)
            }
            None => Err(not_a_name(other)),
        },
    }
}

fn frame_of<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, positions: &[usize]) -> Outcome<Value<S>> {
    let columns = positions.iter().map(|position| frame.columns[*position].clone()).collect();
    tables::new_frame(state, Frame { index: frame.index.clone(), columns })
}

fn index_series<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, index: &Value<S>) -> Outcome<Value<S>> {
    if let Value::Series(mask) = index {
        return frames::masked_series(state, series, mask);
    }
    if let (Value::List(_), Index::Keys(keys)) = (index, &series.index) {
        let mut positions = Vec::new();
        for key in containers::elements(state, index)? {
            let labels = frames::key_labels(state, &key).unwrap_or_default();
            let position = keys.position(&labels).ok_or_else(|| missing_key(keys, &labels))? as u32;
            if positions.contains(&position) {
                let message = format!("the row `{}` is chosen twice", label_text(&labels));
                return Err(Fault::hinted(Code::BadArgument, message, "choose each row once"));
            }
            positions.push(position);
        }
        return derived::values_at(state, series, positions);
    }
    if let (Value::List(_), Index::Rows { sizes: None, .. }) = (index, &series.index) {
        let positions = slices::rows_called(state, &series.index, index)?;
        return derived::values_at(state, series, positions);
    }
    if let (Value::Tuple(parts), Index::Keys(keys)) = (index, &series.index) {
        let parts = state.heap.sequence(*parts).to_vec();
        if let [only @ Value::Tuple(_)] = parts.as_slice() {
            return index_series(state, series, only);
        }
        if let Some((rows, is_label)) = slices::rows_of_levels(state, keys, &parts)? {
            let kept = |labels: &Vec<Label>| -> Vec<Label> {
                let parts = labels.iter().zip(&is_label).filter(|(_, is_label)| !**is_label);
                parts.map(|(label, _)| label.clone()).collect()
            };
            let labels: Vec<Vec<Label>> = rows.iter().map(|row| kept(&keys.labels[*row as usize])).collect();
            let levels: Vec<Level> = (0..keys.depth()).filter(|at| !is_label[*at]).map(|at| keys.level(at)).collect();
            let index = Index::Keys(Keys::of_levels(labels, levels.len() == 1, levels));
            let column = column::gathered(state, &series.column, Some(&Rc::new(rows)))?;
            return Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })));
        }
    }
    let Some(key) = frames::key_labels(state, index) else {
        return Err(Fault::new(Code::TypeMismatch, format!("a column is not indexed by {}", index.kind())));
    };
    derived::refuse_alike(&series.index)?;
    match &series.index {
        Index::Keys(keys) => match keys.position(&key) {
            Some(position) => column::cell(state, &series.column, position),
            None => match slices::rows_of_period(&series.index, &key) {
                Some(rows) => derived::values_at(state, series, rows),
                None => part_of_series(state, series, keys, &key),
            },
        },
        Index::Positions(count) => {
            let position = containers::whole(index, "an index")?;
            let position = if position < 0 { position + *count as i64 } else { position };
            match usize::try_from(position).ok().filter(|position| position < count) {
                Some(position) => column::cell(state, &series.column, position),
                None => Err(Fault::new(Code::IndexOutOfRange, format!("there is no position {position}"))),
            }
        }
        Index::Rows { sizes: Some(_), .. } => Err(super::not_of_groups("a single row")),
        Index::Rows { rows, count, .. } => {
            if rows.is_none() {
                windows::refuse_unstable_rows(state, &series.index)?;
            }
            let label = containers::whole(index, "the label of a row")?;
            let row = u32::try_from(label).ok().filter(|row| (*row as usize) < *count);
            let position = match (row, rows) {
                (Some(row), Some(rows)) => rows.iter().position(|known| *known == row),
                (row, _) => row.map(|row| row as usize),
            };
            match position {
                Some(position) => column::cell(state, &series.column, position),
                None => {
                    let message = format!("there is no row {label} here");
                    Err(Fault::hinted(
                        Code::IndexOutOfRange,
                        message,
                        "rows keep the numbers that they had in the table",
                    ))
                }
            }
        }
    }
}

/// The groups whose keys begin with `key`.
fn part_of_series<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    keys: &Keys,
    key: &[Label],
) -> Outcome<Value<S>> {
    let begins = |labels: &Vec<Label>| key.len() < labels.len() && labels[..key.len()] == *key;
    let positions: Vec<u32> = (0..keys.labels.len() as u32).filter(|at| begins(&keys.labels[*at as usize])).collect();
    if positions.is_empty() {
        return Err(missing_key(keys, key));
    }
    let labels: Vec<Vec<Label>> = positions.iter().map(|at| keys.labels[*at as usize][key.len()..].to_vec()).collect();
    let scalar = labels.iter().all(|label| label.len() == 1);
    let column = column::gathered(state, &series.column, Some(&Rc::new(positions)))?;
    let levels = keys.levels.iter().skip(key.len()).cloned().collect();
    let index = Index::Keys(Keys::of_levels(labels, scalar, levels));
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
}

/// The same of a table.
fn part_of_frame<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, keys: &Keys, key: &[Label]) -> Outcome<Value<S>> {
    let mut made: Option<Frame<S>> = None;
    for (position, column) in frame.columns.iter().enumerate() {
        let series = frames::frame_column(state, frame, position)?;
        let Value::Series(part) = part_of_series(state, &series, keys, key)? else { return Ok(Value::Poison) };
        let index = part.index.clone();
        let made = made.get_or_insert_with(|| Frame { index, columns: Vec::new() });
        made.columns.push(FrameColumn { label: column.label.clone(), column: part.column.clone(), rows: None });
    }
    match made {
        Some(made) => tables::new_frame(state, made),
        None => Err(missing_key(keys, key)),
    }
}

fn index_groups<S: Scalar>(state: &mut State<S>, groups: &Rc<GroupBy<S>>, index: &Value<S>) -> Outcome<Value<S>> {
    let chosen = match index {
        Value::List(_) => Chosen::Some(frames::some_columns(state, &groups.frame, index)?),
        other => match frames::key_labels(state, other) {
            Some(label) => Chosen::One(frames::column_position(&groups.frame, &label)?),
            None => return Err(not_a_name(other)),
        },
    };
    let (frame, by, grouped) = (groups.frame.clone(), groups.by.clone(), groups.grouped.clone());
    let (by_secret, keyless, puts_keys) = (groups.by_secret.clone(), groups.keyless, groups.puts_keys);
    Ok(Value::Groups(Rc::new(GroupBy { frame, by, chosen, grouped, by_secret, keyless, puts_keys })))
}

/// `frame.loc[rows]`, `frame.loc[rows, columns]`
fn locate_in_frame<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, index: &Value<S>) -> Outcome<Value<S>> {
    // A whole key of several labels comes before a row and a column.
    if let Index::Keys(keys) = &frame.index
        && let Some(key) = frames::key_labels(state, index)
        && let Some(position) = keys.position(&key)
    {
        return frame_row(state, frame, position);
    }
    if let Value::Tuple(handle) = index
        && let [rows, columns] = state.heap.sequence(*handle)
    {
        let (rows, columns) = (rows.clone(), columns.clone());
        let parts = match &rows {
            Value::Tuple(parts) => state.heap.sequence(*parts).to_vec(),
            _ => Vec::new(),
        };
        let of_levels = match &frame.index {
            Index::Keys(keys) => slices::rows_of_levels(state, keys, &parts)?,
            Index::Rows { .. } | Index::Positions(_) => None,
        };
        let located = match of_levels {
            Some((positions, _)) => derived::rows_at(state, frame, positions)?,
            None => locate_in_frame(state, frame, &rows)?,
        };
        return match located {
            Value::Frame(handle) => {
                let chosen = tables::frame(state, handle).clone();
                if let Value::Slice(bounds) = columns {
                    let bounds = state.heap.sequence(bounds).to_vec();
                    return slices::columns_between(state, &chosen, &bounds);
                }
                index_frame(state, &chosen, &columns)
            }
            row => index_table(state, &row, &columns),
        };
    }
    match (index, &frame.index) {
        (Value::Series(_), _) => index_frame(state, frame, index),
        (Value::Slice(handle), _) if state.heap.sequence(*handle).iter().all(|bound| matches!(bound, Value::None)) => {
            tables::new_frame(state, frame.clone())
        }
        (Value::Slice(handle), _) => {
            let bounds = state.heap.sequence(*handle).to_vec();
            let object = tables::new_frame(state, frame.clone())?;
            slices::located_slice(state, &object, &bounds)
        }
        (Value::List(_), Index::Keys(keys)) => {
            let mut positions = Vec::new();
            for key in containers::elements(state, index)? {
                let labels = frames::key_labels(state, &key).unwrap_or_default();
                let position = keys.position(&labels).ok_or_else(|| missing_key(keys, &labels))?;
                positions.push(position as u32);
            }
            derived::rows_at(state, frame, positions)
        }
        (Value::List(_), Index::Rows { sizes: None, .. }) => {
            let positions = slices::rows_called(state, &frame.index, index)?;
            derived::rows_at(state, frame, positions)
        }
        (_, Index::Keys(keys)) => {
            let key = frames::key_labels(state, index).unwrap_or_default();
            match slices::rows_of_period(&frame.index, &key) {
                Some(rows) => derived::rows_at(state, frame, rows),
                None if key.is_empty() => Err(missing_key(keys, &key)),
                None => part_of_frame(state, frame, keys, &key),
            }
        }
        _ => {
            let hint = "choose rows by a mask: `p.loc[p.age > 30]`, `p.loc[p.age > 30, \"income\"]`";
            Err(Fault::hinted(Code::TypeMismatch, format!("`.loc` does not take {} here", index.kind()), hint))
        }
    }
}

/// `frame.loc[mask, "column"] = value`
pub(in super::super) fn set_located<S: Scalar>(
    state: &mut State<S>,
    accessed: &Accessed<S>,
    index: &Value<S>,
    value: &Value<S>,
) -> Outcome<()> {
    let parts = match index {
        Value::Tuple(handle) => state.heap.sequence(*handle).to_vec(),
        _ => Vec::new(),
    };
    if let (Accessor::Loc, Value::Frame(handle), Some(key)) =
        (accessed.accessor, &accessed.value, frames::key_labels(state, index))
    {
        return joined::append_row(state, *handle, key, value);
    }
    let (Accessor::Loc, Value::Frame(handle), [Value::Series(mask), name]) =
        (accessed.accessor, &accessed.value, parts.as_slice())
    else {
        let hint = "assign a column where a mask holds: `p.loc[p.age > 30, \"x\"] = ...`";
        return Err(Fault::hinted(Code::AssignmentTarget, "this cannot be assigned to", hint));
    };
    if matches!(value, Value::Poison) {
        return Ok(());
    }
    if let Value::List(names) = name {
        // One value for several columns, each for itself.
        if !matches!(value, Value::Missing | Value::Int(_) | Value::Float(_) | Value::Text(_)) {
            let message = format!("several columns are assigned {}", value.kind());
            return Err(Fault::hinted(Code::AssignmentTarget, message, "assign the columns one by one"));
        }
        for name in state.heap.sequence(*names).to_vec() {
            let one = state.tuple(vec![Value::Series(mask.clone()), name])?;
            set_located(state, accessed, &one, value)?;
        }
        return Ok(());
    }
    let frame = tables::frame(state, *handle).clone();
    let value = &of_all_rows(state, &frame, mask, value)?;
    let label = frames::key_labels(state, name).ok_or_else(|| not_a_name(name))?;
    let before = match frame.position(&label) {
        Some(position) => frames::frame_column(state, &frame, position)?,
        None => {
            let column = Column::Cells(Rc::new(vec![Value::Missing; frame.len()]));
            Rc::new(Series { name: None, column, index: frame.index.clone() })
        }
    };
    if let Column::Texts { words: Words::Categories | Words::Intervals | Words::Dates, .. } = &before.column {
        let message = format!("{} holds {}, which are not assigned here", before.shown_name(), before.column.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    let changed = more::kept_or(state, &before, mask, false, value)?;
    frames::set_column(state, *handle, name, &changed)
}

/// A column of those rows where a mask holds, with gaps in the others; anything else as it is.
fn of_all_rows<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    mask: &Rc<Series<S>>,
    value: &Value<S>,
) -> Outcome<Value<S>> {
    let (Value::Series(series), Column::Booleans(chosen)) = (value, &mask.column) else { return Ok(value.clone()) };
    if series.index.same(&mask.index) || !mask.index.same(&frame.index) {
        return Ok(value.clone());
    }
    let rows = frames::masked(state, mask, &frame.index)?;
    if !frames::some_rows(state, frame, rows)?.index.same(&series.index) {
        return Ok(value.clone());
    }
    let mut cells = column::cells(state, &series.column)?.into_iter();
    let all =
        chosen.iter().map(|is_chosen| if *is_chosen { cells.next().unwrap_or(Value::Missing) } else { Value::Missing });
    let all = all.collect();
    let column = column::column_of(state, all)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: frame.index.clone() })))
}

/// `xs(key, level=…)` of a column or of the rows of a table: those whose keys have a label at a level, without it.
pub(super) fn cross_section<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    key: &Value<S>,
    level: &Value<S>,
) -> Outcome<Value<S>> {
    let index = match object {
        Value::Series(series) => series.index.clone(),
        Value::Frame(handle) => tables::frame(state, *handle).index.clone(),
        other => return Err(Fault::new(Code::TypeMismatch, format!("{} has no `.xs`", other.kind()))),
    };
    let Index::Keys(keys) = &index else {
        return Err(Fault::new(Code::TypeMismatch, "`xs` with a level is of results with several keys"));
    };
    if keys.shape.is_secret() {
        return Err(shape::secret_shape("a part is taken of"));
    }
    let place = axes::level_place(state, &index, level, keys.depth())?;
    let Some(label) = frames::label_of(state, key).filter(|_| keys.depth() > 1) else {
        return Err(Fault::new(Code::BadArgument, "`xs` with a level takes one label, of keys with several"));
    };
    tables::spend_rows(state, keys.labels.len())?;
    let rows: Vec<u32> =
        (0..keys.labels.len() as u32).filter(|row| keys.labels[*row as usize][place] == label).collect();
    if rows.is_empty() {
        return Err(missing_key(keys, &[label]));
    }
    let without = |labels: &Vec<Label>| {
        labels.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, label)| label.clone()).collect()
    };
    let labels = rows.iter().map(|row| without(&keys.labels[*row as usize])).collect();
    let levels = (0..keys.depth()).filter(|at| *at != place).map(|at| keys.level(at)).collect();
    let index = Index::Keys(Keys::of_levels(labels, keys.depth() == 2, levels));
    match object {
        Value::Series(series) => {
            let column = column::gathered(state, &series.column, Some(&Rc::new(rows)))?;
            Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
        }
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            let columns = frames::some_rows(state, &frame, Rc::new(rows))?.columns;
            tables::new_frame(state, Frame { index, columns })
        }
        other => Ok(other.clone()),
    }
}

/// `frame.xs(key, axis=, level=)`
pub(super) fn frame_cross_section<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [key, axis, level] = arguments.bind("xs", ["key", "axis", "level"], 1, 2)?;
    let key = given(key)?.value;
    let of_columns = match axis.map(|axis| axis.value) {
        None | Some(Value::Int(0)) => false,
        Some(Value::Int(1)) => true,
        Some(axis) => match text::show(state, axis).as_str() {
            "index" | "rows" => false,
            "columns" => true,
            shown => return Err(Fault::new(Code::BadArgument, format!("there is no axis {shown}"))),
        },
    };
    let level = level.map(|level| level.value);
    match (of_columns, level) {
        (false, None) if frames::key_labels(state, key).is_some() => {
            index_table(state, &columns_method::accessed(Accessor::Loc, object.clone()), key)
        }
        (false, None) => Err(Fault::new(Code::TypeMismatch, format!("`xs` takes a label, not {}", key.kind()))),
        (false, Some(level)) => cross_section(state, object, key, level),
        (true, level) => {
            let depth = frame.columns.iter().map(|column| column.label.len()).min().unwrap_or(1);
            let place = level.map_or(Ok(0), |level| axes::level_place(state, &Index::Positions(0), level, depth))?;
            let Some(label) = frames::label_of(state, key).filter(|_| depth > 1) else {
                let hint = "of columns with a single label, name the column: `t[\"income\"]`";
                return Err(Fault::hinted(Code::BadArgument, "columns with several labels are chosen by one", hint));
            };
            let mut columns = Vec::new();
            for column in frame.columns.iter().filter(|column| column.label[place] == label) {
                let mut column = column.clone();
                column.label.remove(place);
                columns.push(column);
            }
            if columns.is_empty() {
                let names: Vec<String> = frame.columns.iter().map(|column| label_text(&column.label)).collect();
                return Err(unknown_column(&label_text(&[label]), names.iter().map(String::as_str)));
            }
            tables::new_frame(state, Frame { index: frame.index.clone(), columns })
        }
    }
}

/// One row of a frame, called by the frame's columns.
pub(super) fn frame_row<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, position: usize) -> Outcome<Value<S>> {
    let mut values = Vec::with_capacity(frame.columns.len());
    for column in &frame.columns {
        let row = column.rows.as_ref().map_or(position, |rows| rows[position] as usize);
        values.push(column::cell(state, &column.column, row)?);
    }
    let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
    let scalar = labels.iter().all(|label| label.len() == 1);
    let (column, index) = (column::column_of(state, values)?, Index::Keys(Keys::new(labels, scalar)));
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// `object.name`
pub(in super::super) fn attribute_column<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    name: &Value<S>,
) -> Outcome<Value<S>> {
    let text = text::show(state, name);
    match object {
        Value::Poison => Ok(Value::Poison),
        Value::Frame(_) | Value::Groups(_) => index_table(state, object, name),
        Value::Loc(accessed) if accessed.accessor == Accessor::Text => {
            Err(unknown_attribute(&accessed.value, &format!("str.{text}")))
        }
        Value::Series(series) => match &series.index {
            Index::Keys(keys) if keys.position(&[Label::text(&text)]).is_some() => index_table(state, object, name),
            _ if text == "name" => match &series.name {
                Some(name) => state.text(name.to_string()),
                None => Ok(Value::None),
            },
            _ => Err(unknown_attribute(object, &text)),
        },
        other => Err(unknown_attribute(other, &text)),
    }
}

fn missing_key(keys: &Keys, key: &[Label]) -> Box<Fault> {
    let shown: Vec<String> = keys.labels.iter().map(|labels| label_text(labels)).collect();
    let mut fault = unknown_column(&label_text(key), shown.iter().map(String::as_str));
    fault.code = Code::MissingKey;
    fault.message = format!("there is no group `{}`", label_text(key));
    fault.hint = fault.hint.map(|hint| hint.replace("the columns are", "the groups are"));
    fault
}

fn unknown_attribute<S: Scalar>(object: &Value<S>, name: &str) -> Box<Fault> {
    const CALLED: &[&str] = &["sum", "mean", "count", "unique", "items", "keys", "min", "max", "std", "var", "median"];
    let message = format!("{} has no `.{name}`", object.kind());
    let hint = match name {
        _ if CALLED.contains(&name) => format!("call it: `.{name}()`"),
        _ => "the language page lists what tables, columns and groups support".to_owned(),
    };
    Fault::hinted(Code::Attribute, message, hint)
}
