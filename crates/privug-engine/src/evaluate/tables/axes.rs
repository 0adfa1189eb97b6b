//! What `.columns` and `.index` give: a list of labels that is computed with like pandas' own index, element by element.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Accessor, Frame, Index, Keys, Label, Level, Series};
use super::{column, columns_method, dates, frames, made};
use crate::evaluate::{containers, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

/// Where a list of labels comes from.
#[derive(Debug, Clone)]
pub(in super::super) struct Axis {
    /// The rows that it names; columns are only counted.
    pub(super) index: Index,
    /// The table whose rows, or else columns, it names.
    pub(super) of: Option<(u32, bool)>,
}

/// A list of labels that is an index.
pub(super) fn axis<S: Scalar>(state: &mut State<S>, labels: Vec<Value<S>>, axis: Axis) -> Outcome<Value<S>> {
    let list = state.list(labels)?;
    if let Value::List(handle) = list {
        state.heap.axes.insert(handle, axis);
    }
    Ok(list)
}

/// Whether a list is an index.
pub(in super::super) fn is_axis<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    matches!(value, Value::List(handle) if state.heap.axes.contains_key(handle))
}

/// An index as a column of its labels.
pub(in super::super) fn axis_column<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    let Value::List(handle) = value else { return Ok(value.clone()) };
    let Some(axis) = state.heap.axes.get(handle).cloned() else { return Ok(value.clone()) };
    let labels = containers::elements(state, value)?;
    let column = dates::as_dates(column::column_of(state, labels)?);
    Ok(Value::Series(Rc::new(Series { name: None, column, index: axis.index })))
}

/// A part of an index.
pub(in super::super) fn part_of_axis<S: Scalar>(state: &mut State<S>, part: Value<S>) -> Value<S> {
    if let Value::List(handle) = part {
        let index = Index::Positions(state.heap.sequence(handle).len());
        state.heap.axes.insert(handle, Axis { index, of: None });
    }
    part
}

/// A method of an index.
pub(in super::super) fn axis_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let Value::List(handle) = object else { return Err(columns_method::unknown_method(method, object)) };
    let Some(axis) = state.heap.axes.get(handle).cloned() else {
        return Err(columns_method::unknown_method(method, object));
    };
    match method {
        Method::ToList | Method::Table(TableMethod::FlatLabels) => {
            arguments.none(method.name())?;
            let labels = containers::elements(state, object)?;
            state.list(labels)
        }
        Method::Copy | Method::Table(TableMethod::WithoutIndex) => {
            arguments.none(method.name())?;
            Ok(object.clone())
        }
        Method::Table(TableMethod::LevelValues) => {
            let [level] = arguments.bind("get_level_values", ["level"], 1, 1)?;
            let labels = containers::elements(state, object)?;
            let place = level_place(state, &axis.index, given(level)?.value, label_depth(state, &labels))?;
            let mut parts = Vec::with_capacity(labels.len());
            for label in &labels {
                parts.push(match label {
                    Value::Tuple(handle) => state.heap.sequence(*handle)[place].clone(),
                    other => other.clone(),
                });
            }
            self::axis(state, parts, axis)
        }
        Method::Table(TableMethod::WithoutLevel) => {
            let [level] = arguments.bind("droplevel", ["level"], 0, 1)?;
            let labels = containers::elements(state, object)?;
            let depth = label_depth(state, &labels);
            let zero = Value::Int(0);
            let place = level_place(state, &axis.index, level.map_or(&zero, |level| level.value), depth)?;
            if depth < 2 {
                return Err(Fault::new(Code::BadArgument, "an index of one level loses it"));
            }
            let mut rest = Vec::with_capacity(labels.len());
            for label in &labels {
                let mut parts = containers::elements(state, label)?;
                parts.remove(place);
                rest.push(match (parts.pop(), parts.is_empty()) {
                    (Some(only), true) => only,
                    (Some(last), false) => {
                        parts.push(last);
                        state.tuple(parts)?
                    }
                    (None, _) => Value::None,
                });
            }
            self::axis(state, rest, axis)
        }
        Method::Min
        | Method::Max
        | Method::AsType
        | Method::Table(
            TableMethod::Map
            | TableMethod::IsIn
            | TableMethod::Unique
            | TableMethod::UniqueCount
            | TableMethod::IsMissing(_)
            | TableMethod::Minimum
            | TableMethod::Maximum
            | TableMethod::TextAccessor
            | TableMethod::DateAccessor,
        ) => {
            let column = axis_column(state, object)?;
            columns_method::table_method(state, method.on_tables(), &column, arguments)
        }
        Method::Table(TableMethod::DatePart(_)) => {
            let column = axis_column(state, object)?;
            let dates = columns_method::accessed(Accessor::Date, column);
            columns_method::table_method(state, method, &dates, arguments)
        }
        Method::Table(TableMethod::DateText { .. } | TableMethod::PeriodStarts) => {
            let column = axis_column(state, object)?;
            let dates = columns_method::accessed(Accessor::Date, column);
            let made = columns_method::table_method(state, method, &dates, arguments)?;
            let Value::Series(texts) = made else { return Ok(made) };
            let labels = column::cells(state, &texts.column)?;
            self::axis(state, labels, Axis { index: Index::Positions(texts.len()), of: None })
        }
        _ => {
            let message = format!("an index has no `.{}` here", method.name());
            let hint = "make it a list first: `list(t.columns)`";
            Err(Fault::hinted(Code::Attribute, message, hint))
        }
    }
}

