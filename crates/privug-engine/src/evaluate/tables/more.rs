//! Methods of columns and frames that are made of simpler ones.

use crate::sorting::CompactSort;
use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::iterators::Walk;
use super::super::ndarray::Kind;
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::Statistic;
use super::masks::Listing;
use super::{Column, Frame, FrameColumn, Index, Keys, Label, Series, Words};
use super::{
    aggregate, applied, axes, categories, changed, column, columns_method, counted, derived, elementwise, figures,
    frames, gaps, grouped, lookup, masks, rounding, windows,
};
use crate::evaluate::{builtins, compare, containers, iterators, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, Method, TableMethod};

/// A method with `inplace=True`: the table becomes what the method gives.
pub(super) fn method_in_place<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    handle: u32,
    arguments: &Arguments<'_, S>,
) -> Outcome<Option<Value<S>>> {
    let place = arguments.shape.keywords.iter().position(|name| name == "inplace");
    let Some(place) = place else { return Ok(None) };
    let place = arguments.shape.positional as usize + place;
    let in_place = compare::truth(state, &arguments.values[place])?;
    let mut shape = arguments.shape.clone();
    shape.keywords.retain(|name| name != "inplace");
    let mut values = arguments.values.to_vec();
    values.remove(place);
    let made = columns_method::table_method(
        state,
        method,
        &Value::Frame(handle),
        &Arguments { shape: &shape, values: &values },
    )?;
    match made {
        Value::Frame(made) if in_place => {
            state.heap.frames[handle as usize] = tables::frame(state, made).clone();
            Ok(Some(Value::None))
        }
        other => Ok(Some(other)),
    }
}

/// `object.name = value`
pub(in super::super) fn set_attribute<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    name: &Value<S>,
    value: &Value<S>,
) -> Outcome<()> {
    let Value::Frame(handle) = object else {
        if matches!(object, Value::Poison) || matches!(value, Value::Poison) {
            return Ok(());
        }
        if let (Value::List(axis), true) = (object, axes::is_axis(state, object)) {
            let attribute = text::show(state, name);
            return axes::name_axis(state, *axis, &attribute, value);
        }
        let message = format!("attributes of {} cannot be assigned", object.kind());
        return Err(Fault::new(Code::AssignmentTarget, message));
    };
    let text = text::show(state, name);
    if text == "columns" {
        grouped::refuse_groups(state, object, "the order of the columns")?;
        let labels: Option<Vec<Vec<Label>>> =
            containers::elements(state, value)?.iter().map(|label| frames::key_labels(state, label)).collect();
        let count = tables::frame(state, *handle).columns.len();
        let Some(labels) = labels.filter(|labels| labels.len() == count) else {
            let message = format!("the table has {count} columns, and as many names are needed");
            return Err(Fault::new(Code::LengthMismatch, message));
        };
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = labels.iter().find(|label| !seen.insert((*label).clone())) {
            let message = format!("two columns would have the name `{}`", super::label_text(twice));
            return Err(Fault::new(Code::BadArgument, message));
        }
        for (column, label) in state.heap.frames[*handle as usize].columns.iter_mut().zip(labels) {
            column.label = label;
        }
        return Ok(());
    }
    if text == "index.name" {
        let index = tables::frame(state, *handle).index.clone();
        state.heap.frames[*handle as usize].index = axes::named_rows(state, &index, value)?;
        return Ok(());
    }
    if text == "index" {
        grouped::refuse_groups(state, object, "the labels of the rows")?;
        let count = tables::frame(state, *handle).len();
        let index = changed::renamed_rows(state, value, count)?;
        let mut frame = tables::frame(state, *handle).clone();
        for position in 0..frame.columns.len() {
            let series = frames::frame_column(state, &frame, position)?;
            frame.columns[position].column = series.column.clone();
            frame.columns[position].rows = None;
        }
        frame.index = index;
        state.heap.frames[*handle as usize] = frame;
        return Ok(());
    }
    // A new attribute is no column to pandas.
    let frame = tables::frame(state, *handle).clone();
    frames::column_position(&frame, &[Label::text(&text)])?;
    frames::set_column(state, *handle, name, value)
}

