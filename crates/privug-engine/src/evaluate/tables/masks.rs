//! Questions about public columns: which rows, which values, how many.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::RowSet;
use super::{Column, Index, Keys, Label, Series, Words, not_linear, secret_decides};
use super::{categories, column, counted, elementwise, frames, grouped, grouping};
use crate::evaluate::{arithmetic, containers, tables};
use crate::number::{Constants, Field, Scalar, Wide};
use privug_language::diagnostic::Code;
use privug_language::program::{Comparison, Logic};

/// A statistic of a public column that is no sum.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spread {
    Minimum,
    Maximum,
    Variance,
    StandardDeviation,
    Median,
}

impl Spread {
    fn name(self) -> &'static str {
        match self {
            Spread::Minimum => "min",
            Spread::Maximum => "max",
            Spread::Variance => "var",
            Spread::StandardDeviation => "std",
            Spread::Median => "median",
        }
    }
}

/// `column.isin(values)`
pub(super) fn is_in<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>, values: &Value<S>) -> Outcome<Value<S>> {
    let secret = match &series.column {
        Column::Choices(column) => Some(column.clone()),
        column if column.is_secret() => return Err(secret_decides("rows are chosen", &series.shown_name())),
        _ => None,
    };
    if matches!(series.column, Column::Texts { words: Words::Intervals, .. }) {
        let message = format!("{} holds intervals, which are not chosen by values", series.shown_name());
        let hint = "name the intervals, `labels=[...]`, and choose among the names";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    }
    let mut wanted: HashSet<Label> = HashSet::new();
    let values = match values {
        // Their order does not matter here.
        Value::Set(handle) if !state.worlds.exist() => {
            state.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect()
        }
        values => containers::elements(state, values)?,
    };
    for value in values {
        match frames::label_of(state, &value) {
            Some(label) => wanted.insert(label),
            None => return Err(Fault::new(Code::TypeMismatch, format!("a column cannot hold {}", value.kind()))),
        };
    }
    if let Some(column) = secret {
        return categories::combine::map_choices(state, series, &column, |state, value| {
            Ok(Value::Bool(frames::label_of(state, value).is_some_and(|label| wanted.contains(&label))))
        });
    }
    tables::spend_rows(state, series.len())?;
    tables::spend_bytes(state, series.len())?;
    let mask: Vec<bool> = match &series.column {
        Column::Texts { codes, labels, .. } => {
            let matching: Vec<bool> = labels.iter().map(|label| wanted.contains(&Label::Text(label.clone()))).collect();
            codes.iter().map(|code| matching.get(*code as usize).copied().unwrap_or(false)).collect()
        }
        column => {
            let mut mask = Vec::with_capacity(column.len());
            for row in 0..column.len() {
                mask.push(column::row_label(state, series, row)?.is_some_and(|label| wanted.contains(&label)));
            }
            mask
        }
    };
    let column = Column::Booleans(Arc::new(mask));
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// `column.between(left, right, inclusive="both")`
pub(super) fn between<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    (left, right): (&Value<S>, &Value<S>),
    inclusive: &str,
) -> Outcome<Value<S>> {
    let (from, to) = match inclusive {
        "both" => (Comparison::GreaterEqual, Comparison::LessEqual),
        "left" => (Comparison::GreaterEqual, Comparison::Less),
        "right" => (Comparison::Greater, Comparison::LessEqual),
        "neither" => (Comparison::Greater, Comparison::Less),
        other => {
            let hint = "it must be \"both\", \"left\", \"right\" or \"neither\"";
            return Err(Fault::hinted(Code::BadArgument, format!("`inclusive` cannot be \"{other}\""), hint));
        }
    };
    let column = Value::Series(series.clone());
    let above = elementwise::compare_columns(state, from, &column, left)?;
    let below = elementwise::compare_columns(state, to, &column, right)?;
    elementwise::logic(state, Logic::And, &above, &below)
}

