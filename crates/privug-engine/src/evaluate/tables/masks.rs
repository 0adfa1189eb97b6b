//! Questions about public columns: which rows, which values, how many.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::RowSet;
use super::{Column, Index, Keys, Label, Series, Words, not_linear, secret_decides};
use super::{categories, column, counted, elementwise, frames, grouped, grouping, windows};
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

/// In which order `value_counts` lists the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    CommonestFirst,
    RarestFirst,
    /// `sort=False`: as they first appear in the column; categories in their own order.
    Unsorted,
}

/// `column.value_counts()`: of values as common as each other, the first to appear comes first. All categories are counted,
/// also those that nobody has, and they come in their own order where values come in that of their appearance.
pub(super) fn value_counts<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    listing: Listing,
    gaps_too: bool,
) -> Outcome<Value<S>> {
    let level = grouping::level_of(series);
    if listing == Listing::Unsorted && level.categories.is_none() {
        if series.index.sizes().is_some() {
            return Err(super::not_of_groups("the order in which values appear"));
        }
        windows::refuse_unstable_rows(state, &series.index)?;
    }
    let grouped = grouping::group_gaps(state, std::slice::from_ref(series), true, gaps_too)?;
    let members = grouped.members();
    let mut parts: Vec<(Vec<Label>, &[u32])> = Vec::with_capacity(members.count());
    for (group, label) in grouped.keys.labels.iter().enumerate() {
        parts.push((label.clone(), members.rows(group)));
    }
    match &level.categories {
        Some(categories) => {
            let present: HashSet<Label> = parts.iter().map(|(label, _)| label[0].clone()).collect();
            let unused = categories.iter().filter(|category| !present.contains(category));
            parts.extend(unused.map(|category| (vec![category.clone()], [].as_slice())));
            let places: HashMap<&Label, usize> = categories.iter().enumerate().map(|(at, label)| (label, at)).collect();
            // A gap is no category, and comes last.
            parts.sort_by_key(|(label, _)| places.get(&label[0]).copied().unwrap_or(usize::MAX));
        }
        None => parts.sort_by_key(|(_, rows)| rows.first().copied()),
    }
    let size = |rows: &[u32]| {
        let of_row = |row: &u32| series.index.sizes().map_or(1, |sizes| sizes.at(*row as usize));
        rows.iter().map(of_row).sum::<u64>()
    };
    match listing {
        Listing::CommonestFirst => parts.sort_by_key(|(_, rows)| std::cmp::Reverse(size(rows))),
        Listing::RarestFirst => parts.sort_by_key(|(_, rows)| size(rows)),
        Listing::Unsorted => {}
    }
    let (mut labels, mut counts) = (Vec::with_capacity(parts.len()), Vec::with_capacity(parts.len()));
    for (label, rows) in parts {
        labels.push(label);
        counts.push(counted::count_rows(state, &series.index, RowSet::Some(rows))?);
    }
    let (column, index) = (column::column_of(state, counts)?, Index::Keys(Keys::of_levels(labels, true, vec![level])));
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
