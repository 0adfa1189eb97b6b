//! Counting by the values of a discrete secret: `value_counts`, crossed tables, groups of which the secret is a key.

use crate::sorting::CompactSort;
use std::rc::Rc;

use super::super::super::builtins::{Argument, Arguments};
use super::super::super::fault::{Fault, Outcome};
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::aggregate::RowSet;
use super::super::grouping::{Chosen, GroupBy};
use super::super::masks::Listing;
use super::super::pivot::Crossing;
use super::super::shape::{Shape, has_several, has_ties};
use super::super::{Column, Index, Keys, Label, Level, Series};
use super::ChoiceColumn;
use super::sums;
use crate::evaluate::tables::categories;
use crate::evaluate::{arithmetic, compare, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Method, TableMethod};

/// What a share is a part of.
#[derive(Clone, Copy)]
enum Share {
    All,
    Rows,
    Columns,
}

/// The keys that rows are counted by, one of them secret.
#[derive(Debug)]
pub(in super::super) struct SecretKeys<S> {
    /// The public ones.
    public: Vec<Rc<Series<S>>>,
    secret: Rc<Series<S>>,
    /// Where the secret stands among all of them.
    place: usize,
    /// Whether a key is a label by itself.
    scalar: bool,
}

impl<S> SecretKeys<S> {
    pub(in super::super) fn public(&self) -> &[Rc<Series<S>>] {
        &self.public
    }

    pub(in super::super) fn secret(&self) -> &Series<S> {
        &self.secret
    }
}

/// Keys to count by, if one of them depends on a discrete secret.
pub(in super::super) fn secret_keys<S: Scalar>(by: &[Rc<Series<S>>], scalar: bool) -> Outcome<Option<SecretKeys<S>>> {
    let is_secret = |series: &&Rc<Series<S>>| matches!(series.column, Column::Choices(_));
    let Some(place) = by.iter().position(|series| is_secret(&series)) else { return Ok(None) };
    if by.iter().filter(is_secret).count() > 1 {
        let message = "rows are counted by two secret columns";
        let hint = "count by one of them, or make one column of both and name it as the secret";
        return Err(Fault::hinted(Code::SecretDecides, message, hint));
    }
    let public = by.iter().filter(|series| !is_secret(series)).cloned().collect();
    Ok(Some(SecretKeys { public, secret: by[place].clone(), place, scalar }))
}

/// How many rows there are for each key: of the groups that occur, every value that the secret may have. A value that
/// nobody has is a count of 0: that pandas leaves it out tells the same.
pub(in super::super) fn count_by_secret<S: Scalar>(
    state: &mut State<S>,
    keys: &SecretKeys<S>,
) -> Outcome<Vec<(Vec<Label>, Value<S>)>> {
    let Column::Choices(column) = &keys.secret.column else { return Ok(Vec::new()) };
    let values = values_of(state, column);
    if keys.public.is_empty() {
        let mut counts = Vec::with_capacity(values.len());
        for value in values {
            let count = count_of_value(state, keys, column, RowSet::All(column.len()), &value)?;
            counts.push((vec![value], count));
        }
        return Ok(counts);
    }
    let grouped = tables::grouping::group(state, &keys.public, false)?;
    let members = grouped.members();
    let mut counts = Vec::with_capacity(members.count() * values.len());
    for group in 0..members.count() {
        for value in &values {
            let mut key = grouped.keys.labels[group].clone();
            key.insert(keys.place, value.clone());
            let rows = RowSet::Some(members.rows(group));
            counts.push((key, count_of_value(state, keys, column, rows, value)?));
        }
    }
    counts.sort_compact_by(|a, b| a.0.cmp(&b.0));
    Ok(counts)
}