/// `frame.sum(axis=1)` and `frame.mean(axis=1)`: along each row. `None` for the other axis.
pub(super) fn along_rows<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    method: Method,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Option<Value<S>>> {
    let [_, axis, skips] = arguments.bind(method.name(), ["numeric_only", "axis", "skipna"], 0, 0)?;
    if !derived::flag(state, skips, true)? {
        let hint = "drop rows with missing values first: `.dropna()`";
        return Err(Fault::hinted(Code::BadArgument, "missing values are left out here", hint));
    }
    let along = match axis.map(|axis| axis.value) {
        None | Some(Value::Int(0)) => false,
        Some(Value::Int(1)) => true,
        Some(name) => match text::show(state, name).as_str() {
            "index" | "rows" => false,
            "columns" => true,
            other => return Err(Fault::new(Code::BadArgument, format!("there is no axis {other}"))),
        },
    };
    if !along {
        return Ok(None);
    }
    let frame = columns_method::number_columns(method, frame, arguments)?;
    let mut columns = Vec::new();
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, &frame, position)?;
        if matches!(series.column, Column::Texts { .. }) {
            let message = format!("{} holds strings, which cannot be summed", series.shown_name());
            return Err(Fault::hinted(Code::TypeMismatch, message, "choose columns of numbers"));
        }
        columns.push(column::cells(state, &series.column)?);
    }
    tables::spend_rows(state, frame.len() * columns.len().max(1))?;
    let mut values = Vec::with_capacity(frame.len());
    for row in 0..frame.len() {
        let cells: Vec<Value<S>> = columns.iter().map(|cells| cells[row].clone()).collect();
        let column = Column::Cells(Rc::new(cells));
        let index = Index::Positions(column.len());
        values.push(aggregate::statistic(state, statistic, &Series { name: None, column, index })?);
    }
    let column = column::column_of(state, values)?;
    Ok(Some(Value::Series(Rc::new(Series { name: None, column, index: frame.index.clone() }))))
}

/// `column.astype(float)`, and `int`, `str`, `bool` and `"category"` of public columns.
pub(super) fn as_type<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [kind] = arguments.bind("astype", ["dtype"], 1, 1)?;
    let kind = given(kind)?;
    series_as(state, series, kind.value).map_err(|fault| fault.at_argument(kind.index))
}

