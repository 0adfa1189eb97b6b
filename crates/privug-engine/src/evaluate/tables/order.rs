//! Rows by their order: `sort_values`, `sort_index`, `head`, `tail`, `iloc` and slices.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Accessor, Column, Frame, Index, Label, Series, secret_decides};
use super::{column, dates, derived, frames, grouping, lookup, merge, shape, slices, texts};
use crate::evaluate::{compare, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// What rows are put in order by: the rank of each row's value, and whether larger ones come first.
struct By {
    ranks: Vec<Option<u32>>,
    descending: bool,
}

/// `frame.sort_values(by, ascending=True)`
pub(super) fn sorted_frame<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let parameters = ["by", "ascending", "na_position", "ignore_index", "kind"];
    let [by, ascending, first, renumber, kind] = arguments.bind("sort_values", parameters, 1, 1)?;
    let names = derived::names(state, given(by)?.value)?;
    let ascending = directions(state, ascending.map(|each| each.value), names.len())?;
    // By one column pandas sorts with an algorithm that may swap equal rows.
    let kind = kind.map(|kind| text::show(state, kind.value));
    let is_stable = names.len() > 1 || matches!(kind.as_deref(), Some("stable" | "mergesort"));
    let mut all = Vec::new();
    for (name, ascending) in names.iter().zip(ascending) {
        let position = frames::column_position(frame, name)?;
        let series = frames::frame_column(state, frame, position)?;
        all.push(self::by(state, &series, !ascending)?);
    }
    let missing_first = first.is_some_and(|first| text::show(state, first.value) == "first");
    let order = ordered(state, frame.len(), &all, missing_first, is_stable)?;
    let sorted = frames::some_rows(state, frame, Rc::new(order))?;
    if derived::flag(state, renumber, false)? {
        let reset = derived::reset_frame(state, &sorted, true, None)?;
        return tables::new_frame(state, reset);
    }
    tables::new_frame(state, sorted)
}

/// `column.sort_values(ascending=True)`
pub(super) fn sorted_series<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [ascending, kind] = arguments.bind("sort_values", ["ascending", "kind"], 0, 0)?;
    let kind = kind.map(|kind| text::show(state, kind.value));
    let is_stable = matches!(kind.as_deref(), Some("stable" | "mergesort"));
    let flag = !derived::flag(state, ascending, true)?;
    let by = by(state, series, flag)?;
    let order = ordered(state, series.len(), &[by], false, is_stable)?;
    derived::values_at(state, series, order)
}

fn directions<S: Scalar>(state: &mut State<S>, ascending: Option<&Value<S>>, count: usize) -> Outcome<Vec<bool>> {
    match ascending {
        None => Ok(vec![true; count]),
        Some(list @ (Value::List(_) | Value::Tuple(_))) => {
            let all = containers::elements(state, list)?;
            if all.len() != count {
                return Err(Fault::new(Code::LengthMismatch, "there is one direction for each column"));
            }
            all.iter().map(|each| compare::truth(state, each)).collect()
        }
        Some(single) => Ok(vec![compare::truth(state, single)?; count]),
    }
}

fn by<S: Scalar>(state: &mut State<S>, series: &Series<S>, descending: bool) -> Outcome<By> {
    if series.column.is_secret() {
        return Err(secret_decides("rows are put in order", &series.shown_name()));
    }
    let grouped = grouping::group(state, &[Rc::new(series.clone())], true)?;
    let rank = |code: &u32| (*code != grouping::NO_GROUP).then_some(*code);
    Ok(By { ranks: grouped.codes.iter().map(rank).collect(), descending })
}

fn ordered<S: Scalar>(
    state: &mut State<S>,
    count: usize,
    all: &[By],
    missing_first: bool,
    is_stable: bool,
) -> Outcome<Vec<u32>> {
    state.budget.spend_steps((count as u64).saturating_mul(u64::from(count.max(2).ilog2())))?;
    let compare = |a: usize, b: usize| {
        all.iter().fold(Ordering::Equal, |order, by| {
            order.then_with(|| match (by.ranks[a], by.ranks[b]) {
                (Some(a), Some(b)) if by.descending => b.cmp(&a),
                (Some(a), Some(b)) => a.cmp(&b),
                (None, None) => Ordering::Equal,
                (None, Some(_)) if missing_first => Ordering::Less,
                (Some(_), None) if missing_first => Ordering::Greater,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
            })
        })
    };
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|a, b| compare(*a as usize, *b as usize));
    let has_ties = order.windows(2).any(|pair| compare(pair[0] as usize, pair[1] as usize).is_eq());
    if has_ties && !is_stable {
        // The default algorithm is free to swap equal rows.
        state.tables.unstable_order = true;
    }
    Ok(order)
}