/// `np.where(mask, a, b)`
pub(in super::super) fn where_columns<S: Scalar>(
    state: &mut State<S>,
    mask: &Rc<Series<S>>,
    yes: &Value<S>,
    no: &Value<S>,
) -> Outcome<Value<S>> {
    if let Column::Choices(column) = &mask.column {
        return categories::combine::where_choices(state, mask, column, yes, no);
    }
    let Column::Booleans(chosen) = &mask.column else {
        if mask.column.is_secret() {
            return Err(secret_decides("values are chosen", &mask.shown_name()));
        }
        let message = format!("`where` chooses by a mask, not by a column of {}", mask.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "such as `np.where(p.age > 30, 1, 0)`"));
    };
    tables::spend_rows(state, mask.len())?;
    let (yes, no) = (where_side(state, mask, yes)?, where_side(state, mask, no)?);
    let pick = |row: usize| if chosen[row] { &yes } else { &no };
    let values: Vec<Value<S>> = (0..mask.len())
        .map(|row| if pick(row).len() == 1 { pick(row)[0].clone() } else { pick(row)[row].clone() })
        .collect();
    let column = column::column_of(state, values)?;
    if mask.index.sizes().is_some() {
        // Only with missing values does an array of numpy's differ from a column.
        if column.has_gaps() {
            return Err(super::not_of_groups("`np.where` with missing values"));
        }
        return Ok(Value::Series(Rc::new(Series { name: None, column, index: mask.index.clone() })));
    }
    // numpy's result: rows are counted, not called.
    Ok(Value::Series(Rc::new(Series { name: None, column, index: Index::Positions(mask.len()) })))
}

/// One value, or one for each row.
pub(super) fn where_side<S: Scalar>(
    state: &mut State<S>,
    mask: &Series<S>,
    value: &Value<S>,
) -> Outcome<Vec<Value<S>>> {
    match value {
        Value::Series(series) if series.index.same(&mask.index) => column::cells(state, &series.column),
        Value::Series(_) => {
            let hint = "take the mask and the values from the same table";
            Err(Fault::hinted(Code::DifferentRows, "the mask and the values have different rows", hint))
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::Counted(_)
        | Value::BigInt(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::NumpyBool(_)
        | Value::NumpyInt(_)
        | Value::NumpyFloat(_)
        | Value::Missing
        | Value::Random { .. } => Ok(vec![value.plain()]),
        other => {
            let message = format!("`where` chooses between columns and numbers, not {}", other.kind());
            Err(Fault::new(Code::TypeMismatch, message))
        }
    }
}

/// The distinct values of a public column, in the order in which they appear; a missing one is one of them.
pub(super) fn unique<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>) -> Outcome<Vec<Value<S>>> {
    if series.column.is_secret() {
        return Err(secret_decides("rows are distinguished", &series.shown_name()));
    }
    tables::spend_rows(state, series.len())?;
    let mut seen: HashSet<Label> = HashSet::new();
    let (mut values, mut has_gap) = (Vec::new(), false);
    for row in 0..series.len() {
        match column::row_label(state, series, row)? {
            Some(label) if seen.contains(&label) => {}
            Some(label) => {
                values.push(frames::label_value(state, &label)?);
                seen.insert(label);
            }
            None => {
                values.extend((!has_gap).then_some(Value::Missing));
                has_gap = true;
            }
        }
    }
    Ok(values)
}

/// `column.value_counts()`: the commonest first, and of those as common the first to appear.
pub(super) fn value_counts<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>) -> Outcome<Value<S>> {
    let grouped = grouping::group(state, std::slice::from_ref(series), true)?;
    let members = grouped.members();
    let mut order: Vec<usize> = (0..members.count()).collect();
    order.sort_by_key(|group| {
        let rows = members.rows(*group);
        let size = |row: &u32| series.index.sizes().map_or(1, |sizes| sizes.at(*row as usize));
        (std::cmp::Reverse(rows.iter().map(size).sum::<u64>()), rows.first().copied())
    });
    let labels = order.iter().map(|group| grouped.keys.labels[*group].clone()).collect();
    let mut counts = Vec::with_capacity(order.len());
    for group in &order {
        counts.push(counted::count_rows(state, &series.index, RowSet::Some(members.rows(*group)))?);
    }
    let levels = vec![grouping::level_of(series)];
    let (column, index) = (column::column_of(state, counts)?, Index::Keys(Keys::of_levels(labels, true, levels)));
    Ok(Value::Series(Rc::new(Series { name: Some(Rc::from("count")), column, index })))
}

