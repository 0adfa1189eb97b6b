//! Operators on whole tables: with a number, with another table, and with a column that stands beside their columns or rows.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::alignment::{Order, Places, united};
use super::shape::Shape;
use super::{Column, Frame, FrameColumn, Index, Keys, Series};
use super::{column, elementwise, frames};
use crate::evaluate::{arithmetic, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// Which of the two sides of an operator the table is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TableSide {
    Left,
    Right,
}

/// `frame operator number`, `frame operator frame` and `frame operator column`, column by column.
pub(in super::super) fn frame_arithmetic<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    match (left, right) {
        (Value::Frame(a), Value::Frame(b)) => {
            let (a, b) = (tables::frame(state, *a).clone(), tables::frame(state, *b).clone());
            tables_combined(state, operator, &a, &b)
        }
        (Value::Frame(frame), Value::Series(series)) => {
            let frame = tables::frame(state, *frame).clone();
            beside_columns(state, operator, TableSide::Left, &frame, series)
        }
        (Value::Series(series), Value::Frame(frame)) => {
            let frame = tables::frame(state, *frame).clone();
            beside_columns(state, operator, TableSide::Right, &frame, series)
        }
        (Value::Frame(frame), single) => {
            let frame = tables::frame(state, *frame).clone();
            with_single(state, operator, TableSide::Left, &frame, single)
        }
        (single, Value::Frame(frame)) => {
            let frame = tables::frame(state, *frame).clone();
            with_single(state, operator, TableSide::Right, &frame, single)
        }
        _ => Err(arithmetic::mismatch(operator, left, right)),
    }
}

/// `frame.mul(column, axis=0)`: the column stands beside the rows.
pub(super) fn beside_rows<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    frame: &Frame<S>,
    series: &Value<S>,
) -> Outcome<Value<S>> {
    column_for_column(state, frame, |state, own| elementwise::binary_columns(state, operator, own, series))
}

fn with_single<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    side: TableSide,
    frame: &Frame<S>,
    single: &Value<S>,
) -> Outcome<Value<S>> {
    if state.number(single).is_none() && single.as_random().is_none() {
        let hint = "combine the columns one by one: `p[\"x\"] = p.x * p.w`";
        let message = format!("a table is combined with {}", single.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    }
    column_for_column(state, frame, |state, own| match side {
        TableSide::Left => elementwise::binary_columns(state, operator, own, single),
        TableSide::Right => elementwise::binary_columns(state, operator, single, own),
    })
}

/// A table of what is made of each column; all of them have the same rows.
fn column_for_column<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    mut make: impl FnMut(&mut State<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    let (mut index, mut columns) = (frame.index.clone(), Vec::with_capacity(frame.columns.len()));
    for position in 0..frame.columns.len() {
        let own = Value::Series(frames::frame_column(state, frame, position)?);
        let Value::Series(made) = make(state, &own)? else { return Ok(Value::Poison) };
        index = made.index.clone();
        let label = frame.columns[position].label.clone();
        columns.push(FrameColumn { label, column: made.column.clone(), rows: None });
    }
    tables::new_frame(state, Frame { index, columns })
}

/// `frame operator column`: pandas looks the names of the columns up among the labels of the column.
fn beside_columns<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    side: TableSide,
    frame: &Frame<S>,
    series: &Rc<Series<S>>,
) -> Outcome<Value<S>> {
    let Index::Keys(keys) = &series.index else {
        let hint = "for a column of the same rows: `p.mul(column, axis=0)`";
        let message = "a table is combined with a column whose labels are not the table's column names";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    };
    if shape_of(&frame.index).is_secret() || keys.shape.is_secret() {
        return Err(super::shape::secret_shape("a table is combined with a column, one of"));
    }
    let names = columns_of(frame);
    let (labels, places) = match united_columns(&names, keys) {
        Some(found) => found,
        None => {
            let hint = "use the column names as labels; for a column of the same rows: `p.mul(column, axis=0)`";
            let message = "a table is combined with a column whose labels are not like the names of its columns";
            return Err(Fault::hinted(Code::DifferentRows, message, hint));
        }
    };
    let cells = column::cells(state, &series.column)?;
    let mut columns = Vec::with_capacity(labels.labels.len());
    for ((label, own), other) in labels.labels.iter().zip(&places[0]).zip(&places[1]) {
        let column = match (own, other) {
            (Some(own), Some(other)) => {
                let own = Value::Series(frames::frame_column(state, frame, *own as usize)?);
                let cell = match &cells[*other as usize] {
                    Value::Missing => None,
                    cell => Some(cell.clone()),
                };
                match (cell, side) {
                    (None, _) => column_of_gaps(state, frame.len())?,
                    (Some(cell), side) => {
                        let made = match side {
                            TableSide::Left => elementwise::binary_columns(state, operator, &own, &cell)?,
                            TableSide::Right => elementwise::binary_columns(state, operator, &cell, &own)?,
                        };
                        let Value::Series(made) = made else { return Ok(Value::Poison) };
                        made.column.clone()
                    }
                }
            }
            _ => column_of_gaps(state, frame.len())?,
        };
        columns.push(FrameColumn { label: label.clone(), column, rows: None });
    }
    tables::new_frame(state, Frame { index: frame.index.clone(), columns })
}

