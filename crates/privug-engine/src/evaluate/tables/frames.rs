//! Columns of frames: looking them up, choosing rows, adding columns.

use std::rc::Rc;
use std::sync::Arc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::index::compose;
use super::{Column, Frame, FrameColumn, Index, Label, Series, Words, label_text, secret_decides};
use super::{alignment, column, elementwise, grouped};
use crate::evaluate::{containers, tables};
use crate::number::Scalar;
use privug_language::diagnostic::{Code, nearest};

/// A value as a label; `None` if it cannot be one.
pub(super) fn label_of<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<Label> {
    match value {
        Value::Text(handle) => Some(Label::text(state.heap.text(*handle))),
        Value::Int(value) | Value::NumpyInt(value) => Some(Label::Int(*value)),
        Value::Counted(counted) => {
            state.tables.tells_rows.set(true);
            Some(Label::Int(counted.count))
        }
        Value::Bool(value) | Value::NumpyBool(value) => Some(Label::Bool(*value)),
        Value::Float(value) | Value::NumpyFloat(value) => Some(Label::Number(value.to_f64())),
        _ => None,
    }
}

/// A value as a key: a label, or a tuple of them.
pub(super) fn key_labels<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<Vec<Label>> {
    match value {
        Value::Tuple(handle) => state.heap.sequence(*handle).iter().map(|part| label_of(state, part)).collect(),
        single => label_of(state, single).map(|label| vec![label]),
    }
}

/// The value that a label stands for.
pub(super) fn label_value<S: Scalar>(state: &mut State<S>, label: &Label) -> Outcome<Value<S>> {
    Ok(match label {
        Label::Text(text) => return state.text(text.to_string()),
        Label::Int(value) => Value::Int(*value),
        Label::Bool(value) => Value::Bool(*value),
        Label::Number(value) => Value::Float(S::from_f64(*value).unwrap_or_else(S::zero)),
        Label::Missing => Value::Missing,
    })
}

/// The value that a key stands for.
pub(super) fn key_value<S: Scalar>(state: &mut State<S>, labels: &[Label], scalar: bool) -> Outcome<Value<S>> {
    match labels {
        [only] if scalar => label_value(state, only),
        several => {
            let parts = several.iter().map(|label| label_value(state, label)).collect::<Outcome<_>>()?;
            state.tuple(parts)
        }
    }
}

/// The place of a column, or what is wrong with its name.
pub(super) fn column_position<S: Scalar>(frame: &Frame<S>, label: &[Label]) -> Outcome<usize> {
    if let Some(position) = frame.position(label) {
        return Ok(position);
    }
    let names: Vec<String> = frame.columns.iter().map(|column| label_text(&column.label)).collect();
    let wanted = label_text(label);
    Err(unknown_column(&wanted, names.iter().map(String::as_str)))
}

/// One column of a frame, its rows gathered.
pub(super) fn frame_column<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    position: usize,
) -> Outcome<Rc<Series<S>>> {
    let FrameColumn { label, column, rows } = &frame.columns[position];
    if is_unread(frame, column) {
        return Err(unread(label));
    }
    let column = column::gathered(state, column, rows.as_ref())?;
    let name = Some(Rc::from(label_text(label)));
    Ok(Rc::new(Series { name, column, index: frame.index.clone() }))
}

/// The rows of a table as tuples of their cells.
pub(in super::super) fn table_rows<S: Scalar>(state: &mut State<S>, handle: u32) -> Outcome<Vec<Value<S>>> {
    grouped::refuse_groups(state, &Value::Frame(handle), "iterating over a table row by row")?;
    let frame = tables::frame(state, handle).clone();
    let mut columns = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let series = frame_column(state, &frame, position)?;
        columns.push(column::cells(state, &series.column)?);
    }
    tables::spend_rows(state, frame.len())?;
    let row = |row: usize| columns.iter().map(|cells| cells[row].clone()).collect::<Vec<_>>();
    (0..frame.len()).map(row).collect::<Vec<_>>().into_iter().map(|cells| state.tuple(cells)).collect()
}

