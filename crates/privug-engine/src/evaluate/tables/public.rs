//! What is not linear, of public columns: quantiles, ranks, bounds and absolute values.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::builtins::Arguments;
use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::Series;
use super::{applied, column, gaps, grouped, more};
use crate::evaluate::{builtins, compare, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, Comparison, Median};

/// `column.quantile(q)`, `column.clip(lower, upper)`, `column.rank()`, `column.abs()` of a public column; `None` if it is
/// something else.
pub(super) fn public_method<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Option<Value<S>>> {
    if series.column.is_secret() {
        return Ok(None);
    }
    grouped::refuse_groups(state, &Value::Series(series.clone()), name)?;
    let found = match name {
        "quantile" => quantile_of_column(state, series, arguments)?,
        "clip" => clipped_column(state, series, arguments)?,
        "rank" => ranks(state, series, arguments)?,
        "abs" => {
            arguments.none("abs")?;
            let mut values = Vec::with_capacity(series.len());
            for cell in numbers_of(state, series, "abs")? {
                values.push(match cell {
                    Value::Missing => Value::Missing,
                    number => builtins::call_builtin(state, Builtin::Abs, &positional(1), &[number])?,
                });
            }
            applied::series_like(state, series, values)?
        }
        _ => return Ok(None),
    };
    Ok(Some(found))
}

/// The cells of a public column of numbers.
fn numbers_of<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, name: &str) -> Outcome<Vec<Value<S>>> {
    let cells = column::cells(state, &series.column)?;
    tables::spend_rows(state, cells.len())?;
    match cells.iter().find(|cell| state.number(cell).is_none() && !matches!(cell, Value::Missing)) {
        Some(other) => Err(Fault::new(Code::TypeMismatch, format!("`{name}` takes numbers, not {}", other.kind()))),
        None => Ok(cells),
    }
}

fn quantile_of_column<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [share] = arguments.bind("quantile", ["q"], 0, 1)?;
    let share = share.map_or_else(|| S::from_literal("0.5").map_or(Value::Missing, Value::Float), |q| q.value.clone());
    if state.number(&share).is_none() {
        let hint = "ask for them one by one: `[column.quantile(q) for q in (0.25, 0.75)]`";
        return Err(Fault::hinted(Code::BadArgument, "several quantiles at once", hint));
    }
    let mut cells = numbers_of(state, series, "quantile")?;
    cells.retain(|cell| !matches!(cell, Value::Missing));
    if cells.is_empty() {
        return Ok(Value::Missing);
    }
    let cells = state.list(cells)?;
    builtins::call_builtin(state, Builtin::Median(Median::Quantile), &positional(2), &[cells, share])
}