/// How many parts labels have.
fn label_depth<S: Scalar>(state: &State<S>, labels: &[Value<S>]) -> usize {
    labels
        .iter()
        .map(|label| if let Value::Tuple(handle) = label { state.heap.sequence(*handle).len() } else { 1 })
        .min()
        .unwrap_or(1)
}

/// The place of a level among so many, by its number or its name.
pub(super) fn level_place<S: Scalar>(
    state: &State<S>,
    index: &Index,
    level: &Value<S>,
    depth: usize,
) -> Outcome<usize> {
    let name = text::show(state, level);
    let named = match index {
        Index::Keys(keys) => (0..keys.depth()).find(|at| keys.level(*at).name.as_deref() == Some(name.as_str())),
        Index::Rows { .. } | Index::Positions(_) => None,
    };
    match (level, named) {
        (Value::Text(_), Some(place)) if place < depth => Ok(place),
        (Value::Text(_), _) => {
            let hint = "levels are also counted: 0, 1, …";
            Err(Fault::hinted(Code::BadArgument, format!("there is no level `{name}` here"), hint))
        }
        (other, _) => ndarray::reduce::one_axis(other, depth),
    }
}

/// `t.index.name = "x"`, `t.columns.name = None`
pub(super) fn name_axis<S: Scalar>(state: &mut State<S>, handle: u32, attribute: &str, name: &Value<S>) -> Outcome<()> {
    let of = state.heap.axes.get(&handle).and_then(|axis| axis.of);
    match (of, attribute, name) {
        // What the columns are called together is shown nowhere.
        (Some((_, false)), "name", Value::None) => Ok(()),
        (Some((frame, true)), "name", Value::Text(_) | Value::None) => {
            let given = tables::frame(state, frame).index.clone();
            let named = with_level_names(state, &given, std::slice::from_ref(name))?;
            state.heap.frames[frame as usize].index = named;
            Ok(())
        }
        _ => {
            let hint = "give names with `.rename_axis(\"x\")`";
            Err(Fault::hinted(Code::AssignmentTarget, format!("`.{attribute}` of an index is assigned"), hint))
        }
    }
}

/// Rows whose keys have other names.
fn with_level_names<S: Scalar>(state: &mut State<S>, index: &Index, names: &[Value<S>]) -> Outcome<Index> {
    let Index::Keys(keys) = index else {
        let hint = "name the rows first: `.set_index(\"x\")`";
        return Err(Fault::hinted(Code::BadArgument, "rows without keys are given a name", hint));
    };
    if names.len() != keys.depth() {
        let message = format!("{} names are given to {} levels", names.len(), keys.depth());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let mut levels = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        made::refuse_secret_name(state, name)?;
        let name = if let Value::None = name { None } else { Some(Rc::from(text::show(state, name))) };
        levels.push(Level { name, ..keys.level(at) });
    }
    Ok(Index::Keys(Keys::of_levels(keys.labels.clone(), keys.scalar, levels)))
}

/// `column.rename({"M": "men"})`: rows whose labels are others.
pub(super) fn relabelled<S: Scalar>(state: &mut State<S>, index: &Index, names: u32) -> Outcome<Index> {
    let Index::Keys(keys) = index else {
        return Err(Fault::new(Code::BadArgument, "rows without keys are given other labels"));
    };
    let mut others = HashMap::new();
    for (old, new) in state.heap.dict(names).entries.clone() {
        made::refuse_secret_name(state, &new)?;
        let (Some(old), Some(new)) = (frames::label_of(state, &old), frames::label_of(state, &new)) else {
            return Err(Fault::new(Code::TypeMismatch, "row labels must be numbers or strings"));
        };
        others.insert(old, new);
    }
    let other = |label: &Label| others.get(label).unwrap_or(label).clone();
    let labels: Vec<Vec<Label>> = keys.labels.iter().map(|key| key.iter().map(other).collect()).collect();
    let mut seen = std::collections::HashSet::new();
    if !labels.iter().all(|label| seen.insert(label.clone())) {
        return Err(Fault::new(Code::BadArgument, "two rows would have the same label"));
    }
    // Categories are no longer those that are listed.
    let levels = (0..keys.depth()).map(|at| Level { name: keys.level(at).name, ..Level::default() }).collect();
    Ok(Index::Keys(Keys::shaped(labels, keys.scalar, levels, keys.shape)))
}

