//! Tables put together: `pd.concat`, `rename`, `drop`.

use std::collections::HashSet;
use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::alignment::{Order, Places, united};
use super::index::Level;
use super::{Frame, FrameColumn, Index, Keys, Label, Series, label_text};
use super::{alignment, axes, column, columns_method, derived, frames};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// The rows of tables below each other, as `pd.concat` puts them.
pub(super) fn below<S: Scalar>(state: &mut State<S>, parts: &[Value<S>]) -> Outcome<Value<S>> {
    let list = state.list(parts.to_vec())?;
    concat(state, &Arguments { shape: &positional(1), values: &[list] })
}

/// `pd.concat([a, b])`: the rows of one below those of the other.
pub(in super::super) fn concat<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [parts, axis, keys, renumbers, sorts, names, _] =
        arguments.bind("concat", ["objs", "axis", "keys", "ignore_index", "sort", "names", "copy"], 1, 2)?;
    derived::required_option(state, "sort", sorts, false)?;
    let renumbers = derived::flag(state, renumbers, false)?;
    let mut parts = given(parts)?.value.clone();
    let mut keys = match keys {
        Some(keys) => Some(containers::elements(state, keys.value)?),
        None => None,
    };
    if let (Value::Dict(handle), None) = (&parts, &keys) {
        let entries = state.heap.dict(*handle).entries.clone();
        keys = Some(entries.iter().map(|(key, _)| key.clone()).collect());
        parts = state.list(entries.into_iter().map(|(_, part)| part).collect())?;
    }
    let parts = &parts;
    if !matches!(parts, Value::List(_) | Value::Tuple(_)) {
        let hint = "put them into a list";
        return Err(Fault::hinted(Code::TypeMismatch, format!("`concat` does not take {}", parts.kind()), hint));
    }
    let parts = containers::elements(state, parts)?;
    match axis.map(|axis| axis.value) {
        None | Some(Value::Int(0)) => {}
        Some(axis) if matches!(axis, Value::Int(1)) || text::show(state, axis) == "columns" => {
            if renumbers {
                let hint = "name the columns: `t.columns = [...]`";
                return Err(Fault::hinted(Code::BadArgument, "`ignore_index` together with `axis`", hint));
            }
            let parts = match keys {
                Some(keys) => named_by_keys(state, &parts, &keys)?,
                None => parts,
            };
            return side_by_side(state, &parts);
        }
        Some(axis) => {
            return Err(Fault::new(Code::BadArgument, format!("there is no axis {}", text::show(state, axis))));
        }
    }
    let frames = parts.iter().map(|part| match part {
        Value::Frame(handle) => Ok(tables::frame(state, *handle).clone()),
        Value::Series(series) => {
            let label = vec![Label::text(series.name.as_deref().unwrap_or_default())];
            let columns = vec![FrameColumn { label, column: series.column.clone(), rows: None }];
            Ok(Frame { index: series.index.clone(), columns })
        }
        other => {
            Err(Fault::new(Code::TypeMismatch, format!("`concat` takes tables and columns, not {}", other.kind())))
        }
    });
    let mut frames = frames.collect::<Outcome<Vec<Frame<S>>>>()?;
    if let Some(keys) = keys {
        put_under_keys(state, &mut frames, &keys)?;
    }
    let Some(first) = frames.first() else {
        return Err(Fault::new(Code::BadArgument, "there is nothing to concatenate"));
    };
    let is_column = parts.iter().all(|part| matches!(part, Value::Series(_)));
    let index = match renumbers {
        true => renumbered(state, &frames)?,
        false => joined_index(state, &frames)?,
    };
    let index = match names.filter(|names| !renumbers && !matches!(names.value, Value::None)) {
        Some(names) => {
            let names = match names.value {
                several @ (Value::List(_) | Value::Tuple(_)) => containers::elements(state, several)?,
                single => vec![single.clone()],
            };
            axes::with_first_names(state, &index, names)?
        }
        None => index,
    };
    let mut labels: Vec<Vec<Label>> = first.columns.iter().map(|column| column.label.clone()).collect();
    for column in frames.iter().skip(1).filter(|_| !is_column).flat_map(|frame| &frame.columns) {
        if !labels.contains(&column.label) {
            labels.push(column.label.clone());
        }
    }
    let mut columns = Vec::with_capacity(labels.len());
    for label in labels {
        let mut values = Vec::with_capacity(index.len());
        for frame in &frames {
            match if is_column { Some(0) } else { frame.position(&label) } {
                Some(at) => {
                    let series = frames::frame_column(state, frame, at)?;
                    if frame.len() > 0 && frames.iter().any(|frame| frame.position(&label).is_none()) && !is_column {
                        refuse_beside_gaps(&series)?;
                    }
                    values.extend(column::cells(state, &series.column)?);
                }
                // A table that lacks a column has gaps in it.
                None => values.extend(std::iter::repeat_n(Value::Missing, frame.len())),
            }
        }
        tables::spend_rows(state, values.len())?;
        columns.push(FrameColumn { label, column: column::column_of(state, values)?, rows: None });
    }
    let joined = Frame { index, columns };
    if is_column {
        frames::frame_column(state, &joined, 0).map(Value::Series)
    } else {
        tables::new_frame(state, joined)
    }
}