/// `nlargest` and `nsmallest`: the first of equal rows come first.
pub(super) fn extreme_rows<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    largest: bool,
    count: i64,
) -> Outcome<Vec<u32>> {
    if series.column.is_secret() {
        return Err(super::not_linear(if largest { "nlargest" } else { "nsmallest" }));
    }
    if series.column.has_gaps() || matches!(series.column, Column::Texts { .. }) {
        let message = format!("{} has missing values or strings", series.shown_name());
        return Err(Fault::hinted(Code::BadArgument, message, "drop those rows first: `.dropna()`"));
    }
    let by = by(state, series, largest)?;
    let mut order = ordered(state, series.len(), &[by], false, true)?;
    order.truncate(count.max(0) as usize);
    Ok(order)
}

/// `column.reindex([...])`: the values of these keys, missing ones where there is no such key.
pub(super) fn reindexed<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [labels, fill] = arguments.bind("reindex", ["index|labels", "fill_value"], 1, 1)?;
    let Index::Keys(keys) = &series.index else {
        return Err(Fault::new(Code::BadArgument, "`reindex` goes by the keys of groups here"));
    };
    let mut rows = Vec::new();
    let mut wanted = Vec::new();
    let is_date = |labels: &Vec<Label>| matches!(labels.as_slice(), [Label::Text(text)] if dates::is_instant(text));
    let are_dates = !keys.labels.is_empty() && keys.labels.iter().all(is_date);
    for label in containers::elements(state, given(labels)?.value)? {
        let Some(mut label) = frames::key_labels(state, &label) else {
            return Err(Fault::new(Code::TypeMismatch, format!("there is no row with the label {}", label.kind())));
        };
        // A date may be written in several ways.
        if let ([Label::Text(text)], true) = (label.as_slice(), are_dates)
            && let Some(date) = dates::instant(text)
        {
            label = vec![Label::text(&date)];
        }
        rows.push(keys.position(&label).map(|place| place as u32));
        wanted.push(label);
    }
    let mut seen = std::collections::HashSet::new();
    if !wanted.iter().all(|label| seen.insert(label.clone())) {
        return Err(Fault::new(Code::BadArgument, "a key is wanted twice"));
    }
    let column = match fill {
        None => merge::picked_or_missing(state, &series.column, &rows)?,
        Some(fill) => {
            let mut values = Vec::with_capacity(rows.len());
            for row in &rows {
                values.push(match row {
                    Some(row) => column::cell(state, &series.column, *row as usize)?,
                    None => fill.value.clone(),
                });
            }
            column::column_of(state, values)?
        }
    };
    let index = Index::Keys(super::Keys::of_levels(wanted, keys.scalar, keys.levels.clone()));
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
}

/// Which rows come first among equal ones is up to the algorithm: what depends on it is not published.
pub(super) fn refuse_unstable<S: Scalar>(state: &State<S>) -> Outcome<()> {
    if !state.tables.unstable_order {
        return Ok(());
    }
    let message = "which rows come first is not defined: the sort column has equal values";
    let hint = "sort with `kind=\"stable\"`, or by another column as well";
    Err(Fault::hinted(Code::BadArgument, message, hint))
}

/// Whether `sort_index` is asked to sort the columns.
pub(super) fn by_columns<S: Scalar>(state: &State<S>, arguments: &Arguments<'_, S>) -> Outcome<bool> {
    let [_, axis] = arguments.bind("sort_index", ["ascending", "axis"], 0, 0)?;
    Ok(axis.is_some_and(|axis| matches!(axis.value, Value::Int(1)) || text::show(state, axis.value) == "columns"))
}

/// `frame.sort_index(axis=1)`: the columns in the order of their names.
pub(super) fn columns_in_order<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [ascending, _] = arguments.bind("sort_index", ["ascending", "axis"], 0, 0)?;
    let ascending = derived::flag(state, ascending, true)?;
    let is_text = |label: &Label| matches!(label, Label::Text(_));
    let first = frame.columns.first().map(|column| column.label.iter().map(is_text).collect::<Vec<bool>>());
    let is_like = |column: &super::FrameColumn<S>| {
        Some(column.label.iter().map(is_text).collect::<Vec<bool>>()) == first
            && !column.label.iter().any(|label| matches!(label, Label::Missing))
    };
    if !frame.columns.iter().all(is_like) {
        let hint = "choose them in the order that is wanted: `table[[...]]`";
        return Err(Fault::hinted(Code::TypeMismatch, "names of columns of different kinds have no order", hint));
    }
    let has_own_order = |column: &super::FrameColumn<S>| match &column.column {
        Column::Texts { labels, words, .. } => words.has_order() && !labels.is_sorted(),
        _ => false,
    };
    // Names of columns do not say any more whether they were categories.
    let is_own =
        state.tables.own_order || state.heap.frames.iter().any(|frame| frame.columns.iter().any(has_own_order));
    if is_own && first.is_some_and(|first| first.contains(&true)) {
        let hint = "choose them in the order that is wanted: `table[[...]]`";
        return Err(Fault::hinted(
            Code::BadArgument,
            "the names of columns may be categories with an order of their own",
            hint,
        ));
    }
    let mut sorted = frame.clone();
    sorted.columns.sort_by(|a, b| if ascending { a.label.cmp(&b.label) } else { b.label.cmp(&a.label) });
    tables::new_frame(state, sorted)
}