/// Minimum, maximum, spread and median of a public column, as pandas computes them (n - 1 in a variance).
pub(super) fn spread<S: Scalar>(state: &mut State<S>, spread: Spread, series: &Rc<Series<S>>) -> Outcome<Value<S>> {
    if let (Spread::Median, Column::Choices(column)) = (spread, &series.column) {
        return categories::medians::choice_median(state, column, &series.shown_name());
    }
    if series.column.is_secret() {
        return Err(not_linear(spread.name()));
    }
    if let (Column::Texts { codes, labels, words: Words::Plain | Words::Dates }, Spread::Minimum | Spread::Maximum) =
        (&series.column, spread)
    {
        // The first and the last as they are ordered: dates are written so that this is their order.
        let texts = codes.iter().filter_map(|code| labels.get(*code as usize));
        let found = if matches!(spread, Spread::Minimum) { texts.min() } else { texts.max() };
        tables::spend_rows(state, codes.len())?;
        return found.map_or(Ok(Value::Missing), |text| state.text(text.to_string()));
    }
    if matches!(series.column, Column::Texts { .. }) {
        let message = format!("{} holds strings, which have no `.{}()`", series.shown_name(), spread.name());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    tables::spend_rows(state, series.len())?;
    if series.index.sizes().is_some() && matches!(spread, Spread::Median) {
        return Err(super::not_of_groups("a median"));
    }
    if series.index.sizes().is_some() && matches!(spread, Spread::Variance | Spread::StandardDeviation) {
        return match (grouped::variance_of_groups(state, series)?, spread) {
            (None, _) => Ok(Value::Missing),
            (Some(variance), Spread::StandardDeviation) => {
                arithmetic::irrational(state, variance.to_f64().sqrt()).map(Value::Float)
            }
            (Some(variance), _) => state.float(variance),
        };
    }
    let mut values: Vec<S> = Vec::with_capacity(series.len());
    for cell in column::cells(state, &series.column)? {
        if let Some(number) = state.number(&cell) {
            values.push(state.scalar(&number)?);
        }
    }
    let few = if matches!(spread, Spread::Variance | Spread::StandardDeviation) { 2 } else { 1 };
    if matches!(series.index, Index::Positions(_)) {
        // An array of numpy's: its variance divides by n, and a missing value spoils everything.
        let message = format!("`.{}()` of an array is not supported", spread.name());
        return Err(Fault::hinted(Code::BadArgument, message, "take it of the column itself"));
    }
    if values.len() < few {
        return Ok(Value::Missing);
    }
    let integers = matches!(series.column, Column::Integers(_));
    match spread {
        Spread::Variance => variance_of(state, &values).and_then(|variance| state.float(variance)),
        Spread::StandardDeviation => {
            let variance = variance_of(state, &values)?;
            arithmetic::irrational(state, variance.to_f64().sqrt()).map(Value::Float)
        }
        Spread::Minimum | Spread::Maximum | Spread::Median => {
            values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            let middle = values.len() / 2;
            let value = match spread {
                Spread::Minimum => values[0].clone(),
                Spread::Maximum => values[values.len() - 1].clone(),
                _ if values.len() % 2 == 1 => values[middle].clone(),
                _ => values[middle - 1].add(&values[middle]).div(&S::from_i64(2)),
            };
            if integers && !matches!(spread, Spread::Median) {
                return state.integer(value.floor());
            }
            state.float(value)
        }
    }
}

/// Σ (xᵢ - x̄)² / (n - 1)
fn variance_of<S: Scalar>(state: &mut State<S>, values: &[S]) -> Outcome<S> {
    let wide = |value: &S| S::Wide::widen(value);
    let total = values.iter().fold(S::Wide::zero(), |sum, value| sum.add(&wide(value)));
    let mean = total.div(&wide(&S::from_i64(values.len() as i64)));
    let squares = values.iter().fold(S::Wide::zero(), |sum, value| {
        let distance = wide(value).sub(&mean);
        sum.add(&distance.mul(&distance))
    });
    let variance = squares.div(&wide(&S::from_i64(values.len() as i64 - 1)));
    state.finite(variance.narrow())
}
