//! Sums and means of columns, of all rows and of groups of them.
//!
//! Published figures are compared later with what other figures imply, to within a few units in the last place, so sums
//! of doubles are kept in pairs of doubles. Sums of random variables are one node with the weights as they are; a mean
//! divides it, so that the weights stay exact.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::random::Total;
use super::super::state::State;
use super::super::value::Value;
use super::grouping::Members;
use super::index::Sizes;
use super::{Column, Frame, FrameColumn, Index, RandomColumn, Series};
use super::{categories, column, counted, elementwise, frames, windows};
use crate::evaluate::{arithmetic, arrays, ndarray, random, tables};
use crate::number::{Constants, DoubleDouble, Field, Scalar, Wide};
use dashu_int::IBig;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// What is computed of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Sum,
    Mean,
    Count,
    Size,
}

impl Statistic {
    pub(super) fn named(name: &str) -> Option<Statistic> {
        Some(match name {
            "sum" => Statistic::Sum,
            "mean" => Statistic::Mean,
            "count" => Statistic::Count,
            "size" => Statistic::Size,
            _ => return None,
        })
    }
}

/// Some rows of a column.
#[derive(Clone, Copy)]
pub(super) enum RowSet<'a> {
    All(usize),
    Some(&'a [u32]),
}

impl RowSet<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            RowSet::All(count) => *count,
            RowSet::Some(rows) => rows.len(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let (all, some) = match self {
            RowSet::All(count) => (0..*count, [].as_slice()),
            RowSet::Some(rows) => (0..0, *rows),
        };
        all.chain(some.iter().map(|row| *row as usize))
    }
}

/// A statistic of all rows.
pub(super) fn statistic<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    series: &Series<S>,
) -> Outcome<Value<S>> {
    statistic_of(state, statistic, series, RowSet::All(series.column.len()))
}

/// A statistic of each group.
pub(super) fn group_statistics<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    series: &Series<S>,
    members: &Members,
) -> Outcome<Vec<Value<S>>> {
    let mut results = Vec::with_capacity(members.count());
    for group in 0..members.count() {
        results.push(statistic_of(state, statistic, series, RowSet::Some(members.rows(group)))?);
    }
    Ok(results)
}

pub(super) fn statistic_of<S: Scalar>(
    state: &mut State<S>,
    statistic: Statistic,
    series: &Series<S>,
    rows: RowSet<'_>,
) -> Outcome<Value<S>> {
    let (column, sizes) = (&series.column, series.index.sizes());
    if let Column::Choices(choices) = column {
        return categories::sums::choice_statistic(state, statistic, choices, rows, &series.shown_name());
    }
    match statistic {
        Statistic::Size => Ok(Value::Int(rows.iter().map(|row| times(sizes, row)).sum())),
        Statistic::Count => {
            tables::spend_rows(state, rows.len())?;
            Ok(Value::Int(present(series, rows)))
        }
        Statistic::Sum => sum_of_rows(state, series, rows),
        Statistic::Mean => {
            let count = present(series, rows);
            if count == 0 && !matches!(column, Column::Texts { .. }) {
                return Ok(Value::Missing);
            }
            let numbers: Option<Vec<Repeated<S>>> = match column {
                Column::Numbers(values) => {
                    Some(rows.iter().map(|row| (values[row].clone(), times(sizes, row))).collect())
                }
                Column::Own(values) => Some(own_numbers(values, rows, sizes)),
                Column::Cells(values) => plain_numbers(state, values, rows, sizes)?,
                Column::Booleans(_)
                | Column::Integers(_)
                | Column::Texts { .. }
                | Column::Random(_)
                | Column::Choices(_) => None,
            };
            if let Some(numbers) = numbers {
                // Divided before the sum is rounded.
                let total = wide_sum(state, &numbers)?;
                let mean = total.div(&S::Wide::widen(&S::from_i64(count)));
                let double = |total: DoubleDouble| total.div(&(count as f64).into());
                return summed(state, mean.narrow(), &numbers, double);
            }
            let total = sum_of_rows(state, series, rows)?;
            arithmetic::binary(state, Binary::Divide, &total, &Value::Int(count))
        }
    }
}

fn wide_sum<S: Scalar>(state: &mut State<S>, values: &[Repeated<S>]) -> Outcome<S::Wide> {
    tables::spend_rows(state, values.len())?;
    Ok(values.iter().fold(S::Wide::zero(), |total, (value, times)| match times {
        1 => total.add(&S::Wide::widen(value)),
        times => total.add(&S::Wide::widen(value).mul(&S::Wide::widen(&S::from_i64(*times)))),
    }))
}

