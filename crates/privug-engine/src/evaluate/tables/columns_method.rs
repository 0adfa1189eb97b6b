//! Which method of a table, a column or a grouping is called, and what their methods share.

use std::rc::Rc;

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::Statistic;
use super::masks::Spread;
use super::{Accessed, Accessor, Column, Frame, Index, Keys, Label, Series, not_linear};
use super::{column, dates, derived, frame_method, frames, groups_method, more, series_method, texts, windows};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{DatePart, Method, TableMethod};

/// Calls a method of a table, a column or a grouping.
pub(in super::super) fn table_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    match object {
        Value::Series(series) => series_method::series_method(state, method, series, arguments),
        Value::Frame(handle) => {
            if let Some(made) = more::method_in_place(state, method, *handle, arguments)? {
                return Ok(made);
            }
            let frame = tables::frame(state, *handle).clone();
            frame_method::frame_method(state, method, object, &frame, arguments)
        }
        Value::Groups(groups) => groups_method::groups_method(state, method, groups, arguments),
        Value::Loc(accessed) => match (accessed.accessor, method) {
            (Accessor::Text, Method::Text(method)) => texts::text_method(state, method, &accessed.value, arguments),
            (Accessor::Elapsed, Method::Table(TableMethod::DateAccessor)) => Ok(object.clone()),
            (Accessor::Elapsed, Method::Table(TableMethod::DatePart(DatePart::Days))) => Ok(accessed.value.clone()),
            (Accessor::Date, Method::Table(TableMethod::DatePart(part))) if part != DatePart::Days => {
                match &accessed.value {
                    Value::Series(series) => dates::date_part(state, part, series),
                    other => Err(unknown_method(method, other)),
                }
            }
            (Accessor::Date, Method::Table(TableMethod::DateText { is_period })) => match &accessed.value {
                Value::Series(series) => dates::date_text(state, series, is_period, arguments),
                other => Err(unknown_method(method, other)),
            },
            (Accessor::Date, Method::Table(TableMethod::PeriodStarts)) => match &accessed.value {
                Value::Series(series) => {
                    arguments.none(method.name())?;
                    dates::starts_of_periods(series)
                }
                other => Err(unknown_method(method, other)),
            },
            (Accessor::Window(window), _) => windows::window_method(state, method, window, &accessed.value, arguments),
            (Accessor::Described, Method::Table(TableMethod::Loc)) => Ok(object.clone()),
            (Accessor::Described, _) => Err(not_linear("describe")),
            _ => Err(unknown_method(method, object)),
        },
        other => Err(unknown_method(method, other)),
    }
}

/// `copy()`, which shares nothing.
pub(super) fn deep_copy_only<S: Scalar>(state: &State<S>, arguments: &Arguments<'_, S>) -> Outcome<()> {
    let [deep] = arguments.bind("copy", ["deep"], 0, 1)?;
    derived::required_option(state, "deep", deep, true)
}