pub(super) fn series_as<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, kind: &Value<S>) -> Outcome<Value<S>> {
    let made = |column: Column<S>| {
        Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
    };
    let name = match kind {
        Value::Text(_) => text::show(state, kind),
        _ => String::new(),
    };
    if let Column::Choices(column) = &series.column {
        let wanted = if name.is_empty() { None } else { Kind::from_name(&name) };
        return categories::combine::choices_as(state, series, column, wanted);
    }
    let is_secret = series.column.is_secret();
    match (name.as_str(), &series.column) {
        // The digits of a secret are published with the string, like those of a rounded one.
        ("str" | "string", column)
            if !matches!(column, Column::Texts { .. } | Column::Own(_))
                && rounding::stays_unrounded(state, is_secret, &series.shown_name())? =>
        {
            tables::spend_rows(state, series.len())?;
            made(rounding::marked_column(state, &series.column, true)?)
        }
        ("str" | "string", column) if !is_secret => {
            if let Column::Texts { words: Words::Plain, .. } = column {
                return Ok(Value::Series(series.clone()));
            }
            if let Column::Texts { codes, labels, words: Words::Dates } = column
                && !codes.contains(&privug_tables::table::NO_LABEL)
                && let Some(texts) = super::dates::written_dates(labels)
            {
                let labels = std::sync::Arc::new(texts);
                return made(Column::Texts { codes: codes.clone(), labels, words: Words::Plain });
            }
            if let Column::Texts { codes, labels, words: Words::Categories } = column
                && !codes.contains(&privug_tables::table::NO_LABEL)
            {
                return made(Column::Texts { codes: codes.clone(), labels: labels.clone(), words: Words::Plain });
            }
            let is_plain = |cell: &Value<S>| matches!(cell, Value::Text(_) | Value::Int(_));
            let whole = match column {
                Column::Integers(_) | Column::Booleans(_) => true,
                Column::Cells(cells) => cells.iter().all(is_plain),
                _ => false,
            };
            if !whole {
                let message = format!("a column of {} is made strings", column.kind());
                let hint = "only integers, booleans and strings are made strings here";
                return Err(Fault::hinted(Code::TypeMismatch, message, hint));
            }
            let mut texts = Vec::with_capacity(series.len());
            for cell in column::cells(state, column)? {
                let text = text::show(state, &cell);
                texts.push(state.text(text)?);
            }
            let column = column::column_of(state, texts)?;
            made(column)
        }
        ("category", Column::Texts { codes, labels, words: Words::Plain }) => {
            let mut order: Vec<u32> = (0..labels.len() as u32).collect();
            let used: std::collections::HashSet<u32> = codes.iter().copied().collect();
            order.retain(|code| used.contains(code));
            order.sort_compact_by(|a, b| labels[*a as usize].cmp(&labels[*b as usize]));
            let mut places = vec![privug_tables::table::NO_LABEL; labels.len()];
            for (place, code) in order.iter().enumerate() {
                places[*code as usize] = place as u32;
            }
            let place = |code: &u32| places.get(*code as usize).copied().unwrap_or(*code);
            let codes = std::sync::Arc::new(codes.iter().map(place).collect());
            let labels = std::sync::Arc::new(order.iter().map(|code| labels[*code as usize].clone()).collect());
            made(Column::Texts { codes, labels, words: Words::Categories })
        }
        ("category", Column::Texts { words: Words::Categories, .. }) => Ok(Value::Series(series.clone())),
        _ => {
            let has_gaps = matches!(&series.column, Column::Cells(values) if values.iter().any(|value| matches!(value, Value::Missing)));
            let known = match (kind, name.as_str()) {
                // pandas' own types, which differ from numpy's in their gaps only.
                (Value::Text(_), "Int64" | "Int32" | "Int16" | "Int8") if !has_gaps => Some(Kind::Int),
                (Value::Text(_), "Float64" | "Float32") => Some(Kind::Float),
                (Value::Text(_), "boolean") => Some(Kind::Bool),
                (Value::Text(_), name) => Kind::from_name(name),
                _ => None,
            };
            match (known, &series.column) {
                (Some(Kind::Float), Column::Random(_) | Column::Numbers(_)) => Ok(Value::Series(series.clone())),
                (Some(Kind::Float), Column::Integers(values)) => {
                    made(Column::Numbers(Rc::new(values.iter().map(|value| S::from_i64(*value)).collect())))
                }
                (Some(Kind::Float), Column::Booleans(values)) => {
                    let number = |value: &bool| S::from_i64(i64::from(*value));
                    made(Column::Numbers(Rc::new(values.iter().map(number).collect())))
                }
                (Some(Kind::Int), Column::Integers(_)) => Ok(Value::Series(series.clone())),
                (Some(Kind::Int), Column::Booleans(values)) => {
                    let number = |value: &bool| i64::from(*value);
                    made(Column::Integers(std::sync::Arc::new(values.iter().map(number).collect())))
                }
                (Some(Kind::Int), Column::Numbers(values)) => {
                    let mut whole = Vec::with_capacity(values.len());
                    for value in values.iter() {
                        match ndarray::kind::cast(state, &Value::Float(value.clone()), Kind::Int)? {
                            Value::NumpyInt(value) => whole.push(value),
                            _ => return Err(Fault::new(Code::Overflow, "a number is too large for an integer")),
                        }
                    }
                    made(Column::Integers(std::sync::Arc::new(whole)))
                }
                (Some(Kind::Float), Column::Cells(values))
                    if values.iter().all(|value| {
                        matches!(value, Value::Missing | Value::Float(_) | Value::Int(_) | Value::NumpyInt(_))
                            || value.as_random().is_some()
                    }) =>
                {
                    let mut numbers = Vec::with_capacity(values.len());
                    for value in values.iter() {
                        let is_integer = matches!(value, Value::Int(_) | Value::NumpyInt(_));
                        let number = state.number(value).filter(|_| is_integer);
                        numbers.push(match number {
                            Some(number) => Value::Float(state.scalar(&number)?),
                            None => value.clone(),
                        });
                    }
                    made(Column::Cells(Rc::new(numbers)))
                }
                // What is left of a column when its gaps are.
                (Some(Kind::Int), Column::Cells(values))
                    if values.iter().all(|value| matches!(value, Value::Float(_) | Value::Int(_))) =>
                {
                    let mut whole = Vec::with_capacity(values.len());
                    for value in values.iter() {
                        match ndarray::kind::cast(state, value, Kind::Int)? {
                            Value::NumpyInt(value) => whole.push(value),
                            _ => return Err(Fault::new(Code::Overflow, "a number is too large for an integer")),
                        }
                    }
                    made(Column::Integers(std::sync::Arc::new(whole)))
                }
                (Some(Kind::Int), Column::Cells(values))
                    if values.iter().any(|value| matches!(value, Value::Missing)) && !series.column.is_secret() =>
                {
                    let hint = "drop them with `.dropna()`, or fill them with `.fillna(0)`";
                    Err(Fault::hinted(Code::TypeMismatch, "a missing value is not an integer", hint))
                }
                (Some(Kind::Bool), Column::Booleans(_)) => Ok(Value::Series(series.clone())),
                (Some(kind @ (Kind::Int | Kind::Float)), Column::Texts { codes, labels, words: Words::Plain }) => {
                    let numbers = numbers_of_texts(state, labels, kind)?;
                    let cell = |code: &u32| numbers.get(*code as usize).cloned().unwrap_or(Value::Missing);
                    let cells: Vec<Value<S>> = codes.iter().map(cell).collect();
                    if kind == Kind::Int && cells.iter().any(|cell| matches!(cell, Value::Missing)) {
                        let hint = "leave them out: `.dropna()`";
                        return Err(Fault::hinted(Code::TypeMismatch, "a missing string is not an integer", hint));
                    }
                    let column = column::column_of(state, cells)?;
                    made(column)
                }
                (_, other) => {
                    let message = format!("a column of {} is converted", other.kind());
                    let hint = "numbers are made `float`, public ones also `int`, `str` or `\"category\"`";
                    Err(Fault::hinted(Code::TypeMismatch, message, hint))
                }
            }
        }
    }
}