/// Columns side by side that are called by keys.
fn named_by_keys<S: Scalar>(state: &mut State<S>, parts: &[Value<S>], keys: &[Value<S>]) -> Outcome<Vec<Value<S>>> {
    if parts.len() != keys.len() {
        let message = format!("there are {} keys for {} columns", keys.len(), parts.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let mut named = Vec::with_capacity(parts.len());
    for (part, key) in parts.iter().zip(keys) {
        named.push(match (part, key) {
            (Value::Series(series), Value::Text(_)) => {
                let name = Some(Rc::from(text::show(state, key)));
                Value::Series(Rc::new(Series { name, ..(**series).clone() }))
            }
            _ => {
                let hint = "rename the columns instead";
                return Err(Fault::hinted(Code::BadArgument, "`keys` of tables together with `axis`", hint));
            }
        });
    }
    Ok(named)
}

/// The rows of several tables, numbered anew.
fn renumbered<S: Scalar>(state: &mut State<S>, frames: &[Frame<S>]) -> Outcome<Index> {
    let count = frames.iter().map(Frame::len).sum();
    let mut rows = Vec::with_capacity(count);
    let mut table = None;
    for frame in frames {
        if frame.index.sizes().is_some() {
            return Err(super::not_of_groups("a table of several"));
        }
        match (derived::origin_of(state, &frame.index)?, table) {
            (Some((given, from)), None) => {
                table = Some(given);
                rows.extend(from.iter().copied());
            }
            (Some((given, from)), Some(known)) if given == known => rows.extend(from.iter().copied()),
            _ => {}
        }
    }
    // Rows that come from one table are known by its rows; others only by what is in them.
    let origin = table.filter(|_| rows.len() == count).map(|table| (table, Rc::new(rows)));
    Ok(derived::made_rows(state, count, origin))
}

/// `pd.concat([a, b], keys=["a", "b"])`: the keys of each table begin with its own.
fn put_under_keys<S: Scalar>(state: &State<S>, frames: &mut [Frame<S>], keys: &[Value<S>]) -> Outcome<()> {
    if frames.len() != keys.len() {
        let message = format!("there are {} keys for {} tables", keys.len(), frames.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    for (frame, key) in frames.iter_mut().zip(keys) {
        let (Some(key), Index::Keys(own)) = (frames::label_of(state, key), &frame.index) else {
            let hint = "set an index first, or publish them one by one";
            return Err(Fault::hinted(Code::BadArgument, "`keys` of rows that have no keys themselves", hint));
        };
        let labels = own.labels.iter().map(|one| [vec![key.clone()], one.clone()].concat()).collect();
        let levels = if own.levels.is_empty() {
            Vec::new()
        } else {
            [vec![Level::default()], own.levels.iter().map(|_| Level::default()).collect()].concat()
        };
        frame.index = Index::Keys(Keys::of_levels(labels, false, levels));
    }
    Ok(())
}

/// `frame.loc[key] = row`: one more row, below the others.
pub(super) fn append_row<S: Scalar>(state: &mut State<S>, handle: u32, key: Vec<Label>, row: &Value<S>) -> Outcome<()> {
    let frame = tables::frame(state, handle).clone();
    let hint = "make the row a table, and put them together with `pd.concat`";
    let refuse = |message: String| Err(Fault::hinted(Code::AssignmentTarget, message, hint));
    let keys = match &frame.index {
        Index::Keys(keys) if keys.scalar && key.len() == 1 && keys.position(&key).is_none() => keys,
        Index::Keys(_) => return refuse(format!("the row `{}` is assigned", label_text(&key))),
        Index::Rows { .. } | Index::Positions(_) => {
            return refuse("a row of a table without keys is assigned".to_owned());
        }
    };
    let cells = match row {
        Value::Poison => return Ok(()),
        Value::Series(series) => {
            let Index::Keys(names) = &series.index else { return refuse("the row has no names".to_owned()) };
            let cells = column::cells(state, &series.column)?;
            let place = |column: &FrameColumn<S>| names.position(&column.label);
            let places: Option<Vec<usize>> = frame.columns.iter().map(place).collect();
            match places {
                Some(places) => places.into_iter().map(|place| cells[place].clone()).collect(),
                None => return refuse("the row does not have the columns of the table".to_owned()),
            }
        }
        Value::List(_) | Value::Tuple(_) => containers::elements(state, row)?,
        single if frames::label_of(state, single).is_some() || single.as_random().is_some() => {
            vec![single.clone(); frame.columns.len()]
        }
        other => return refuse(format!("{} is not a row", other.kind())),
    };
    if cells.len() != frame.columns.len() {
        return refuse(format!(
            "a row of {} cells is put into a table of {} columns",
            cells.len(),
            frame.columns.len()
        ));
    }
    let mut labels = keys.labels.clone();
    labels.push(key);
    // A new label is not among those whose order is known.
    let plain = |level: &Level| Level { name: level.name.clone(), ..Level::default() };
    let index = Index::Keys(Keys::of_levels(labels, keys.scalar, keys.levels.iter().map(plain).collect()));
    let mut columns = Vec::with_capacity(frame.columns.len());
    for (position, cell) in cells.into_iter().enumerate() {
        let series = frames::frame_column(state, &frame, position)?;
        let mut values = column::cells(state, &series.column)?;
        values.push(cell);
        tables::spend_rows(state, values.len())?;
        let label = frame.columns[position].label.clone();
        columns.push(FrameColumn { label, column: column::column_of(state, values)?, rows: None });
    }
    state.heap.frames[handle as usize] = Frame { index, columns };
    Ok(())
}

/// `pd.concat([a, b], axis=1)`: columns of the same rows.
fn side_by_side<S: Scalar>(state: &mut State<S>, parts: &[Value<S>]) -> Outcome<Value<S>> {
    let mut made: Option<Frame<S>> = None;
    let mut unnamed = 0;
    for part in parts {
        let frame = match part {
            Value::Frame(handle) => tables::frame(state, *handle).clone(),
            Value::Series(series) => {
                let number = Value::Int(unnamed);
                unnamed += i64::from(series.name.is_none());
                derived::frame_of_series(state, series, series.name.is_none().then_some(&number))?
            }
            other => {
                let message = format!("`concat` takes tables and columns, not {}", other.kind());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
        };
        match &mut made {
            None => made = Some(frame),
            Some(made) if made.index.same(&frame.index) => made.columns.extend(frame.columns),
            Some(before) => match united(&[&before.index, &frame.index], Order::Occurring) {
                Some((index, places)) => {
                    let mut columns = columns_at(state, before, &places[0])?;
                    columns.extend(columns_at(state, &frame, &places[1])?);
                    *before = Frame { index, columns };
                }
                None => {
                    let hint = "take them from the same table or filter, or group them by the same columns";
                    return Err(Fault::hinted(Code::DifferentRows, "columns of different rows are joined", hint));
                }
            },
        }
    }
    let Some(made) = made else { return Err(Fault::new(Code::BadArgument, "there is nothing to concatenate")) };
    let mut seen = HashSet::new();
    if let Some(twice) = made.columns.iter().find(|column| !seen.insert(column.label.clone())) {
        let message = format!("two columns would have the name `{}`", label_text(&twice.label));
        return Err(Fault::hinted(Code::BadArgument, message, "rename one of them: `.rename(\"x\")`"));
    }
    tables::new_frame(state, made)
}

/// The columns of a table at other places.
fn columns_at<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, places: &Places) -> Outcome<Vec<FrameColumn<S>>> {
    let mut columns = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        let column = alignment::column_at(state, &series.column, places)?;
        columns.push(FrameColumn { label: frame.columns[position].label.clone(), column, rows: None });
    }
    Ok(columns)
}

/// Whether rows are counted from 0, and come from no other table.
fn is_counted(index: &Index) -> bool {
    matches!(index, Index::Rows { table: derived::RANGE, rows: None, .. })
}

/// What the rows of several tables are called together.
fn joined_index<S: Scalar>(state: &mut State<S>, frames: &[Frame<S>]) -> Outcome<Index> {
    let refuse = |message: &str, hint: &str| Err(Fault::hinted(Code::DifferentRows, message, hint));
    match &frames[0].index {
        // Results that were made to tables are counted from 0 each.
        Index::Rows { table: derived::RANGE, .. } if frames.iter().all(|frame| is_counted(&frame.index)) => {
            let count = frames.iter().map(Frame::len).sum();
            let is_alone = frames.iter().filter(|frame| frame.len() > 0).count() < 2;
            Ok(if is_alone { derived::made_rows(state, count, None) } else { derived::alike_rows(state, count) })
        }
        Index::Rows { table, count, sizes, .. } => {
            let mut all: Vec<u32> = Vec::new();
            for frame in frames {
                match &frame.index {
                    Index::Rows { table: other, rows, count, .. } if other == table => match rows {
                        Some(rows) => all.extend(rows.iter()),
                        None => all.extend(0..*count as u32),
                    },
                    _ => return refuse("rows of different tables are joined", "join parts of one table"),
                }
            }
            tables::spend_bytes(state, all.len() * 2 * size_of::<u32>())?;
            let mut seen = HashSet::with_capacity(all.len());
            if !all.iter().all(|row| seen.insert(*row)) {
                let hint = "a row that occurs twice is one person; concatenate parts without common rows";
                return refuse("a row is in several of the concatenated tables", hint);
            }
            Ok(Index::Rows { table: *table, rows: Some(Rc::new(all)), count: *count, sizes: sizes.clone() })
        }
        Index::Keys(first) => {
            let mut labels = Vec::new();
            let mut same_levels = true;
            for frame in frames {
                same_levels &= matches!(&frame.index, Index::Keys(keys) if keys.levels == first.levels);
                match &frame.index {
                    Index::Keys(keys) if keys.scalar == first.scalar => labels.extend(keys.labels.iter().cloned()),
                    _ => {
                        return refuse("results with different kinds of keys are joined", "publish them one by one");
                    }
                }
            }
            let mut seen = HashSet::with_capacity(labels.len());
            if let Some(twice) = labels.iter().find(|label| !seen.insert((*label).clone())) {
                let message = format!("the key `{}` is in several of the joined results", label_text(twice));
                return refuse(&message, "publish them one by one");
            }
            let levels = if same_levels { first.levels.clone() } else { Vec::new() };
            Ok(Index::Keys(Keys::of_levels(labels, first.scalar, levels)))
        }
        Index::Positions(_) => Ok(Index::Positions(frames.iter().map(Frame::len).sum())),
    }
}

/// `frame.rename(columns={"old": "new"})`
pub(super) fn renamed<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [names] = arguments.bind("rename", ["columns"], 1, 0)?;
    let names = given(names)?;
    let Value::Dict(handle) = names.value else {
        let message = format!("the new names are {}, not a dictionary", names.value.kind());
        return Err(Fault::new(Code::TypeMismatch, message).at_argument(names.index));
    };
    let mut renamed = frame.clone();
    for (old, new) in state.heap.dict(*handle).entries.clone() {
        let (Some(old), Some(new)) = (frames::key_labels(state, &old), frames::key_labels(state, &new)) else {
            return Err(Fault::new(Code::TypeMismatch, "columns are renamed by strings").at_argument(names.index));
        };
        // As in pandas, a name that no column has is passed over.
        for (column, before) in renamed.columns.iter_mut().zip(&frame.columns) {
            if before.label == old {
                column.label = new.clone();
            }
        }
    }
    let mut seen = HashSet::new();
    if let Some(twice) = renamed.columns.iter().find(|column| !seen.insert(column.label.clone())) {
        let message = format!("two columns would have the name `{}`", label_text(&twice.label));
        return Err(Fault::new(Code::BadArgument, message).at_argument(names.index));
    }
    tables::new_frame(state, renamed)
}

/// `frame.drop(other.index)`: without the rows that are called like this.
fn without_rows<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, labels: &Value<S>) -> Outcome<Value<S>> {
    let labels = match labels {
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => containers::elements(state, labels)?,
        single => vec![single.clone()],
    };
    let mut gone = HashSet::with_capacity(labels.len());
    for label in &labels {
        let Some(label) = frames::key_labels(state, label) else {
            return Err(Fault::new(Code::TypeMismatch, format!("there is no row with the label {}", label.kind())));
        };
        gone.insert(label);
    }
    let own = columns_method::index_values(state, &frame.index)?;
    let own: Vec<Option<Vec<Label>>> = own.iter().map(|label| frames::key_labels(state, label)).collect();
    let is_kept = |row: &u32| own[*row as usize].as_ref().is_none_or(|label| !gone.contains(label));
    let kept: Vec<u32> = (0..frame.len() as u32).filter(is_kept).collect();
    if kept.len() + gone.len() != frame.len() {
        return Err(Fault::new(Code::MissingKey, "some of the rows that are dropped are not there"));
    }
    derived::rows_at(state, frame, kept)
}

/// `frame.drop(columns=[...])`
pub(super) fn without_columns<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [labels, columns, index, axis] = arguments.bind("drop", ["labels", "columns", "index", "axis"], 0, 1)?;
    let by_column =
        axis.is_some_and(|axis| matches!(axis.value, Value::Int(1)) || text::show(state, axis.value) == "columns");
    let names = match (columns, index, labels) {
        (Some(columns), None, None) => columns.value,
        (None, None, Some(labels)) if by_column => labels.value,
        (None, Some(rows), None) | (None, None, Some(rows)) => return without_rows(state, frame, rows.value),
        _ => return Err(Fault::new(Code::WrongArguments, "`drop` takes columns or rows")),
    };
    let dropped = match names {
        Value::List(_) => frames::some_columns(state, frame, names)?,
        name => match frames::key_labels(state, name) {
            Some(label) => vec![frames::column_position(frame, &label)?],
            None => return Err(frames::not_a_name(name)),
        },
    };
    let kept = (0..frame.columns.len()).filter(|position| !dropped.contains(position));
    let columns = kept.map(|position| frame.columns[position].clone()).collect();
    tables::new_frame(state, Frame { index: frame.index.clone(), columns })
}

/// Booleans beside gaps are objects in pandas, which are summed up and grouped in other ways than numbers.
fn refuse_beside_gaps<S: Scalar>(series: &Series<S>) -> Outcome<()> {
    if matches!(series.column, super::Column::Booleans(_) | super::Column::Choices(_)) {
        let message = format!("{} is not in all of the joined tables", series.shown_name());
        return Err(Fault::hinted(
            Code::DifferentRows,
            message,
            "choose the same columns of each: `p[[\"age\", \"income\"]]`",
        ));
    }
    Ok(())
}