/// A sum of numbers, or what is made of one; where doubles decide, with the double that they make of it.
fn summed<S: Scalar>(
    state: &State<S>,
    value: S,
    numbers: &[Repeated<S>],
    of_sum: impl Fn(DoubleDouble) -> DoubleDouble,
) -> Outcome<Value<S>> {
    if !S::EXACT || !state.certainty.follows_doubles {
        return state.float(value);
    }
    let total = numbers.iter().fold(DoubleDouble::zero(), |total, (number, times)| {
        total.add(&DoubleDouble::from(number.to_f64()).mul(&(*times as f64).into()))
    });
    state.float(value.followed_by(of_sum(total).to_f64()))
}

fn sum_of_rows<S: Scalar>(state: &mut State<S>, series: &Series<S>, rows: RowSet<'_>) -> Outcome<Value<S>> {
    let sizes = series.index.sizes();
    match &series.column {
        Column::Booleans(values) => {
            tables::spend_rows(state, rows.len())?;
            Ok(Value::Int(rows.iter().filter(|row| values[*row]).map(|row| times(sizes, row)).sum()))
        }
        Column::Integers(values) => {
            tables::spend_rows(state, rows.len())?;
            let part = |row: usize| i128::from(values[row]) * i128::from(times(sizes, row));
            state.integer(IBig::from(rows.iter().map(part).sum::<i128>()))
        }
        Column::Numbers(values) => {
            let numbers: Vec<Repeated<S>> = rows.iter().map(|row| (values[row].clone(), times(sizes, row))).collect();
            let total = wide_sum(state, &numbers)?;
            summed(state, total.narrow(), &numbers, |total| total)
        }
        Column::Own(values) => {
            let numbers = own_numbers(values, rows, sizes);
            let total = wide_sum(state, &numbers)?;
            summed(state, total.narrow(), &numbers, |total| total)
        }
        Column::Random(values) => random_sum(state, values, rows, sizes),
        Column::Choices(values) => categories::sums::choice_sum(state, values, rows, &series.shown_name()),
        Column::Cells(values) => {
            if let Some(numbers) = plain_numbers(state, values, rows, sizes)? {
                let total = wide_sum(state, &numbers)?;
                return summed(state, total.narrow(), &numbers, |total| total);
            }
            tables::spend_rows(state, rows.len())?;
            let present: Vec<usize> = rows.iter().filter(|row| !matches!(values[*row], Value::Missing)).collect();
            if present.iter().all(|row| values[*row].as_random().is_some()) {
                let at = |row: &usize| {
                    values[*row].as_random().unwrap_or_else(|| unreachable!("all of them were looked at"))
                };
                let column = RandomColumn::from_variables(present.iter().map(at).collect());
                let rows: Vec<u64> = present.iter().map(|row| times(sizes, *row) as u64).collect();
                return sum_of_variables(state, &column, &rows);
            }
            let mut all = Vec::with_capacity(present.len());
            for row in present {
                let value = values[row].clone();
                all.push(match times(sizes, row) {
                    1 => value,
                    times => arithmetic::binary(state, Binary::Multiply, &value, &Value::Int(times))?,
                });
            }
            arrays::sum_values(state, &all, Value::Int(0))
        }
        Column::Texts { .. } => {
            let message = format!("{} holds strings, which cannot be summed", series.shown_name());
            Err(Fault::hinted(Code::TypeMismatch, message, "choose a column of numbers"))
        }
    }
}

/// The values that are not missing, if all of them are plain numbers.
fn plain_numbers<S: Scalar>(
    state: &mut State<S>,
    values: &[Value<S>],
    rows: RowSet<'_>,
    sizes: Option<Sizes<'_>>,
) -> Outcome<Option<Vec<Repeated<S>>>> {
    tables::spend_rows(state, rows.len())?;
    let mut numbers = Vec::new();
    for row in rows.iter() {
        match &values[row] {
            Value::Missing => {}
            Value::Int(value) => numbers.push((S::from_i64(*value), times(sizes, row))),
            Value::Float(value) => numbers.push((value.clone(), times(sizes, row))),
            _ => return Ok(None),
        }
    }
    Ok(Some(numbers))
}

