//! Missing values: which they are, filling them in, and leaving their rows out. Which values of the secret column are
//! missing is known to the attacker.

use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Handle, Value};
use super::{Column, Frame, FrameColumn, Label, Series};
use super::{column, derived, frames, grouped, public, windows};
use crate::evaluate::{tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `column.isna()`, or with `wanted` false `column.notna()`.
pub(in super::super) fn missing_mask<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    wanted: bool,
) -> Outcome<Series<S>> {
    tables::spend_rows(state, series.len())?;
    tables::spend_bytes(state, series.len())?;
    let mask = (0..series.len()).map(|row| series.column.is_missing(row) == wanted).collect();
    let column = Column::Booleans(Arc::new(mask));
    Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
}

/// `column.fillna(value)`
pub(super) fn gaps_filled<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    value: &Value<S>,
) -> Outcome<Series<S>> {
    if !series.column.has_gaps() {
        return Ok((**series).clone());
    }
    if let Value::Series(other) = value {
        return public::filled_from(state, series, other);
    }
    let fits = match (&series.column, value) {
        (Column::Texts { .. }, value) => matches!(value, Value::Text(_)),
        (_, Value::Missing | Value::Random { .. }) => true,
        (_, value) => state.number(value).is_some() && !matches!(value, Value::Bool(_)),
    };
    if !fits {
        let message = format!("{} is filled with {}", series.shown_name(), value.kind());
        let hint = "fill a column of numbers with a number, and one of strings with a string";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    }
    let fill = |cell: Value<S>| if let Value::Missing = cell { value.clone() } else { cell };
    let values = column::cells(state, &series.column)?.into_iter().map(fill).collect();
    let column = column::column_of(state, values)?;
    Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
}

/// `frame.fillna({"a": 0})`: each column with its own value.
pub(super) fn gaps_filled_by_name<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    fills: Handle,
) -> Outcome<Value<S>> {
    let entries = state.heap.dict(fills).entries.clone();
    let own =
        |label: &[Label]| entries.iter().find(|(key, _)| frames::key_labels(state, key).as_deref() == Some(label));
    let fills: Vec<Option<Value<S>>> =
        frame.columns.iter().map(|column| own(&column.label).map(|(_, value)| value.clone())).collect();
    let mut fills = fills.into_iter();
    each_column(state, frame, |state, series| match fills.next().flatten() {
        Some(value) => gaps_filled(state, series, &value),
        None => Ok((**series).clone()),
    })
}

/// `column.ffill()` and `column.bfill()`: the last value that is there before a gap, or the next behind it.
pub(super) fn gaps_filled_from<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    forward: bool,
) -> Outcome<Series<S>> {
    windows::refuse_unstable_rows(state, &series.index)?;
    grouped::refuse_groups(state, &Value::Series(series.clone()), "filling gaps with the value of another row")?;
    tables::spend_rows(state, series.len())?;
    let mut source: Option<u32> = None;
    let mut rows: Vec<u32> = vec![0; series.len()];
    for step in 0..series.len() {
        let row = if forward { step } else { series.len() - 1 - step };
        if !series.column.is_missing(row) {
            source = Some(row as u32);
        }
        // Where there is none, the gap stays.
        rows[row] = source.unwrap_or(row as u32);
    }
    let column = column::gathered(state, &series.column, Some(&Rc::new(rows)))?;
    Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
}

/// `frame.dropna()`, `frame.dropna(subset=["a", "b"])`
pub(super) fn without_missing<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [subset, how] = arguments.bind("dropna", ["subset", "how"], 0, 0)?;
    let how = how.map_or("any".to_owned(), |how| text::show(state, how.value));
    if how != "any" && how != "all" {
        return Err(Fault::new(Code::BadArgument, format!("`how` cannot be \"{how}\"")));
    }
    let positions = match subset.map(|subset| subset.value) {
        None | Some(Value::None) => (0..frame.columns.len()).collect(),
        Some(names @ Value::List(_)) => frames::some_columns(state, frame, names)?,
        Some(name) => match frames::key_labels(state, name) {
            Some(label) => vec![frames::column_position(frame, &label)?],
            None => return Err(frames::not_a_name(name)),
        },
    };
    let mut columns = Vec::with_capacity(positions.len());
    for position in positions {
        columns.push(frames::frame_column(state, frame, position)?.column.clone());
    }
    let columns: Vec<&Column<S>> = columns.iter().collect();
    tables::spend_rows(state, frame.len())?;
    if how == "all" {
        let is_kept = |row: &u32| columns.iter().any(|column| !column.is_missing(*row as usize));
        let kept = (0..frame.len() as u32).filter(is_kept).collect();
        return derived::rows_at(state, frame, kept);
    }
    let complete = frames::some_rows(state, frame, Rc::new(complete_rows(&columns, frame.len())))?;
    tables::new_frame(state, complete)
}

/// A frame of what each column becomes.
pub(super) fn each_column<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    mut change: impl FnMut(&mut State<S>, &Rc<Series<S>>) -> Outcome<Series<S>>,
) -> Outcome<Value<S>> {
    let mut columns = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        let column = change(state, &series)?.column;
        columns.push(FrameColumn { label: frame.columns[position].label.clone(), column, rows: None });
    }
    tables::new_frame(state, Frame { index: frame.index.clone(), columns })
}

/// The rows in which no column has a gap.
pub(super) fn complete_rows<S: Scalar>(columns: &[&Column<S>], count: usize) -> Vec<u32> {
    let is_complete = |row: &u32| !columns.iter().any(|column| column.is_missing(*row as usize));
    (0..count as u32).filter(is_complete).collect()
}