/// The frame, without its texts if `numeric_only=True` is given.
pub(super) fn number_columns<S: Scalar>(
    method: Method,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Frame<S>> {
    let [only, _, _] = arguments.bind(method.name(), ["numeric_only", "axis", "skipna"], 0, 0)?;
    let mut frame = frame.clone();
    if only.is_some_and(|only| matches!(only.value, Value::Bool(true))) {
        frame.columns.retain(|column| !is_no_number(&column.column));
    }
    Ok(frame)
}

/// One figure for each column, called by the columns' names.
pub(super) fn column_by_column<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    mut figure: impl FnMut(&mut State<S>, &Rc<Series<S>>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    let mut values = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        values.push(figure(state, &series)?);
    }
    let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
    let scalar = labels.iter().all(|label| label.len() == 1);
    let (column, index) = (column::column_of(state, values)?, Index::Keys(Keys::new(labels, scalar)));
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

pub(in super::super) fn column_names<S: Scalar>(state: &mut State<S>, frame: &Frame<S>) -> Outcome<Vec<Value<S>>> {
    // Columns that nobody has grouped by stand behind the others.
    if frame.index.sizes().is_some() {
        return Err(super::not_of_groups("the order of the columns"));
    }
    frame.columns.iter().map(|column| frames::key_value(state, &column.label, column.label.len() == 1)).collect()
}

/// What the rows of a column are called, as values.
pub(super) fn index_values<S: Scalar>(state: &mut State<S>, index: &Index) -> Outcome<Vec<Value<S>>> {
    state.budget.spend_elements(index.len() as u64)?;
    derived::refuse_alike(index)?;
    match index {
        Index::Keys(keys) => keys.labels.iter().map(|labels| frames::key_value(state, labels, keys.scalar)).collect(),
        Index::Rows { rows: Some(rows), .. } => Ok(rows.iter().map(|row| Value::Int(i64::from(*row))).collect()),
        Index::Rows { count, .. } | Index::Positions(count) => Ok((0..*count as i64).map(Value::Int).collect()),
    }
}

/// Keys and values of a column, as pairs.
pub(super) fn items<S: Scalar>(state: &mut State<S>, series: &Series<S>) -> Outcome<Vec<Value<S>>> {
    let keys = index_values(state, &series.index)?;
    let values = column::cells(state, &series.column)?;
    keys.into_iter().zip(values).map(|(key, value)| state.tuple(vec![key, value])).collect()
}

pub(super) fn dict_of_pairs<S: Scalar>(state: &mut State<S>, pairs: Vec<Value<S>>) -> Outcome<Value<S>> {
    let dict = state.new_dict()?;
    if let Value::Dict(handle) = dict {
        for pair in pairs {
            if let [key, value] = containers::elements(state, &pair)?.as_slice() {
                state.insert(handle, key.clone(), value.clone())?;
            }
        }
    }
    Ok(dict)
}

/// `"mean"`, `"sum"`, `"count"` or `"size"`
pub(super) fn statistic_named<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<Statistic> {
    let name = text::show(state, value);
    Statistic::named(&name).filter(|_| matches!(value, Value::Text(_))).ok_or_else(|| {
        let message = format!("a figure cannot be {name} here");
        Fault::hinted(Code::BadArgument, message, "the figures are \"mean\", \"sum\", \"count\" and \"size\"")
    })
}

/// Something looked at in a way of its own.
pub(super) fn accessed<S: Scalar>(accessor: Accessor, value: Value<S>) -> Value<S> {
    Value::Loc(Rc::new(Accessed { accessor, value }))
}

pub(super) fn statistic_of(method: Method) -> Option<Statistic> {
    match method {
        Method::Sum => Some(Statistic::Sum),
        Method::Mean => Some(Statistic::Mean),
        Method::Count => Some(Statistic::Count),
        _ => None,
    }
}

pub(super) fn spread_of(method: Method) -> Option<Spread> {
    match method {
        Method::Table(TableMethod::Minimum) => Some(Spread::Minimum),
        Method::Table(TableMethod::Maximum) => Some(Spread::Maximum),
        Method::Table(TableMethod::StandardDeviation) => Some(Spread::StandardDeviation),
        Method::Table(TableMethod::Variance) => Some(Spread::Variance),
        Method::Table(TableMethod::Median) => Some(Spread::Median),
        _ => None,
    }
}

/// Whether pandas keeps a column as objects: texts, and booleans with gaps.
pub(super) fn is_no_number<S: Scalar>(column: &Column<S>) -> bool {
    match column {
        Column::Texts { .. } => true,
        Column::Cells(values) => values.iter().any(|value| matches!(value, Value::Bool(_) | Value::Text(_))),
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Random(_) | Column::Own(_) => false,
        Column::Choices(values) => values.all_values().any(|value| matches!(value, Value::Text(_))),
    }
}

pub(super) fn unknown_method<S: Scalar>(method: Method, object: &Value<S>) -> Box<Fault> {
    let name = method.name();
    let hint = match (method, object) {
        (Method::Table(TableMethod::GroupSizes), Value::Series(_) | Value::Frame(_)) => {
            "without parentheses: `.size` is a number".to_owned()
        }
        (Method::Table(TableMethod::NotLinear(_)), _) => "it is not supported, not even on public columns".to_owned(),
        _ => "the language page lists what tables, columns and groups support".to_owned(),
    };
    Fault::hinted(Code::Attribute, format!("{} has no `.{name}` here", object.kind()), hint)
}