/// `t.index.name = "x"`, `t.index.names = ["x", "y"]`
pub(super) fn named_rows<S: Scalar>(state: &mut State<S>, index: &Index, names: &Value<S>) -> Outcome<Index> {
    let names = match names {
        Value::List(_) | Value::Tuple(_) => containers::elements(state, names)?,
        single => vec![single.clone()],
    };
    match index {
        // Rows that are numbered have no name that is shown with a figure.
        Index::Rows { .. } if matches!(names.as_slice(), [Value::None]) => Ok(index.clone()),
        _ => with_level_names(state, index, &names),
    }
}

/// Rows whose first levels have other names; the others keep theirs.
pub(super) fn with_first_names<S: Scalar>(
    state: &mut State<S>,
    index: &Index,
    mut names: Vec<Value<S>>,
) -> Outcome<Index> {
    if let Index::Keys(keys) = index {
        for at in names.len()..keys.depth() {
            names.push(match keys.level(at).name {
                Some(name) => state.text(name.to_string())?,
                None => Value::None,
            });
        }
    }
    with_level_names(state, index, &names)
}

/// `rename_axis("x")`
pub(super) fn axis_renamed<S: Scalar>(
    state: &mut State<S>,
    index: &Index,
    arguments: &Arguments<'_, S>,
) -> Outcome<Index> {
    let [mapper, rows, columns, axis] = arguments.bind("rename_axis", ["mapper", "index", "columns", "axis"], 0, 1)?;
    let of_columns =
        |state: &State<S>, axis: &Value<S>| matches!(axis, Value::Int(1)) || text::show(state, axis) == "columns";
    let (rows, columns) = match (mapper, axis) {
        (Some(mapper), Some(axis)) if of_columns(state, axis.value) => (rows, Some(mapper)),
        (Some(mapper), _) => (Some(mapper), columns),
        (None, _) => (rows, columns),
    };
    if columns.is_some_and(|columns| !matches!(columns.value, Value::None)) {
        return Err(Fault::new(Code::BadArgument, "the columns together have no name here"));
    }
    let Some(rows) = rows else { return Ok(index.clone()) };
    let names = match rows.value {
        Value::List(_) | Value::Tuple(_) => containers::elements(state, rows.value)?,
        Value::Dict(_) => return Err(Fault::new(Code::BadArgument, "levels are named one by one here")),
        single => vec![single.clone()],
    };
    with_level_names(state, index, &names)
}

/// `swaplevel(i, j)` and `droplevel(level)` of rows.
pub(super) fn releveled<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    index: &Index,
    arguments: &Arguments<'_, S>,
) -> Outcome<Index> {
    let Index::Keys(keys) = index else {
        return Err(Fault::new(Code::BadArgument, format!("`.{}()` is of rows with keys", method.name())));
    };
    let depth = keys.depth();
    if depth < 2 {
        return Err(Fault::new(Code::BadArgument, format!("`.{}()` is of keys with several levels", method.name())));
    }
    let order: Vec<usize> = if method == Method::Table(TableMethod::WithoutLevel) {
        let [level, _] = arguments.bind("droplevel", ["level", "axis"], 1, 2)?;
        let gone = level_place(state, index, given(level)?.value, depth)?;
        (0..depth).filter(|at| *at != gone).collect()
    } else {
        let [first, second] = arguments.bind("swaplevel", ["i", "j"], 0, 2)?;
        let (last, before) = (Value::Int(-1), Value::Int(-2));
        let first = level_place(state, index, first.map_or(&before, |level| level.value), depth)?;
        let second = level_place(state, index, second.map_or(&last, |level| level.value), depth)?;
        let mut order: Vec<usize> = (0..depth).collect();
        order.swap(first, second);
        order
    };
    let labels: Vec<Vec<Label>> =
        keys.labels.iter().map(|labels| order.iter().map(|at| labels[*at].clone()).collect()).collect();
    let mut seen = std::collections::HashSet::new();
    if !labels.iter().all(|label| seen.insert(label.clone())) {
        return Err(Fault::new(Code::BadArgument, "two rows would have the same label"));
    }
    let levels = order.iter().map(|at| keys.level(*at)).collect();
    Ok(Index::Keys(Keys::of_levels(labels, order.len() == 1, levels)))
}

/// `frame.droplevel(0, axis=1)`: the columns without a part of their labels.
pub(super) fn columns_releveled<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    level: &Value<S>,
) -> Outcome<Value<S>> {
    let depth = frame.columns.iter().map(|column| column.label.len()).min().unwrap_or(1);
    let gone = level_place(state, &Index::Positions(0), level, depth)?;
    let mut changed = frame.clone();
    let mut seen = std::collections::HashSet::new();
    for column in &mut changed.columns {
        if depth < 2 || column.label.len() != depth {
            return Err(Fault::new(Code::BadArgument, "the columns have no level to drop"));
        }
        column.label.remove(gone);
        if !seen.insert(column.label.clone()) {
            return Err(Fault::new(Code::BadArgument, "two columns would have the same name"));
        }
    }
    tables::new_frame(state, changed)
}