/// The numbers that texts stand for, as Python's `int` and `float` read them.
fn numbers_of_texts<S: Scalar>(
    state: &mut State<S>,
    labels: &[std::sync::Arc<str>],
    kind: Kind,
) -> Outcome<Vec<Value<S>>> {
    let mut numbers = Vec::with_capacity(labels.len());
    for label in labels {
        let text = state.text(label.to_string())?;
        let function = if kind == Kind::Int { Builtin::Int } else { Builtin::Float };
        numbers.push(builtins::call_builtin(state, function, &positional(1), &[text])?);
    }
    Ok(numbers)
}

/// `frame.astype({"age": float})`
pub(super) fn frame_as_type<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [kinds] = arguments.bind("astype", ["dtype"], 1, 1)?;
    let kinds = given(kinds)?.value;
    let Value::Dict(handle) = kinds else {
        return gaps::each_column(state, frame, |state, series| match series_as(state, series, kinds)? {
            Value::Series(series) => Ok((*series).clone()),
            _ => Ok((**series).clone()),
        });
    };
    let mut changed = frame.clone();
    for (name, kind) in state.heap.dict(*handle).entries.clone() {
        let label = frames::key_labels(state, &name).ok_or_else(|| frames::not_a_name(&name))?;
        let position = frames::column_position(&changed, &label)?;
        let series = frames::frame_column(state, &changed, position)?;
        let kind = match &kind {
            Value::Function(_) => {
                let hint = "write the type as a string: `{\"age\": \"float\"}`";
                return Err(Fault::hinted(Code::BadArgument, "a type is named by a string here", hint));
            }
            other => other.clone(),
        };
        let made = series_as(state, &series, &kind)?;
        changed = frames::with_column(state, changed, &name, &made)?;
    }
    tables::new_frame(state, changed)
}

