//! Tables and columns that a program makes itself: `pd.DataFrame(...)` and `pd.Series(...)`.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::alignment::{Order, united};
use super::{Frame, FrameColumn, Index, Keys, Label, Series};
use super::{alignment, column, derived, frames, more, results};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `pd.Series(values, index=…, name=…)`
pub(in super::super) fn new_series<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [data, index, kind, name] = arguments.bind("Series", ["data", "index", "dtype", "name"], 1, 2)?;
    let data = given(data)?.value;
    if let Some(kind) = kind.filter(|kind| !matches!(kind.value, Value::None)) {
        let (values, keywords) = (arguments.values, &arguments.shape.keywords);
        let place = keywords.iter().position(|keyword| keyword == "dtype");
        let Some(place) = place else {
            return Err(Fault::new(Code::WrongArguments, "`dtype` is given by its name"));
        };
        let mut shape = arguments.shape.clone();
        shape.keywords.remove(place);
        let mut others = values.to_vec();
        others.remove(shape.positional as usize + place);
        let made = new_series(state, &Arguments { shape: &shape, values: &others })?;
        let Value::Series(series) = &made else { return Ok(made) };
        return more::series_as(state, series, kind.value).map_err(|fault| fault.at_argument(kind.index));
    }
    let name = match name.map(|name| name.value) {
        None | Some(Value::None) => None,
        Some(name) => {
            refuse_secret_name(state, name)?;
            Some(Rc::from(text::show(state, name)))
        }
    };
    if let (Value::Series(series), None) = (data, &index) {
        let name = name.or_else(|| series.name.clone());
        return Ok(Value::Series(Rc::new(Series { name, ..(**series).clone() })));
    }
    let (values, labels) = match data {
        Value::Dict(handle) if index.is_none() => {
            let entries = state.heap.dict(*handle).entries.clone();
            let labels = entries.iter().map(|(key, _)| key.clone()).collect();
            (entries.into_iter().map(|(_, value)| value).collect(), Some(labels))
        }
        Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
            let labels = index.map(|index| containers::elements(state, index.value)).transpose()?;
            (containers::elements(state, data)?, labels)
        }
        other => {
            let message =
                format!("a column is created from a list, an array or a dictionary, not from {}", other.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
    };
    refuse_odd_cells(state, &values)?;
    let index = match labels {
        None => derived::made_rows(state, values.len(), None),
        Some(labels) => labelled(state, &labels, values.len())?,
    };
    let column = column::column_of(state, values)?;
    Ok(Value::Series(Rc::new(Series { name, column, index })))
}

/// What a table or an axis is called is published with it.
pub(super) fn refuse_secret_name<S: Scalar>(state: &mut State<S>, name: &Value<S>) -> Outcome<()> {
    if !results::holds_random(state, name)? {
        return Ok(());
    }
    let hint = "publish it as a figure of its own";
    Err(Fault::hinted(Code::RandomIndex, "a random variable cannot be a name", hint))
}