/// How many rows have a value. An interval that nobody's value can be in has a count of nobody, whatever the secret is.
fn count_of_value<S: Scalar>(
    state: &mut State<S>,
    keys: &SecretKeys<S>,
    column: &ChoiceColumn<S>,
    rows: RowSet<'_>,
    value: &Label,
) -> Outcome<Value<S>> {
    if column.all_values().all(|known| tables::frames::label_of(state, known).as_ref() != Some(value)) {
        return tables::counted::count_rows(state, &keys.secret.index, RowSet::Some(&[]));
    }
    sums::choice_count(state, column, rows, value)
}

/// What groups of which the secret is a key can be asked for: how many rows they have.
pub(in super::super) fn secret_groups_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    keys: &Rc<SecretKeys<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    match method {
        Method::Table(TableMethod::GroupSizes) => {
            arguments.none("size")?;
            let counts = count_by_secret(state, keys)?;
            let sizes = figures_by_key(state, counts, keys.scalar, "size")?;
            Ok(tables::shape::shaped(state, sizes, Shape::of_rows()))
        }
        _ => Err(categories::refuse_choice("rows are grouped by", &keys.secret)),
    }
}

/// `groups.column.value_counts(normalize=…)`: how often each value occurs in each group.
pub(in super::super) fn groups_value_counts<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    normalized: bool,
) -> Outcome<Value<S>> {
    let Chosen::One(position) = groups.chosen else {
        let message = "the values of several columns are counted";
        return Err(Fault::hinted(Code::BadArgument, message, "choose one: `groups[\"disease\"].value_counts()`"));
    };
    let series = tables::frames::frame_column(state, &groups.frame, position)?;
    let members = groups.grouped.members();
    let mut counts: Vec<(Vec<Label>, Value<S>)> = Vec::new();
    let mut is_tied = false;
    for group in 0..members.count() {
        let rows = Rc::new(members.rows(group).to_vec());
        tables::spend_bytes(state, rows.len() * size_of::<u32>())?;
        let (column, index) =
            (tables::column::gathered(state, &series.column, Some(&rows))?, series.index.picked(&rows));
        let part = Rc::new(Series { name: series.name.clone(), column, index });
        let Value::Series(of_group) =
            tables::more::shares_of_values(state, &part, normalized, Listing::CommonestFirst, false)?
        else {
            continue;
        };
        let Index::Keys(keys) = &of_group.index else { continue };
        is_tied |= keys.shape.is_tied;
        for (label, value) in keys.labels.iter().zip(tables::column::cells(state, &of_group.column)?) {
            let key = groups.grouped.keys.labels[group].iter().chain(label).cloned().collect();
            counts.push((key, value));
        }
    }
    let is_secret = matches!(series.column, Column::Choices(_));
    let counts = figures_by_key(state, counts, false, if normalized { "proportion" } else { "count" })?;
    Ok(if is_secret { tables::shape::shaped(state, counts, Shape { is_tied, ..Shape::of_rows() }) } else { counts })
}

/// `normalize=True` or nothing, behind `value_counts`.
pub(in super::super) fn is_normalized<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<bool> {
    let [normalize] = arguments.bind("value_counts", ["normalize"], 0, 1)?;
    normalize.map_or(Ok(false), |normalize| compare::truth(state, normalize.value))
}

