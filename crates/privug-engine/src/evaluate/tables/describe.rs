//! `describe()`: of public columns all of it, and of secret ones the parts that are linear, when somebody asks for them.

use std::rc::Rc;

use super::super::builtins::Arguments;
use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::Statistic;
use super::columns_method::accessed;
use super::masks::Spread;
use super::{Accessor, Column, Frame, FrameColumn, Index, Keys, Label, Series, not_linear};
use super::{column, columns_method, counted, frames, lookup, masks, public};
use crate::evaluate::{builtins, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

/// The rows of a description, in pandas' order.
const PARTS: [&str; 8] = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"];

/// `column.describe()`
pub(super) fn described<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    arguments.none("describe")?;
    if series.column.is_secret() {
        return Ok(accessed(Accessor::Described, Value::Series(series.clone())));
    }
    if matches!(series.column, Column::Texts { .. } | Column::Booleans(_)) {
        let message =
            format!("{} holds {}, which are described in another way", series.shown_name(), series.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "ask for `.value_counts()` or `.count()`"));
    }
    let parts = PARTS.map(str::to_owned).to_vec();
    some_parts(state, series, &parts)
}

/// `table.describe()`: the columns of numbers.
pub(super) fn described_frame<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    arguments.none("describe")?;
    let mut numbers = frame.clone();
    numbers.columns.retain(|column| !matches!(column.column, Column::Texts { .. } | Column::Booleans(_)));
    if numbers.columns.is_empty() {
        let message = "a table without columns of numbers is described in another way";
        return Err(Fault::hinted(Code::TypeMismatch, message, "ask for `.value_counts()` or `.count()` of a column"));
    }
    if numbers.columns.iter().any(|column| column.column.is_secret()) {
        let object = tables::new_frame(state, numbers)?;
        return Ok(accessed(Accessor::Described, object));
    }
    let parts = PARTS.map(str::to_owned).to_vec();
    let mut described = Vec::with_capacity(numbers.columns.len());
    for position in 0..numbers.columns.len() {
        let series = frames::frame_column(state, &numbers, position)?;
        if let Value::Series(found) = some_parts(state, &series, &parts)? {
            let label = numbers.columns[position].label.clone();
            described.push(FrameColumn { label, column: found.column.clone(), rows: None });
        }
    }
    let labels = parts.iter().map(|part| vec![Label::text(part)]).collect();
    tables::new_frame(state, Frame { index: Index::Keys(Keys::new(labels, true)), columns: described })
}

fn some_parts<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, parts: &[String]) -> Outcome<Value<S>> {
    let mut values = Vec::with_capacity(parts.len());
    for part in parts {
        values.push(described_part(state, series, part)?);
    }
    let labels = parts.iter().map(|part| vec![Label::text(part)]).collect();
    let (column, index) = (column::column_of(state, values)?, Index::Keys(Keys::new(labels, true)));
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
}

fn described_part<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, part: &str) -> Outcome<Value<S>> {
    let statistic = |name: &str| Statistic::named(name);
    match part {
        "count" => {
            let count = counted::series_statistic(state, statistic("count").unwrap_or(Statistic::Count), series)?;
            // pandas keeps it beside the others, as a float.
            builtins::call_builtin(state, privug_language::program::Builtin::Float, &positional(1), &[count])
        }
        "mean" => counted::series_statistic(state, Statistic::Mean, series),
        _ if !PARTS.contains(&part) => Err(Fault::hinted(
            Code::MissingKey,
            format!("`describe` has no `{part}`"),
            format!("it has {}", PARTS.join(", ")),
        )),
        _ if series.column.is_secret() => Err(Fault::hinted(
            Code::NonlinearFunction,
            format!("`{part}` of `.describe()` of a secret column is not Gaussian"),
            "ask for the linear part: `count` and `mean`",
        )),
        "std" => masks::spread(state, Spread::StandardDeviation, series),
        "min" => masks::spread(state, Spread::Minimum, series),
        "max" => masks::spread(state, Spread::Maximum, series),
        share => {
            let share = share.trim_end_matches('%').parse::<f64>().unwrap_or(50.0) / 100.0;
            let share = Value::Float(S::from_f64(share).unwrap_or_else(S::zero));
            let quantile = public::public_method(
                state,
                "quantile",
                series,
                &Arguments { shape: &positional(1), values: &[share] },
            )?;
            Ok(quantile.unwrap_or(Value::Missing))
        }
    }
}

/// `column.describe()["mean"]`, `.loc["mean"]`, `[["count", "mean"]]`, and the same of tables and groups.
pub(super) fn part_of_description<S: Scalar>(
    state: &mut State<S>,
    described: &Value<S>,
    index: &Value<S>,
) -> Outcome<Value<S>> {
    let names: Option<Vec<String>> = match index {
        Value::List(_) => {
            let parts = containers::elements(state, index)?;
            parts
                .iter()
                .all(|part| matches!(part, Value::Text(_)))
                .then(|| parts.iter().map(|part| text::show(state, part)).collect())
        }
        Value::Text(_) => Some(vec![text::show(state, index)]),
        _ => None,
    };
    let Some(names) = names else { return Err(not_linear("describe")) };
    let is_list = matches!(index, Value::List(_));
    match described {
        Value::Series(series) if is_list => some_parts(state, series, &names),
        Value::Series(series) => described_part(state, series, &names[0]),
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            part_of_columns(state, &frame, &names, is_list)
        }
        Value::Groups(_) => {
            if let Some(part) = names.iter().find(|name| !["count", "mean"].contains(&name.as_str())) {
                let hint = "ask for the linear part: `.agg([\"count\", \"mean\"])`";
                let message = format!("`{part}` of `.describe()` of a secret column is not Gaussian");
                return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
            }
            let figures = if is_list { index.clone() } else { state.list(vec![index.clone()])? };
            let method = Method::Table(TableMethod::Aggregate);
            let table = columns_method::table_method(
                state,
                method,
                described,
                &Arguments { shape: &positional(1), values: &[figures] },
            )?;
            if is_list { Ok(table) } else { lookup::index_table(state, &table, index) }
        }
        other => Err(Fault::new(Code::TypeMismatch, format!("{} is not described", other.kind()))),
    }
}

/// A row of a table's description, or the description of one of its columns.
fn part_of_columns<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    names: &[String],
    is_list: bool,
) -> Outcome<Value<S>> {
    if !is_list && !PARTS.contains(&names[0].as_str()) {
        let position = frames::column_position(frame, &[Label::text(&names[0])])?;
        let series = frames::frame_column(state, frame, position)?;
        return described(state, &series, &Arguments { shape: &positional(0), values: &[] });
    }
    if is_list {
        let message = "several rows of the description of a table";
        return Err(Fault::hinted(Code::BadArgument, message, "ask for them one by one: `.loc[\"mean\"]`"));
    }
    columns_method::column_by_column(state, frame, |state, series| described_part(state, series, &names[0]))
}