/// Σ (offset + scale·node), as one node.
fn random_sum<S: Scalar>(
    state: &mut State<S>,
    values: &RandomColumn<S>,
    rows: RowSet<'_>,
    sizes: Option<Sizes<'_>>,
) -> Outcome<Value<S>> {
    // A term of a node takes half of what an element of a list does.
    state.budget.spend_elements(rows.len() as u64 / 2)?;
    let mut constant = Total::new();
    if let Some(offsets) = &values.offsets {
        tables::spend_rows(state, rows.len())?;
        for row in rows.iter() {
            constant.add_times(&offsets[row], times(sizes, row));
        }
    }
    let one = S::one();
    let mut terms = Vec::with_capacity(rows.len());
    for row in rows.iter() {
        let scale = values.scales.as_ref().map_or(&one, |scales| &scales[row]);
        terms.push((values.nodes[row], weight_times(state, scale, times(sizes, row))));
    }
    if terms.iter().all(|(_, scale)| scale.is_zero()) {
        return state.float(constant.narrow());
    }
    random::sum_terms(state, terms, &constant).map(Value::random)
}

/// The same of all rows, which stand for so many people each.
fn sum_of_variables<S: Scalar>(state: &mut State<S>, values: &RandomColumn<S>, sizes: &[u64]) -> Outcome<Value<S>> {
    let sizes = Sizes::of_rows(sizes);
    random_sum(state, values, RowSet::All(values.nodes.len()), Some(sizes))
}

/// A coefficient that is there several times. Weights decide what is redundant, so one that has to be rounded is a reason
/// to compute exactly.
fn weight_times<S: Scalar>(state: &mut State<S>, value: &S, times: i64) -> S {
    if times == 1 {
        return value.clone();
    }
    let times = S::from_i64(times);
    value.exact_product(&times).unwrap_or_else(|| {
        state.certainty.doubt_at(state.span);
        value.mul(&times)
    })
}

/// `np.sum(column)`, which is the column's own.
pub(in super::super) fn sum_of_column<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Option<Value<S>>> {
    let Value::Series(series) = value else { return Ok(None) };
    counted::series_statistic(state, Statistic::Sum, series).map(Some)
}

/// `sum(column)`, for which a missing value is a number like others.
pub(in super::super) fn sum_of_iterated_column<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let Value::Series(series) = value else { return Ok(None) };
    if series.column.has_gaps() && !matches!(series.column, Column::Texts { .. }) {
        return Ok(Some(Value::Missing));
    }
    statistic(state, Statistic::Sum, series).map(Some)
}

/// The mean of a value that is a column.
pub(in super::super) fn mean_of_column<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Option<Value<S>>> {
    let Value::Series(series) = value else { return Ok(None) };
    if series.column.has_gaps() {
        // `np.mean` leaves them out, `statistics.mean` and `np.average` do not.
        let message = format!("{} has missing values", series.shown_name());
        let hint = "use the column's `.mean()`, which skips them";
        return Err(Fault::hinted(Code::BadArgument, message, hint));
    }
    statistic(state, Statistic::Mean, series).map(Some)
}

/// Σ wᵢ·xᵢ
pub(in super::super) fn dot_columns<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    match (left, right) {
        (Value::Frame(handle), Value::Series(series)) => return table_times_column(state, *handle, series),
        (Value::Frame(left), Value::Frame(right)) => return table_times_table(state, *left, *right),
        (Value::Frame(_), _) | (_, Value::Frame(_)) => {
            let hint = "multiply arrays of their values, which `.to_numpy()` gives";
            return Err(Fault::hinted(
                Code::TypeMismatch,
                "a table is multiplied by something else than a column",
                hint,
            ));
        }
        _ => {}
    }
    // numpy's matrices know nothing of labels, so that a column beside one is its values.
    let is_matrix = |value: &Value<S>| match value {
        Value::Array(handle) => state.heap.array(*handle).shape.len() > 1,
        _ => false,
    };
    if is_matrix(left) || is_matrix(right) {
        let left = without_labels(state, left)?;
        let right = without_labels(state, right)?;
        return ndarray::product::dot(state, &left, &right);
    }
    let product = elementwise::binary_columns(state, Binary::Multiply, left, right)?;
    match &product {
        // A missing product is left out by no one: pandas and numpy multiply matrices here.
        Value::Series(series) if series.column.has_gaps() => Ok(Value::Missing),
        Value::Series(series) => statistic(state, Statistic::Sum, series),
        other => Ok(other.clone()),
    }
}

/// `table @ table`: each column of the right one.
fn table_times_table<S: Scalar>(state: &mut State<S>, left: u32, right: u32) -> Outcome<Value<S>> {
    let other = tables::frame(state, right).clone();
    let mut columns = Vec::with_capacity(other.columns.len());
    for place in 0..other.columns.len() {
        let own = frames::frame_column(state, &other, place)?;
        let Value::Series(made) = table_times_column(state, left, &own)? else { return Ok(Value::Poison) };
        columns.push(FrameColumn {
            label: other.columns[place].label.clone(),
            column: made.column.clone(),
            rows: None,
        });
    }
    let index = tables::frame(state, left).index.clone();
    tables::new_frame(state, Frame { index, columns })
}