/// `column.where(mask, other)`: the values where the mask holds; `mask` the other way round.
pub(super) fn kept_where<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    keeps: bool,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [mask, other] = arguments.bind("where", ["cond", "other"], 1, 2)?;
    let Value::Series(mask) = given(mask)?.value else {
        return Err(Fault::new(Code::TypeMismatch, "`where` chooses by a mask"));
    };
    let other = other.map_or(Value::Missing, |other| other.value.clone());
    kept_or(state, series, mask, keeps, &other)
}

/// The values of a column where a mask is as wanted, and others elsewhere.
pub(super) fn kept_or<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    mask: &Rc<Series<S>>,
    keeps: bool,
    other: &Value<S>,
) -> Outcome<Value<S>> {
    if !mask.index.same(&series.index) {
        return Err(Fault::new(Code::DifferentRows, "the mask and the values have different rows"));
    }
    let Column::Booleans(chosen) = &mask.column else {
        if mask.column.is_secret() {
            return Err(super::secret_decides("values are chosen", &mask.shown_name()));
        }
        return Err(Fault::new(Code::TypeMismatch, "`where` chooses by a mask"));
    };
    let others = match other {
        Value::Missing => vec![Value::Missing],
        other => masks::where_side(state, mask, other)?,
    };
    let cells = column::cells(state, &series.column)?;
    let other = |row: usize| if others.len() == 1 { others[0].clone() } else { others[row].clone() };
    let values = cells.into_iter().enumerate();
    let values = values.map(|(row, cell)| if chosen[row] == keeps { cell } else { other(row) }).collect();
    applied::series_like(state, series, values)
}

/// `frame.where(mask)` with a mask for all columns, or one for each.
pub(super) fn frame_where<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    keeps: bool,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [mask, other] = arguments.bind("where", ["cond", "other"], 1, 2)?;
    let other = other.map_or(Value::Missing, |other| other.value.clone());
    if matches!(other, Value::Series(_) | Value::Frame(_)) {
        return Err(Fault::new(Code::TypeMismatch, "`where` of a table puts one value elsewhere here"));
    }
    let masks = match given(mask)?.value {
        Value::Frame(handle) => tables::frame(state, *handle).clone(),
        other => return Err(Fault::new(Code::TypeMismatch, format!("a table is not chosen by {}", other.kind()))),
    };
    let same = masks.columns.len() == frame.columns.len()
        && masks.columns.iter().zip(&frame.columns).all(|(a, b)| a.label == b.label);
    if !same {
        let hint = "make the mask from a table of the same shape";
        return Err(Fault::hinted(Code::DifferentRows, "the mask has other columns", hint));
    }
    let mut columns = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let (series, mask) =
            (frames::frame_column(state, frame, position)?, frames::frame_column(state, &masks, position)?);
        let Value::Series(kept) = kept_or(state, &series, &mask, keeps, &other)? else { return Ok(Value::Poison) };
        let label = frame.columns[position].label.clone();
        columns.push(FrameColumn { label, column: kept.column.clone(), rows: None });
    }
    tables::new_frame(state, Frame { index: frame.index.clone(), columns })
}

/// `frame > 10` and the like: a mask for each column.
pub(in super::super) fn frame_comparison<S: Scalar>(
    state: &mut State<S>,
    operator: privug_language::program::Comparison,
    frame: u32,
    value: &Value<S>,
) -> Outcome<Value<S>> {
    let frame = tables::frame(state, frame).clone();
    let mut columns = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let series = Value::Series(frames::frame_column(state, &frame, position)?);
        let Value::Series(mask) = elementwise::compare_columns(state, operator, &series, value)? else {
            return Ok(Value::Poison);
        };
        let label = frame.columns[position].label.clone();
        columns.push(FrameColumn { label, column: mask.column.clone(), rows: None });
    }
    tables::new_frame(state, Frame { index: frame.index, columns })
}

/// `column.value_counts(normalize=False, sort=True, ascending=False, dropna=True)`
pub(super) fn counts_of_values<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [share, sorted, ascending, gaps] =
        arguments.bind("value_counts", ["normalize", "sort", "ascending", "dropna"], 0, 0)?;
    let listing = match (derived::flag(state, sorted, true)?, derived::flag(state, ascending, false)?) {
        (false, _) => Listing::Unsorted,
        (true, true) => Listing::RarestFirst,
        (true, false) => Listing::CommonestFirst,
    };
    let gaps_too = !derived::flag(state, gaps, true)?;
    let share = derived::flag(state, share, false)?;
    shares_of_values(state, series, share, listing, gaps_too)
}