/// `sort_index(ascending=True)` of a column or a frame.
pub(super) fn index_order<S: Scalar>(
    state: &mut State<S>,
    index: &Index,
    arguments: &Arguments<'_, S>,
) -> Outcome<Vec<u32>> {
    let [ascending, axis] = arguments.bind("sort_index", ["ascending", "axis"], 0, 0)?;
    if axis.is_some_and(|axis| !matches!(axis.value, Value::Int(0)) && text::show(state, axis.value) != "index") {
        return Err(Fault::new(Code::BadArgument, "`sort_index` sorts the rows of a column (axis 0)"));
    }
    let ascending = derived::flag(state, ascending, true)?;
    derived::refuse_alike(index)?;
    let mut order: Vec<u32> = (0..index.len() as u32).collect();
    state.budget.spend_steps((order.len() as u64).saturating_mul(u64::from(order.len().max(2).ilog2())))?;
    match index {
        Index::Keys(keys) => order.sort_by(|a, b| {
            let order = keys.order(&keys.labels[*a as usize], &keys.labels[*b as usize]);
            if ascending { order } else { order.reverse() }
        }),
        Index::Rows { rows: Some(rows), .. } => order.sort_by_key(|at| {
            let row = i64::from(rows[*at as usize]);
            if ascending { row } else { -row }
        }),
        Index::Rows { .. } | Index::Positions(_) if ascending => {}
        Index::Rows { .. } | Index::Positions(_) => order.reverse(),
    }
    Ok(order)
}

/// `head(n)` (from the start) and `tail(n)`: which positions.
pub(super) fn end_positions<S: Scalar>(
    state: &mut State<S>,
    from_start: bool,
    count: usize,
    arguments: &Arguments<'_, S>,
) -> Outcome<Vec<u32>> {
    refuse_unstable(state)?;
    let [wanted] = arguments.bind(if from_start { "head" } else { "tail" }, ["n"], 0, 1)?;
    let wanted = wanted.map_or(Ok(5), |wanted| containers::whole(wanted.value, "the number of rows"))?;
    let taken =
        if wanted < 0 { count.saturating_sub(wanted.unsigned_abs() as usize) } else { (wanted as usize).min(count) };
    let range = if from_start { 0..taken } else { count - taken..count };
    Ok(range.map(|position| position as u32).collect())
}

/// `object[a:b]`, `object.iloc[a:b]`
pub(in super::super) fn slice_table<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    bounds: &[Value<S>],
) -> Outcome<Value<S>> {
    shape::refuse_secret_shape(state, object, "places are looked up in")?;
    let slice = Value::Slice(state.new_sequence(bounds.to_vec())?);
    match object {
        Value::Loc(accessed) if accessed.accessor == Accessor::Iloc => at_positions(state, &accessed.value, &slice),
        Value::Loc(accessed) if accessed.accessor == Accessor::Text => {
            texts::text_slice(state, &accessed.value, bounds)
        }
        Value::Loc(accessed) if accessed.accessor == Accessor::Loc => {
            slices::located_slice(state, &accessed.value, bounds)
        }
        // Numbers in brackets are positions, unless the rows are called by numbers.
        Value::Frame(_) | Value::Series(_)
            if bounds.iter().all(|bound| matches!(bound, Value::None | Value::Int(_))) =>
        {
            at_positions(state, object, &slice)
        }
        other => {
            let message = format!("{} cannot be sliced like this", other.kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "choose rows by a mask, or with `.iloc[a:b]`"))
        }
    }
}