/// The frame with only some columns.
pub(super) fn some_columns<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    wanted: &Value<S>,
) -> Outcome<Vec<usize>> {
    let mut positions = Vec::new();
    for value in containers::elements(state, wanted)? {
        match key_labels(state, &value) {
            Some(label) => positions.push(column_position(frame, &label)?),
            None => return Err(not_a_name(&value)),
        }
    }
    Ok(positions)
}

/// The frame with only the rows at some positions.
pub(super) fn some_rows<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    positions: Rc<Vec<u32>>,
) -> Outcome<Frame<S>> {
    // Columns of one table share their rows, and so do those of the result.
    let mut shared: Vec<(Option<Rc<Vec<u32>>>, Rc<Vec<u32>>)> = Vec::new();
    let mut columns = Vec::with_capacity(frame.columns.len());
    for column in &frame.columns {
        let same = |rows: &Option<Rc<Vec<u32>>>| match (rows, &column.rows) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        let rows = match shared.iter().find(|(from, _)| same(from)) {
            Some((_, rows)) => rows.clone(),
            None => {
                tables::spend_rows(state, positions.len())?;
                tables::spend_bytes(state, positions.len() * size_of::<u32>())?;
                let rows = compose(column.rows.as_ref(), &positions);
                shared.push((column.rows.clone(), rows.clone()));
                rows
            }
        };
        columns.push(FrameColumn { label: column.label.clone(), column: column.column.clone(), rows: Some(rows) });
    }
    let index = match (&frame.index, frame.columns.iter().zip(&columns).next()) {
        // The usual case: the index and the columns pick the same rows of the table, and share them.
        (Index::Rows { table, rows, count, sizes }, Some((before, after)))
            if rows.as_ref().map(Rc::as_ptr) == before.rows.as_ref().map(Rc::as_ptr) =>
        {
            Index::Rows { table: *table, rows: after.rows.clone(), count: *count, sizes: sizes.clone() }
        }
        (index, _) => index.picked(&positions),
    };
    Ok(Frame { index, columns })
}

/// The positions at which a mask holds, for something whose rows are `index`.
pub(super) fn masked<S: Scalar>(state: &mut State<S>, mask: &Series<S>, index: &Index) -> Outcome<Rc<Vec<u32>>> {
    let Column::Booleans(values) = &mask.column else {
        if mask.column.is_secret() {
            return Err(secret_decides("rows are chosen", &mask.shown_name()));
        }
        let message = format!("rows are chosen by a column of {}", mask.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "choose them by a mask, such as `p.age > 30`"));
    };
    tables::spend_rows(state, index.len())?;
    let chosen: Vec<u32> = if mask.index.same(index) {
        (0..index.len() as u32).filter(|row| values[*row as usize]).collect()
    } else {
        match (&mask.index, index) {
            // A mask over the whole table, for a part of it: pandas looks the rows up.
            (Index::Rows { table: a, rows: None, .. }, Index::Rows { table: b, rows: Some(rows), .. }) if a == b => {
                (0..rows.len() as u32).filter(|at| values[rows[*at as usize] as usize]).collect()
            }
            _ => {
                let message = format!("a mask of {} rows chooses among {} other rows", mask.len(), index.len());
                let hint = "make the mask from the same table or filter that it is used on";
                return Err(Fault::hinted(Code::DifferentRows, message, hint));
            }
        }
    };
    tables::spend_bytes(state, chosen.len() * size_of::<u32>())?;
    Ok(Rc::new(chosen))
}

/// `column[mask]`
pub(super) fn masked_series<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    mask: &Series<S>,
) -> Outcome<Value<S>> {
    let rows = masked(state, mask, &series.index)?;
    let column = column::gathered(state, &series.column, Some(&rows))?;
    let index = series.index.picked(&rows);
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
}

/// `frame[label] = value`
pub(in super::super) fn set_column<S: Scalar>(
    state: &mut State<S>,
    handle: u32,
    label: &Value<S>,
    value: &Value<S>,
) -> Outcome<()> {
    let frame = tables::frame(state, handle).clone();
    let changed = with_column(state, frame, label, value)?;
    state.heap.frames[handle as usize] = changed;
    Ok(())
}