/// How often each value occurs, or which share of all it is.
pub(super) fn shares_of_values<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    share: bool,
    listing: Listing,
    gaps_too: bool,
) -> Outcome<Value<S>> {
    if let Column::Choices(column) = &series.column {
        if gaps_too && (column.may_be_missing() || (0..column.len()).any(|row| column.is_missing(row))) {
            let message = format!("missing values of {}, which is secret, are counted", series.shown_name());
            let hint = "leave out `dropna=False`, and count them on their own: `.isna().sum()`";
            return Err(Fault::hinted(Code::SecretDecides, message, hint));
        }
        return categories::grouped::choice_value_counts(state, series, share, listing);
    }
    let counts = masks::value_counts(state, series, listing, gaps_too)?;
    let Value::Series(counts) = &counts else { return Ok(counts) };
    if !share {
        return Ok(Value::Series(counts.clone()));
    }
    let total = counted::series_statistic(state, Statistic::Sum, counts)?;
    let shares = elementwise::binary_columns(state, Binary::Divide, &Value::Series(counts.clone()), &total)?;
    match shares {
        Value::Series(shares) => {
            let name = Some(Rc::from("proportion"));
            Ok(Value::Series(Rc::new(Series { name, ..(*shares).clone() })))
        }
        other => Ok(other),
    }
}

/// `for label, row in frame.iterrows()`
pub(super) fn row_items<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    windows::refuse_unstable_rows(state, &frame.index)?;
    let is_tuples = method == Method::Table(TableMethod::RowTuples);
    if is_tuples {
        let [index] = arguments.bind("itertuples", ["index"], 0, 0)?;
        derived::flag(state, index, true)?;
    } else {
        arguments.none("iterrows")?;
    }
    let labels = columns_method::index_values(state, &frame.index)?;
    let mut items = Vec::with_capacity(frame.len());
    for (row, label) in labels.into_iter().enumerate() {
        items.push(match is_tuples {
            true => lookup::frame_row(state, frame, row)?,
            false => {
                let row = applied::table_row(state, frame, row)?;
                state.tuple(vec![label, row])?
            }
        });
    }
    state.budget.spend_elements(items.len() as u64)?;
    iterators::iterator(state, Walk::Items { items: items.into_iter() }, &[])
}

/// `frame.agg({"a": "sum", "b": "mean"})`
pub(super) fn figures_by_column<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, figures: u32) -> Outcome<Value<S>> {
    let (mut labels, mut values): (Vec<Vec<Label>>, Vec<Value<S>>) = (Vec::new(), Vec::new());
    for (column, figure) in state.heap.dict(figures).entries.clone() {
        let label = frames::key_labels(state, &column).ok_or_else(|| frames::not_a_name(&column))?;
        let position = frames::column_position(frame, &label)?;
        let series = frames::frame_column(state, frame, position)?;
        let figure = figures::figure_named(state, &figure)?;
        values.push(figures::figure_of(state, figure, &series)?);
        labels.push(label);
    }
    let (column, index) = (column::column_of(state, values)?, Index::Keys(Keys::new(labels, true)));
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// `frame.agg(["sum", "mean"])`: one row for each figure.
pub(super) fn figures_by_row<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    figures: &Value<S>,
) -> Outcome<Value<S>> {
    let names = containers::elements(state, figures)?;
    let mut columns = Vec::with_capacity(frame.columns.len());
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        let mut values = Vec::with_capacity(names.len());
        for name in &names {
            let figure = figures::figure_named(state, name)?;
            values.push(figures::figure_of(state, figure, &series)?);
        }
        let label = frame.columns[position].label.clone();
        columns.push(FrameColumn { label, column: column::column_of(state, values)?, rows: None });
    }
    let labels = names.iter().map(|name| vec![Label::text(&text::show(state, name))]).collect();
    tables::new_frame(state, Frame { index: Index::Keys(Keys::new(labels, true)), columns })
}