fn clipped_column<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let bounds = arguments.bind("clip", ["lower", "upper"], 0, 2)?;
    let bounds =
        bounds.map(|bound| bound.map(|bound| bound.value.clone()).filter(|bound| !matches!(bound, Value::None)));
    if let Some(other) = bounds.iter().flatten().find(|bound| state.number(bound).is_none()) {
        let message = format!("a bound is a number here, not {}", other.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    let [lower, upper] = bounds;
    let mut values = numbers_of(state, series, "clip")?;
    for cell in values.iter_mut().filter(|cell| !matches!(cell, Value::Missing)) {
        if let Some(lower) = &lower
            && compare::order(state, Comparison::Less, cell, lower)? == Ordering::Less
        {
            *cell = lower.clone();
        }
        if let Some(upper) = &upper
            && compare::order(state, Comparison::Greater, cell, upper)? == Ordering::Greater
        {
            *cell = upper.clone();
        }
    }
    applied::series_like(state, series, values)
}

/// `column.rank(method, ascending, pct)`: missing values have no rank.
fn ranks<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [method, ascending, share] = arguments.bind("rank", ["method", "ascending", "pct"], 0, 0)?;
    let method = method.map_or("average".to_owned(), |method| text::show(state, method.value));
    let ascending = ascending.map_or(Ok(true), |ascending| compare::truth(state, ascending.value))?;
    let is_share = share.map_or(Ok(false), |share| compare::truth(state, share.value))?;
    let cells = numbers_of(state, series, "rank")?;
    let mut keyed: Vec<(f64, usize)> = Vec::with_capacity(cells.len());
    for (row, cell) in cells.iter().enumerate() {
        if let Some(number) = state.number(cell) {
            keyed.push((state.scalar(&number)?.to_f64(), row));
        }
    }
    // Rows that are equal stay in their order, also from the largest on.
    keyed.sort_by(|a, b| if ascending { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
    let mut ranks = vec![Value::Missing; cells.len()];
    let count = match (is_share, method.as_str()) {
        (false, _) => 1,
        (true, "dense") => keyed.chunk_by(|one, other| one.0 == other.0).count(),
        (true, _) => keyed.len(),
    };
    let (mut start, mut distinct) = (0, 0);
    while start < keyed.len() {
        let ties = keyed[start..].iter().take_while(|(value, _)| *value == keyed[start].0).count();
        distinct += 1;
        for (place, (_, row)) in keyed[start..start + ties].iter().enumerate() {
            // Twice the rank, which is a whole number.
            let twice = match method.as_str() {
                "average" => 2 * start + ties + 1,
                "min" => 2 * (start + 1),
                "max" => 2 * (start + ties),
                "first" => 2 * (start + place + 1),
                "dense" => 2 * distinct,
                other => {
                    let hint = "it must be \"average\", \"min\", \"max\", \"first\" or \"dense\"";
                    let message = format!("`method` cannot be \"{other}\"");
                    return Err(Fault::hinted(Code::BadArgument, message, hint));
                }
            };
            let rank = S::from_i64(twice as i64).div(&S::from_i64(2 * count as i64));
            ranks[*row] = state.float(rank)?;
        }
        start += ties;
    }
    applied::series_like(state, series, ranks)
}

/// `column.fillna(other)`: what is missing is taken from the same row of another column.
pub(super) fn filled_from<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    other: &Rc<Series<S>>,
) -> Outcome<Series<S>> {
    let mask = Rc::new(gaps::missing_mask(state, series, false)?);
    match more::kept_or(state, series, &mask, true, &Value::Series(other.clone()))? {
        Value::Series(filled) => Ok((*filled).clone()),
        _ => Ok((**series).clone()),
    }
}

/// The edges of so many bins of the same width, as `pd.cut` has them.
pub(super) fn even_edges<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    count: i64,
    right: bool,
) -> Outcome<Vec<f64>> {
    let mut values = Vec::new();
    for cell in numbers_of(state, series, "cut")? {
        if let Some(number) = state.number(&cell) {
            values.push(state.scalar(&number)?.to_f64());
        }
    }
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    if !(1..=10_000).contains(&count) || low >= high {
        let message = "the number of bins is at least 1, of a column with at least two different values";
        return Err(Fault::new(Code::BadArgument, message));
    }
    let step = (high - low) / count as f64;
    let mut edges: Vec<f64> = (0..=count).map(|place| low + place as f64 * step).collect();
    let further = (high - low) * 0.001;
    edges[count as usize] = high;
    // pandas opens the outermost one a little, so that the smallest or largest value is in it.
    if right {
        edges[0] -= further
    } else {
        edges[count as usize] += further
    }
    Ok(edges)
}

/// What a list of texts is called by `.str`: a column of them.
pub(in super::super) fn texts_as_column<S: Scalar>(state: &mut State<S>, list: &Value<S>) -> Outcome<Value<S>> {
    let elements = containers::elements(state, list)?;
    let index = super::Index::Positions(elements.len());
    let column = column::column_of(state, elements)?;
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// The rows that all columns among some values have; pandas would match others by their labels.
pub(in super::super) fn rows_of_all<S: Scalar>(values: &[Value<S>]) -> Outcome<Option<super::Index>> {
    let mut rows: Option<&super::Index> = None;
    for value in values {
        let Value::Series(series) = value else { continue };
        if rows.is_some_and(|rows| !rows.same(&series.index)) {
            let hint = "take both from the same table or filter";
            return Err(Fault::hinted(Code::DifferentRows, "columns of different rows are combined", hint));
        }
        rows = Some(&series.index);
    }
    Ok(rows.cloned())
}

/// An array as a column of rows, if it has as many elements.
pub(in super::super) fn in_rows<S: Scalar>(
    state: &mut State<S>,
    array: &Value<S>,
    index: &super::Index,
) -> Outcome<Value<S>> {
    if containers::length(state, array)? != index.len()
        || !matches!(containers::elements(state, array)?.first(), Some(first) if !matches!(first, Value::Array(_)))
    {
        return Ok(array.clone());
    }
    array_as_column(state, array, index).map(Value::Series)
}

/// Public values as a column of the rows of a table.
pub(super) fn array_as_column<S: Scalar>(
    state: &mut State<S>,
    array: &Value<S>,
    index: &super::Index,
) -> Outcome<Rc<Series<S>>> {
    let elements = containers::elements(state, array)?;
    if elements.len() != index.len() {
        let message = format!("{} values are given for {} rows", elements.len(), index.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let elements: Vec<Value<S>> = elements.iter().map(Value::plain).collect();
    let column = column::column_of(state, elements)?;
    Ok(Rc::new(Series { name: None, column, index: index.clone() }))
}