/// The frame with one column more, or another one.
pub(super) fn with_column<S: Scalar>(
    state: &mut State<S>,
    mut frame: Frame<S>,
    label: &Value<S>,
    value: &Value<S>,
) -> Outcome<Frame<S>> {
    // Columns with labels of several parts are assigned by all of them.
    let is_alike = |label: &Vec<Label>| frame.columns.iter().any(|column| column.label.len() == label.len());
    let Some(label) = key_labels(state, label).filter(|label| label.len() == 1 || is_alike(label)) else {
        let hint = "assign a whole column: `p[\"x\"] = ...`";
        return Err(Fault::hinted(Code::AssignmentTarget, "only whole columns can be assigned", hint));
    };
    let count = frame.len();
    let column = match elementwise::side(state, value)? {
        elementwise::Side::Column(series) => {
            if series.index.same(&frame.index) {
                series.column.clone()
            } else if let Some(column) = alignment::put_beside(state, &series, &frame.index)? {
                column
            } else {
                let message = format!("a column of {} other rows is put into a table of {count}", series.len());
                let hint = "take it from the same table or filter";
                return Err(Fault::hinted(Code::DifferentRows, message, hint));
            }
        }
        elementwise::Side::Single(value) => constant_column(state, value, count)?,
    };
    let entry = FrameColumn { label, column, rows: None };
    match frame.position(&entry.label) {
        Some(position) => frame.columns[position] = entry,
        None => frame.columns.push(entry),
    }
    Ok(frame)
}

/// The same value in every row.
pub(super) fn constant_column<S: Scalar>(state: &mut State<S>, value: Value<S>, count: usize) -> Outcome<Column<S>> {
    tables::spend_rows(state, count)?;
    let value = value.plain();
    match &value {
        Value::Text(handle) => {
            tables::spend_bytes(state, count * size_of::<u32>())?;
            let label: Arc<str> = Arc::from(state.heap.text(*handle));
            let (codes, labels) = (Arc::new(vec![0; count]), Arc::new(vec![label]));
            Ok(Column::Texts { codes, labels, words: Words::Plain })
        }
        Value::Bool(_) | Value::Int(_) | Value::Counted(_) | Value::Float(_) | Value::Random { .. } => {
            state.budget.spend_elements(count as u64)?;
            let value = value.uncounted().unwrap_or(value);
            column::column_of(state, vec![value; count])
        }
        other => {
            let message = format!("a column cannot be made of {}", other.kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "give a column, a number or a string"))
        }
    }
}

/// Whether a column of a table of groups was never read: it has no rows, and the table has some.
pub(super) fn is_unread<S: Scalar>(frame: &Frame<S>, column: &Column<S>) -> bool {
    column.len() == 0 && matches!(&frame.index, Index::Rows { count, sizes: Some(_), .. } if *count > 0)
}

/// A column is looked at that nobody has grouped by.
pub(super) fn unread(label: &[Label]) -> Box<Fault> {
    let message = format!("the column `{}` was not loaded: the script does not name it", label_text(label));
    let hint = "people are grouped by the columns that the script names; name the columns that it computes with";
    Fault::hinted(Code::NotOfGroups, message, hint)
}

/// There is not a column of that name.
pub(super) fn unknown_column<'n>(wanted: &str, names: impl Iterator<Item = &'n str> + Clone) -> Box<Fault> {
    const SHOWN: usize = 12;
    let hint = match nearest(wanted, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut shown: Vec<String> = names.clone().take(SHOWN).map(|name| format!("`{name}`")).collect();
            if names.count() > SHOWN {
                shown.push("…".to_owned());
            }
            format!("the columns are {}", shown.join(", "))
        }
    };
    Fault::hinted(Code::UnknownColumn, format!("the table has no column `{wanted}`"), hint)
}

pub(super) fn not_a_name<S: Scalar>(value: &Value<S>) -> Box<Fault> {
    Fault::new(Code::TypeMismatch, format!("a column is named by a string, not by {}", value.kind()))
}