/// `table @ column`: the sum of the table's columns, each times the value that is called like it.
fn table_times_column<S: Scalar>(state: &mut State<S>, handle: u32, series: &Rc<Series<S>>) -> Outcome<Value<S>> {
    let frame = tables::frame(state, handle).clone();
    let misfit = || {
        let hint = "give the column a row for each column of the table, called like it";
        Fault::hinted(Code::DifferentRows, "the rows of the column are not called like the columns of the table", hint)
    };
    let Index::Keys(keys) = &series.index else { return Err(misfit()) };
    if keys.labels.len() != frame.columns.len() {
        return Err(misfit());
    }
    let weights = column::cells(state, &series.column)?;
    let mut total: Option<Value<S>> = None;
    for (place, column) in frame.columns.iter().enumerate() {
        let weight = keys.position(&column.label).map(|at| weights[at].clone()).ok_or_else(misfit)?;
        let own = Value::Series(frames::frame_column(state, &frame, place)?);
        let product = elementwise::binary_columns(state, Binary::Multiply, &own, &weight)?;
        total = Some(match total {
            None => product,
            Some(total) => elementwise::binary_columns(state, Binary::Add, &total, &product)?,
        });
    }
    match total.ok_or_else(misfit)? {
        Value::Series(sum) => {
            Ok(Value::Series(Rc::new(Series { name: None, column: sum.column.clone(), index: sum.index.clone() })))
        }
        other => Ok(other),
    }
}

/// A column as an array of its values; anything else as it is.
fn without_labels<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    let Value::Series(series) = value else { return Ok(value.clone()) };
    if series.index.sizes().is_some() {
        return Err(super::not_of_groups("a product with a matrix"));
    }
    windows::refuse_unstable_rows(state, &series.index)?;
    let array = ndarray::create::copied_array(state, value, None)?;
    ndarray::create::view(state, array)
}

/// numpy matches two columns by their places, and not by their labels.
pub(in super::super) fn refuse_other_order<S: Scalar>(left: &Value<S>, right: &Value<S>) -> Outcome<()> {
    match (left, right) {
        (Value::Series(left), Value::Series(right)) if !left.index.same(&right.index) => {
            let message = "numpy combines these columns by position, and their rows differ";
            Err(Fault::hinted(Code::DifferentRows, message, "take both from the same table, in the same order"))
        }
        _ => Ok(()),
    }
}

/// `np.average(xs, weights=ws)` = Σ wᵢ·xᵢ / Σ wᵢ
pub(in super::super) fn average_columns<S: Scalar>(
    state: &mut State<S>,
    values: &Value<S>,
    weights: &Value<S>,
) -> Outcome<Value<S>> {
    refuse_other_order(values, weights)?;
    let total = dot_columns(state, weights, values)?;
    let weights = match elementwise::side(state, weights)? {
        elementwise::Side::Column(series) => series,
        elementwise::Side::Single(other) => {
            return Err(Fault::new(Code::TypeMismatch, format!("the weights are {}, not a column", other.kind())));
        }
    };
    if matches!(total, Value::Missing) || weights.column.has_gaps() {
        return Ok(Value::Missing);
    }
    let weight = statistic(state, Statistic::Sum, &weights)?;
    arithmetic::binary(state, Binary::Divide, &total, &weight)
}

/// A number, and how often it is there.
type Repeated<S> = (S, i64);

/// What stands for weights that are everybody's own: their sums are those of everybody.
fn own_numbers<S: Scalar>(values: &[Option<S>], rows: RowSet<'_>, sizes: Option<Sizes<'_>>) -> Vec<Repeated<S>> {
    rows.iter().filter_map(|row| Some((values[row].clone()?, times(sizes, row)))).collect()
}

/// How many people a row stands for.
fn times(sizes: Option<Sizes<'_>>, row: usize) -> i64 {
    sizes.map_or(1, |sizes| sizes.at(row) as i64)
}

/// How many rows are not missing.
fn present<S: Scalar>(series: &Series<S>, rows: RowSet<'_>) -> i64 {
    let sizes = series.index.sizes();
    rows.iter().filter(|row| is_present(&series.column, *row)).map(|row| times(sizes, row)).sum()
}

/// Whether a row is not missing.
pub(super) fn is_present<S: Scalar>(column: &Column<S>, row: usize) -> bool {
    !column.is_missing(row)
}