/// `pd.crosstab(…, normalize=…)`: shares of the rows, of the columns or of everybody. What is divided by must be public.
pub(in super::super) fn cross_shares<S: Scalar>(
    state: &mut State<S>,
    crossing: &Crossing<S>,
    normalize: Argument<'_, S>,
) -> Outcome<Value<S>> {
    let shown = text::show(state, normalize.value);
    let by = match (normalize.value, shown.as_str()) {
        (Value::Bool(false), _) => return tables::pivot::cross(state, crossing),
        (Value::Bool(true), _) | (Value::Text(_), "all") => Share::All,
        (Value::Text(_), "index") | (Value::Int(0), _) => Share::Rows,
        (Value::Text(_), "columns") | (Value::Int(1), _) => Share::Columns,
        _ => {
            let message = format!("`normalize` cannot be {shown}");
            let hint = "it must be \"index\", \"columns\" or \"all\"";
            return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(normalize.index));
        }
    };
    if crossing.values.is_some() {
        let message = "`normalize` is supported for counts only";
        let hint = "publish the figures themselves, or the counts without `values`";
        return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(normalize.index));
    }
    let totals = match by {
        Share::All => tables::pivot::cross_figures(state, crossing, &[])?,
        Share::Rows => tables::pivot::cross_figures(state, crossing, &crossing.rows)?,
        Share::Columns => tables::pivot::cross_figures(state, crossing, &crossing.columns)?,
    };
    if totals.values().any(|total| total.as_random().is_some()) {
        let message = "the shares are divided by a count that is secret";
        let hint = "divide by public counts: normalize over the public side, or publish the counts";
        return Err(Fault::hinted(Code::NonlinearFunction, message, hint).at_argument(normalize.index));
    }
    let crossed = tables::pivot::cross(state, crossing)?;
    let Value::Frame(handle) = crossed else { return Ok(crossed) };
    let mut frame = tables::frame(state, handle).clone();
    let Index::Keys(keys) = frame.index.clone() else { return tables::new_frame(state, frame) };
    let mut cells = Vec::with_capacity(frame.columns.len());
    for column in &frame.columns {
        cells.push(tables::column::cells(state, &column.column)?);
    }
    let is_secret = cells.iter().flatten().any(|cell| cell.as_random().is_some());
    if is_secret && has_missing_keys(state, crossing)? {
        let message = "shares of a secret are not supported with missing keys";
        let hint = "drop these rows first: `people.dropna()`";
        return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(normalize.index));
    }
    // pandas shows the margins that are shares themselves: below shares of rows those of everybody, and so on.
    let margins = usize::from(crossing.margins.is_some());
    let (height, width) = (keys.labels.len() - margins, frame.columns.len() - margins);
    let (shown_rows, shown_columns) = match by {
        Share::All => (height + margins, width + margins),
        Share::Rows => (height + margins, width),
        Share::Columns => (height, width + margins),
    };
    let everybody = tables::pivot::cross_figures(state, crossing, &[])?.remove([].as_slice());
    frame.columns.truncate(shown_columns);
    let labels = keys.labels[..shown_rows].to_vec();
    for (place, column) in frame.columns.iter_mut().enumerate() {
        let mut shares = Vec::with_capacity(shown_rows);
        for (row, key) in labels.iter().enumerate() {
            // A row that lacks one of its keys is in no cell, so it is in no total either.
            let total = match (is_secret, by, row < height && place < width) {
                (false, Share::All, true) => {
                    Some(total(state, cells[..width].iter().flat_map(|column| &column[..height]))?)
                }
                (false, Share::Rows, true) => Some(total(state, cells[..width].iter().map(|column| &column[row]))?),
                (false, Share::Columns, true) => Some(total(state, &cells[place][..height])?),
                (false, _, false) if row < height => Some(total(state, &cells[place][..height])?),
                (false, _, false) if place < width => {
                    Some(total(state, cells[..width].iter().map(|column| &column[row]))?)
                }
                (false, _, false) => Some(cells[place][row].clone()),
                (true, Share::Rows, true) => totals.get(key.as_slice()).cloned(),
                (true, Share::Columns, true) => totals.get(column.label.as_slice()).cloned(),
                (true, Share::All, true) | (true, _, false) => everybody.clone(),
            };
            shares.push(match total {
                // A row or column without anybody has no shares; pandas shows 0.
                Some(Value::Int(0)) => state.float(S::zero())?,
                Some(total) => arithmetic::binary(state, Binary::Divide, &cells[place][row], &total)?,
                None => Value::Missing,
            });
        }
        column.column = tables::column::column_of(state, shares)?;
    }
    frame.index = Index::Keys(Keys::shaped(labels, keys.scalar, keys.levels.clone(), keys.shape));
    tables::new_frame(state, frame)
}