fn column_of_gaps<S: Scalar>(state: &mut State<S>, count: usize) -> Outcome<Column<S>> {
    tables::spend_rows(state, count)?;
    column::column_of(state, vec![Value::Missing; count])
}

/// The names of columns and labels together, and where both are; `None` where it is not known how pandas matches them.
fn united_columns(names: &Rc<Keys>, keys: &Rc<Keys>) -> Option<(Rc<Keys>, [Places; 2])> {
    if names.labels == keys.labels && names.scalar == keys.scalar {
        let all: Places = (0..names.labels.len() as u32).map(Some).collect();
        return Some((names.clone(), [all.clone(), all]));
    }
    let (index, places) = united(&[&Index::Keys(names.clone()), &Index::Keys(keys.clone())], Order::Sorted)?;
    let Index::Keys(labels) = index else { return None };
    let mut places = places.into_iter();
    Some((labels, [places.next()?, places.next()?]))
}

/// `frame operator frame`: rows and columns are matched by their names.
fn tables_combined<S: Scalar>(state: &mut State<S>, operator: Binary, a: &Frame<S>, b: &Frame<S>) -> Outcome<Value<S>> {
    let (names, others) = (columns_of(a), columns_of(b));
    let unmatched = || {
        let hint = "give both the same rows and columns first";
        Fault::hinted(Code::DifferentRows, "tables whose rows or columns are called differently are combined", hint)
    };
    let (labels, places) = united_columns(&names, &others).ok_or_else(unmatched)?;
    let is_secret = shape_of(&a.index).is_secret() || shape_of(&b.index).is_secret();
    if is_secret && names.labels != others.labels {
        return Err(super::shape::secret_shape("two tables are combined, one of"));
    }
    let (mut index, mut columns) = (None, Vec::with_capacity(labels.labels.len()));
    for ((label, own), other) in labels.labels.iter().zip(&places[0]).zip(&places[1]) {
        let column = match (own, other) {
            (Some(own), Some(other)) => {
                let own = Value::Series(frames::frame_column(state, a, *own as usize)?);
                let other = Value::Series(frames::frame_column(state, b, *other as usize)?);
                let Value::Series(made) = elementwise::binary_columns(state, operator, &own, &other)? else {
                    return Ok(Value::Poison);
                };
                index = Some(made.index.clone());
                Some(made.column.clone())
            }
            _ => None,
        };
        columns.push((label.clone(), column));
    }
    // Without a column that both have it is not known the labels of the rows together.
    let index = index.ok_or_else(unmatched)?;
    let mut made = Vec::with_capacity(columns.len());
    for (label, column) in columns {
        let column = match column {
            Some(column) => column,
            None => column_of_gaps(state, index.len())?,
        };
        made.push(FrameColumn { label, column, rows: None });
    }
    tables::new_frame(state, Frame { index, columns: made })
}

/// What of the rows and columns depends on a secret.
fn shape_of(index: &Index) -> Shape {
    match index {
        Index::Keys(keys) => keys.shape,
        Index::Rows { .. } | Index::Positions(_) => Shape::default(),
    }
}

/// The names of the columns as labels.
fn columns_of<S: Scalar>(frame: &Frame<S>) -> Rc<Keys> {
    let labels: Vec<_> = frame.columns.iter().map(|column| column.label.clone()).collect();
    let scalar = labels.iter().all(|label| label.len() == 1);
    Keys::new(labels, scalar)
}