/// `object.iloc[index]`
pub(super) fn at_positions<S: Scalar>(state: &mut State<S>, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
    refuse_unstable(state)?;
    if let (Value::Tuple(handle), Value::Frame(_)) = (index, object)
        && let [rows, columns] = state.heap.sequence(*handle)
    {
        let (rows, columns) = (rows.clone(), columns.clone());
        let (chosen, single) = match object {
            Value::Frame(handle) => {
                let given = tables::frame(state, *handle).columns.len();
                positions_of(state, &columns, given)?
            }
            _ => (Vec::new(), false),
        };
        let Value::Frame(handle) = object else { return Ok(Value::None) };
        let frame = tables::frame(state, *handle).clone();
        if single {
            let series = frames::frame_column(state, &frame, chosen[0] as usize)?;
            return at_positions(state, &Value::Series(series), &rows);
        }
        let columns = chosen.iter().map(|at| frame.columns[*at as usize].clone()).collect();
        let part = tables::new_frame(state, Frame { index: frame.index.clone(), columns })?;
        return at_positions(state, &part, &rows);
    }
    match object {
        Value::Series(series) => {
            let (positions, single) = positions_of(state, index, series.len())?;
            if single {
                return column::cell(state, &series.column, positions[0] as usize);
            }
            derived::values_at(state, series, positions)
        }
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            let (positions, single) = positions_of(state, index, frame.len())?;
            if single {
                return lookup::frame_row(state, &frame, positions[0] as usize);
            }
            derived::rows_at(state, &frame, positions)
        }
        other => Err(Fault::new(Code::TypeMismatch, format!("{} has no `.iloc`", other.kind()))),
    }
}

/// The positions that an index means, and whether it is a single one.
fn positions_of<S: Scalar>(state: &mut State<S>, index: &Value<S>, count: usize) -> Outcome<(Vec<u32>, bool)> {
    let place = |at: i64| {
        let from_start = if at < 0 { at + count as i64 } else { at };
        match usize::try_from(from_start).ok().filter(|at| *at < count) {
            Some(at) => Ok(at as u32),
            None => Err(Fault::new(Code::IndexOutOfRange, format!("there is no position {at}"))),
        }
    };
    match index {
        Value::Slice(handle) => {
            let bounds = state.heap.sequence(*handle).to_vec();
            let (first, step, length) = containers::slice_bounds(&bounds, count)?;
            tables::spend_rows(state, length)?;
            let at = |place: usize| (first as isize + step * place as isize) as u32;
            Ok(((0..length).map(at).collect(), false))
        }
        Value::Int(at) | Value::NumpyInt(at) => Ok((vec![place(*at)?], true)),
        Value::List(_) | Value::Array(_) => {
            let values = containers::elements(state, index)?;
            if values.iter().any(|value| matches!(value, Value::Bool(_) | Value::NumpyBool(_))) {
                let hint = "choose rows by a mask in brackets: `p[mask]`";
                return Err(Fault::hinted(Code::TypeMismatch, "`.iloc` takes positions here", hint));
            }
            let mut positions = Vec::with_capacity(values.len());
            for value in &values {
                positions.push(place(containers::whole(value, "a position")?)?);
            }
            let mut seen = std::collections::HashSet::new();
            if !positions.iter().all(|at| seen.insert(*at)) {
                return Err(Fault::new(Code::BadArgument, "a row is chosen twice"));
            }
            Ok((positions, false))
        }
        other => {
            let message = format!("`.iloc` takes positions and slices, not {}", other.kind());
            Err(Fault::new(Code::TypeMismatch, message))
        }
    }
}

/// `first` and `last` of each group: of public columns and of the secret alike, the first value that is there.
pub(super) fn end_of_rows<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    rows: &[u32],
    first: bool,
) -> Outcome<Value<S>> {
    if series.index.sizes().is_some() {
        return Err(super::not_of_groups("the first or last of some rows"));
    }
    refuse_unstable(state)?;
    let mut present = rows.iter().map(|row| *row as usize).filter(|row| !series.column.is_missing(*row));
    let found = if first { present.next() } else { present.next_back() };
    found.map_or(Ok(Value::Missing), |row| column::cell(state, &series.column, row))
}

/// The frame as a column, if it has only one; its only value, if that has one row.
pub(super) fn squeezed<S: Scalar>(state: &mut State<S>, frame: &Frame<S>) -> Outcome<Value<S>> {
    match (frame.columns.len(), frame.len()) {
        (1, 1) => {
            let series = frames::frame_column(state, frame, 0)?;
            column::cell(state, &series.column, 0)
        }
        (1, _) => frames::frame_column(state, frame, 0).map(Value::Series),
        (_, 1) => lookup::frame_row(state, frame, 0),
        _ => tables::new_frame(state, frame.clone()),
    }
}

/// Whether two columns hold the same kind of values, as far as joining them is concerned.
pub(super) fn alike<S: Scalar>(a: &Column<S>, b: &Column<S>) -> bool {
    let is_text = |column: &Column<S>| matches!(column, Column::Texts { .. });
    is_text(a) == is_text(b)
}
