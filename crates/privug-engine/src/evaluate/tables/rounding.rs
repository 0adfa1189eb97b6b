//! Figures that a script rounds before it publishes them.
//!
//! What rounding hides is less than it seems, so a rounded figure is judged as if it were published as it was: on average
//! that tells at least as much. Which values depend on the secret is known in the attacker's run only; the real run leaves
//! the same ones as they are.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::Note;
use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Frame, RandomColumn, Series};
use super::{frames, gaps};
use crate::evaluate::{builtins, containers, marked, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// Which of the values that a function rounds depend on the secret.
#[derive(Debug, Default)]
pub(in super::super) enum Roundings {
    /// Nothing is published about a table: there is no real run.
    #[default]
    None,
    /// The attacker's run, one after the other.
    Recorded(Vec<bool>),
    /// The real run, which follows it.
    Followed(std::vec::IntoIter<bool>),
}

/// Whether a value that is rounded stays as it is, because it depends on the secret.
pub(in super::super) fn stays_unrounded<S: Scalar>(state: &mut State<S>, is_secret: bool, name: &str) -> Outcome<bool> {
    let stays = match &mut state.tables.roundings {
        Roundings::None => is_secret,
        Roundings::Recorded(all) => {
            all.push(is_secret);
            is_secret
        }
        Roundings::Followed(all) => all.next().ok_or_else(|| {
            Fault::new(Code::RunsDiffer, "more is rounded on the real values than on random variables")
        })?,
    };
    if stays {
        let message = format!("{name} is rounded, and is judged as if published unrounded");
        state.note(Note { message, span: state.span });
    }
    Ok(stays)
}

/// `column.round(decimals)`
pub(in super::super) fn rounded_series<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Rc<Series<S>>> {
    let [decimals] = arguments.bind("round", ["decimals"], 0, 1)?;
    let digits = match decimals {
        Some(decimals) => containers::whole(decimals.value, "the number of decimals")?,
        None => 0,
    };
    rounded_to(state, series, digits)
}

fn rounded_to<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, digits: i64) -> Outcome<Rc<Series<S>>> {
    tables::publish::look(state, || format!("{digits} decimals"));
    if stays_unrounded(state, series.column.is_secret(), &series.shown_name())? {
        tables::spend_rows(state, series.len())?;
        let column = marked_column(state, &series.column, false)?;
        return Ok(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() }));
    }
    tables::spend_rows(state, series.len())?;
    let column = match &series.column {
        Column::Numbers(values) => {
            let rounded = values.iter().map(|value| builtins::numbers::round_as_numpy(value, digits));
            Column::Numbers(Rc::new(rounded.collect::<Outcome<_>>()?))
        }
        Column::Integers(_) | Column::Booleans(_) if digits >= 0 => series.column.clone(),
        Column::Cells(values) => {
            let rounded = values.iter().map(|value| match value {
                Value::Float(value) => builtins::numbers::round_as_numpy(value, digits).map(Value::Float),
                Value::Missing => Ok(Value::Missing),
                Value::Int(_) | Value::Counted(_) if digits >= 0 => Ok(value.clone()),
                other => Err(cannot_round(other.kind())),
            });
            Column::Cells(Rc::new(rounded.collect::<Outcome<_>>()?))
        }
        other => return Err(cannot_round(&format!("a column of {}", other.kind()))),
    };
    Ok(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() }))
}

/// A column as rounded values, or as strings of them, which nothing else is computed with.
pub(super) fn marked_column<S: Scalar>(state: &mut State<S>, column: &Column<S>, is_text: bool) -> Outcome<Column<S>> {
    match column {
        Column::Random(values) => {
            let marked = (0..column.len()).map(|row| marked::mark(state, &values.get(row), is_text));
            let marked = marked.collect::<Outcome<Vec<_>>>()?;
            Ok(Column::Random(Rc::new(RandomColumn::from_variables(marked))))
        }
        Column::Cells(values) => {
            let marked = values.iter().map(|value| marked::marked(state, value, is_text));
            Ok(Column::Cells(Rc::new(marked.collect::<Outcome<_>>()?)))
        }
        Column::Choices(_) => Err(Fault::hinted(
            Code::NonlinearFunction,
            "a column of discrete secrets is rounded",
            "round only the published result",
        )),
        Column::Own(_) => Err(super::everybodys_own("rounding")),
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Texts { .. } => Ok(column.clone()),
    }
}

/// `frame.round(decimals)`: strings are left alone.
pub(super) fn rounded_frame<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [decimals] = arguments.bind("round", ["decimals"], 0, 1)?;
    if let Some(Value::Dict(handle)) = decimals.map(|decimals| decimals.value) {
        return rounded_by_name(state, frame, *handle);
    }
    gaps::each_column(state, frame, |state, series| match &series.column {
        Column::Texts { .. } => Ok((**series).clone()),
        _ => rounded_series(state, series, arguments).map(|rounded| (*rounded).clone()),
    })
}

/// `frame.round({"mean": 1})`: the columns that it names.
fn rounded_by_name<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, digits: u32) -> Outcome<Value<S>> {
    let mut digits_of = HashMap::new();
    for (name, digits) in state.heap.dict(digits).entries.clone() {
        let Some(label) = frames::key_labels(state, &name) else { return Err(frames::not_a_name(&name)) };
        digits_of.insert(label, containers::whole(&digits, "the number of decimals")?);
    }
    let mut made = frame.clone();
    for (position, column) in frame.columns.iter().enumerate() {
        // As in pandas, a name that no column has is passed over, and so are strings.
        let Some(digits) = digits_of.get(&column.label) else { continue };
        if matches!(column.column, Column::Texts { .. }) {
            continue;
        }
        let series = frames::frame_column(state, frame, position)?;
        let rounded = rounded_to(state, &series, *digits)?;
        made.columns[position].column = rounded.column.clone();
        made.columns[position].rows = None;
    }
    tables::new_frame(state, made)
}

fn cannot_round(what: &str) -> Box<Fault> {
    Fault::new(Code::TypeMismatch, format!("`.round()` does not take {what} here"))
}