/// The sum of public counts.
fn total<'c, S: Scalar + 'c>(state: &mut State<S>, cells: impl IntoIterator<Item = &'c Value<S>>) -> Outcome<Value<S>> {
    let mut total = Value::Int(0);
    for cell in cells {
        total = arithmetic::binary(state, Binary::Add, &total, cell)?;
    }
    Ok(total)
}

/// Whether a row of a cross table lacks one of its keys.
fn has_missing_keys<S: Scalar>(state: &mut State<S>, crossing: &Crossing<S>) -> Outcome<bool> {
    for series in crossing.rows.iter().chain(&crossing.columns) {
        let missing = match &series.column {
            Column::Choices(column) => column.may_be_missing() || (0..column.len()).any(|row| column.is_missing(row)),
            column => tables::column::cells(state, column)?.iter().any(|cell| matches!(cell, Value::Missing)),
        };
        if missing {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What can come out of a column, ascending; of categories all, in their order.
fn values_of<S: Scalar>(state: &State<S>, column: &ChoiceColumn<S>) -> Vec<Label> {
    if let Some(categories) = &column.categories {
        return categories.to_vec();
    }
    let mut values: Vec<Label> =
        column.all_values().filter_map(|value| tables::frames::label_of(state, value)).collect();
    values.sort();
    values.dedup();
    values
}

/// `column.value_counts(normalize=…, sort=…)` of a secret.
pub(in super::super) fn choice_value_counts<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    normalized: bool,
    listing: Listing,
) -> Outcome<Value<S>> {
    let Column::Choices(column) = &series.column else { return Err(categories::refuse_choice("counted", series)) };
    let keys = SecretKeys { public: Vec::new(), secret: series.clone(), place: 0, scalar: true };
    let mut counts = count_by_secret(state, &keys)?;
    let shape = match (&column.categories, listing) {
        // All of them, in an order that nobody's value decides.
        (Some(_), Listing::Unsorted) => Shape::default(),
        // What else decides the order of categories are their counts.
        (Some(_), Listing::CommonestFirst | Listing::RarestFirst) => Shape::of_rows(),
        (None, Listing::Unsorted) => Shape { is_tied: has_several(&counts), ..Shape::of_rows() },
        (None, Listing::CommonestFirst | Listing::RarestFirst) => {
            Shape { is_tied: has_ties(&counts), ..Shape::of_rows() }
        }
    };
    if normalized {
        if column.may_be_missing() {
            let message = format!("how many values {} has depends on the secret", series.shown_name());
            let hint = "a share of that would be a quotient of two secrets; publish the counts";
            return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
        }
        let present = (0..column.len()).filter(|row| !column.is_missing(*row)).count() as i64;
        for (_, count) in &mut counts {
            *count = match present {
                0 => Value::Missing,
                present => arithmetic::binary(state, Binary::Divide, count, &Value::Int(present))?,
            };
        }
    }
    let name = if normalized { "proportion" } else { "count" };
    let (labels, values): (Vec<Vec<Label>>, Vec<Value<S>>) = counts.into_iter().unzip();
    let level = Level { name: series.name.clone(), categories: column.categories.clone() };
    let levels = if level.categories.is_some() { vec![level] } else { Vec::new() };
    let index = Index::Keys(Keys::shaped(labels, true, levels, shape));
    let (name, column) = (Some(Rc::from(name)), tables::column::column_of(state, values)?);
    Ok(Value::Series(Rc::new(Series { name, column, index })))
}

/// Figures called by their keys.
pub(in super::super) fn figures_by_key<S: Scalar>(
    state: &mut State<S>,
    figures: Vec<(Vec<Label>, Value<S>)>,
    scalar: bool,
    name: &str,
) -> Outcome<Value<S>> {
    let (labels, values): (Vec<Vec<Label>>, Vec<Value<S>>) = figures.into_iter().unzip();
    let (column, index) = (tables::column::column_of(state, values)?, Index::Keys(Keys::new(labels, scalar)));
    Ok(Value::Series(Rc::new(Series { name: Some(Rc::from(name)), column, index })))
}