/// Rows that are called by values.
pub(super) fn labelled<S: Scalar>(state: &mut State<S>, labels: &[Value<S>], count: usize) -> Outcome<Index> {
    if labels.len() != count {
        let message = format!("{count} values have {} labels", labels.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let scalar = labels.iter().all(|label| !matches!(label, Value::Tuple(_)));
    let keys: Option<Vec<Vec<Label>>> = labels.iter().map(|label| frames::key_labels(state, label)).collect();
    let Some(keys) = keys else {
        return Err(Fault::new(Code::TypeMismatch, "row labels must be numbers or strings"));
    };
    let mut seen = std::collections::HashSet::new();
    if !keys.iter().all(|key| seen.insert(key.clone())) {
        return Err(Fault::new(Code::BadArgument, "two rows have the same label"));
    }
    Ok(Index::Keys(Keys::new(keys, scalar)))
}

/// Cells are numbers, strings, booleans and missing values.
fn refuse_odd_cells<S: Scalar>(state: &State<S>, values: &[Value<S>]) -> Outcome<()> {
    let is_cell = |value: &Value<S>| {
        state.number(value).is_some()
            || matches!(value, Value::Text(_) | Value::Missing | Value::Random { .. } | Value::Poison)
    };
    match values.iter().find(|value| !is_cell(value)) {
        Some(Value::None) => {
            let hint = "write `np.nan` for a missing number";
            Err(Fault::hinted(Code::TypeMismatch, "None is put into a table", hint))
        }
        Some(other) => Err(Fault::new(Code::TypeMismatch, format!("a table cannot hold {}", other.kind()))),
        None => Ok(()),
    }
}

/// `{"a": {"x": 1, "y": 2}}`: the keys of the inner dictionaries call the rows.
fn columns_of_dicts<S: Scalar>(state: &mut State<S>, entries: &mut [(Value<S>, Value<S>)]) -> Outcome<()> {
    let mut rows: Option<Vec<Value<S>>> = None;
    for (_, value) in entries {
        let Value::Dict(handle) = value else { continue };
        let (keys, values): (Vec<_>, Vec<_>) = state.heap.dict(*handle).entries.clone().into_iter().unzip();
        let labels = |state: &State<S>, keys: &[Value<S>]| -> Vec<_> {
            keys.iter().map(|key| frames::key_labels(state, key)).collect()
        };
        if rows.as_ref().is_some_and(|rows| labels(state, rows) != labels(state, &keys)) {
            let hint = "give all of them the same keys in the same order";
            return Err(Fault::hinted(Code::BadArgument, "the columns of a table have rows of different names", hint));
        }
        refuse_odd_cells(state, &values)?;
        let index = labelled(state, &keys, values.len())?;
        rows = Some(keys);
        let column = column::column_of(state, values)?;
        *value = Value::Series(Rc::new(Series { name: None, column, index }));
    }
    Ok(())
}

/// `pd.DataFrame({"income": x, "sex": g})`, `pd.DataFrame([{"a": 1}, …])`, `pd.DataFrame(array, columns=[...])`
pub(in super::super) fn new_table<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [data, index, columns] = arguments.bind("DataFrame", ["data", "index", "columns"], 1, 1)?;
    let entries: Vec<(Value<S>, Value<S>)> = match given(data)?.value {
        Value::Frame(handle) if index.is_none() && columns.is_none() => {
            let copy = tables::frame(state, *handle).clone();
            return tables::new_frame(state, copy);
        }
        Value::Dict(handle) if columns.is_none() => {
            let mut entries = state.heap.dict(*handle).entries.clone();
            columns_of_dicts(state, &mut entries)?;
            entries
        }
        array @ (Value::Array(_) | Value::List(_)) => columns_of_rows(state, array, columns.map(|each| each.value))?,
        other => {
            let message = format!("a table is created from a dictionary of columns, not from {}", other.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
    };
    let mut rows: Option<Index> = None;
    let mut parts: Vec<(Label, Value<S>)> = Vec::new();
    for (name, values) in entries {
        let label = frames::label_of(state, &name).ok_or_else(|| frames::not_a_name(&name))?;
        let own = match &values {
            Value::Series(series) => Some(series.index.clone()),
            Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
                let count = containers::length(state, &values)?;
                Some(derived::made_rows(state, count, None))
            }
            _ => None,
        };
        if let (Some(own), Some(before)) = (&own, &rows)
            && !own.same(before)
        {
            let (own_rows, others) = (own.len(), before.len());
            let both = matches!(values, Value::Series(_)).then(|| united(&[before, own], Order::Sorted)).flatten();
            let Some((all, _)) = both else {
                let message = format!("columns of {others} and {own_rows} rows are put into one table");
                let hint = "take them from the same table or filter, or group them by the same columns";
                return Err(Fault::hinted(Code::DifferentRows, message, hint));
            };
            rows = Some(all);
        }
        rows = rows.or(own);
        parts.push((label, values));
    }
    let Some(mut rows) = rows else { return Err(Fault::new(Code::BadArgument, "the table has no rows")) };
    if let Some(labels) = index {
        let labels = containers::elements(state, labels.value)?;
        rows = labelled(state, &labels, rows.len())?;
    }
    let mut columns = Vec::with_capacity(parts.len());
    for (label, values) in parts {
        let column = match &values {
            Value::Series(series) if index.is_some() || series.index.same(&rows) => series.column.clone(),
            Value::Series(series) => match alignment::put_beside(state, series, &rows)? {
                Some(column) => column,
                None => {
                    return Err(Fault::new(Code::DifferentRows, "columns of different rows are put into one table"));
                }
            },
            Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
                let cells = containers::elements(state, &values)?;
                if cells.len() != rows.len() {
                    let message = format!("{} values are put into a table of {} rows", cells.len(), rows.len());
                    return Err(Fault::new(Code::LengthMismatch, message));
                }
                refuse_odd_cells(state, &cells)?;
                column::column_of(state, cells)?
            }
            single => frames::constant_column(state, single.clone(), rows.len())?,
        };
        columns.push(FrameColumn { label: vec![label], column, rows: None });
    }
    tables::new_frame(state, Frame { index: rows, columns })
}

/// The columns of rows that are written out: dictionaries, lists, or an array of two dimensions.
fn columns_of_rows<S: Scalar>(
    state: &mut State<S>,
    rows: &Value<S>,
    columns: Option<&Value<S>>,
) -> Outcome<Vec<(Value<S>, Value<S>)>> {
    let rows = containers::elements(state, rows)?;
    let mut names: Vec<Value<S>> = match columns {
        Some(columns) => containers::elements(state, columns)?,
        None => Vec::new(),
    };
    if let (Some(Value::Dict(handle)), true) = (rows.first(), names.is_empty()) {
        names = state.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect();
    }
    let mut cells: Vec<Vec<Value<S>>> = vec![Vec::new(); names.len()];
    for row in &rows {
        let values = match row {
            Value::Dict(handle) => {
                let handle = *handle;
                if state.heap.dict(handle).entries.len() != names.len() {
                    return Err(Fault::new(Code::LengthMismatch, "the rows of a table have different columns"));
                }
                let keys = names.iter().map(|name| state.key(name)).collect::<Outcome<Vec<_>>>()?;
                let dict = state.heap.dict(handle);
                let found = keys.iter().map(|key| dict.positions.get(key).map(|at| dict.entries[*at].1.clone()));
                found
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| Fault::new(Code::LengthMismatch, "the rows of a table have different columns"))?
            }
            Value::List(_) | Value::Tuple(_) | Value::Array(_) => containers::elements(state, row)?,
            _ => return Err(Fault::new(Code::TypeMismatch, "a table is made of rows or of columns")),
        };
        if names.is_empty() {
            names = (0..values.len() as i64).map(Value::Int).collect();
            cells = vec![Vec::new(); names.len()];
        }
        if values.len() != names.len() {
            let message = format!("a row of {} values for {} columns", values.len(), names.len());
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        for (column, value) in cells.iter_mut().zip(values) {
            column.push(value);
        }
    }
    let columns = cells.into_iter().map(|cells| state.list(cells)).collect::<Outcome<Vec<_>>>()?;
    Ok(names.into_iter().zip(columns).collect())
}
