//! `.loc[a:b]`: rows and columns from one label to another, both of them included.

use std::collections::{HashMap, HashSet};

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::dates::is_instant;
use super::{Frame, Index, Keys, Label, label_text};
use super::{derived, frames, order, windows};
use crate::evaluate::{containers, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `object.loc[start:stop]` of a column or a table.
pub(super) fn located_slice<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    bounds: &[Value<S>],
) -> Outcome<Value<S>> {
    order::refuse_unstable(state)?;
    match object {
        Value::Series(series) => {
            let positions = positions_between(state, &series.index, bounds)?;
            derived::values_at(state, series, positions)
        }
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            let positions = positions_between(state, &frame.index, bounds)?;
            derived::rows_at(state, &frame, positions)
        }
        other => Err(Fault::new(Code::TypeMismatch, format!("{} has no `.loc`", other.kind()))),
    }
}

/// `frame.loc[:, "a":"c"]`
pub(super) fn columns_between<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    bounds: &[Value<S>],
) -> Outcome<Value<S>> {
    let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
    let keys = Keys::new(labels, true);
    let [start, stop] = self::bounds(state, bounds)?;
    let place = |label: Option<Label>, otherwise: usize| match label {
        None => Ok(otherwise),
        Some(label) => keys.position(std::slice::from_ref(&label)).ok_or_else(|| no_such_label(&label)),
    };
    let (first, last) = (place(start, 0)?, place(stop, frame.columns.len().saturating_sub(1))?);
    let columns = frame.columns.iter().take(last + 1).skip(first).cloned().collect();
    tables::new_frame(state, Frame { index: frame.index.clone(), columns })
}

fn bounds<S: Scalar>(state: &State<S>, bounds: &[Value<S>]) -> Outcome<[Option<Label>; 2]> {
    if !matches!(bounds.get(2), None | Some(Value::None)) {
        let hint = "choose rows by a mask, or with `.iloc[a:b:c]`";
        return Err(Fault::hinted(Code::BadArgument, "`.loc` is sliced without a step here", hint));
    }
    let label = |bound: Option<&Value<S>>| match bound {
        None | Some(Value::None) => Ok(None),
        Some(bound) => frames::label_of(state, bound)
            .map(Some)
            .ok_or_else(|| Fault::new(Code::TypeMismatch, format!("`.loc` cannot be sliced by {}", bound.kind()))),
    };
    Ok([label(bounds.first())?, label(bounds.get(1))?])
}

/// The rows from one label to another, in their order.
fn positions_between<S: Scalar>(state: &mut State<S>, index: &Index, bounds: &[Value<S>]) -> Outcome<Vec<u32>> {
    let [start, stop] = self::bounds(state, bounds)?;
    tables::spend_rows(state, index.len())?;
    let labels: Vec<Label> = match index {
        Index::Keys(keys) if !keys.scalar => {
            let hint = "choose them by a mask, or name the first label alone";
            return Err(Fault::hinted(Code::BadArgument, "rows with several labels are not sliced here", hint));
        }
        Index::Keys(keys) if keys.levels.iter().any(|level| level.categories.is_some()) => {
            let hint = "choose them by a mask";
            return Err(Fault::hinted(Code::BadArgument, "rows labelled by categories cannot be sliced", hint));
        }
        Index::Keys(keys) => keys.labels.iter().map(|key| key[0].clone()).collect(),
        Index::Rows { sizes: Some(_), .. } => return Err(super::not_of_groups("rows by their labels")),
        Index::Rows { rows: Some(rows), .. } => rows.iter().map(|row| Label::Int(i64::from(*row))).collect(),
        Index::Rows { count, .. } | Index::Positions(count) => (0..*count as i64).map(Label::Int).collect(),
    };
    let is_sorted = labels.windows(2).all(|pair| pair[0] < pair[1]);
    let are_dates = labels.iter().all(|label| matches!(label, Label::Text(text) if is_instant(text)));
    let kinds = |label: &Label| matches!(label, Label::Text(_));
    let mixed =
        [&start, &stop].into_iter().flatten().any(|bound| labels.iter().any(|label| kinds(label) != kinds(bound)));
    if mixed || labels.contains(&Label::Missing) {
        let hint = "choose rows by a mask";
        return Err(Fault::hinted(Code::TypeMismatch, "the row labels have a different type", hint));
    }
    if are_dates && !labels.is_empty() {
        return dates_between(&labels, start, stop, is_sorted);
    }
    // A label that is there is found; between labels in order there is a place for every other.
    let place = |label: &Label, behind: bool| match labels.iter().position(|known| known == label) {
        Some(place) if is_sorted || labels.iter().filter(|known| *known == label).count() == 1 => {
            Ok(place + usize::from(behind))
        }
        None if is_sorted => Ok(labels.partition_point(|known| known < label)),
        _ => Err(no_such_label(label)),
    };
    let first = start.as_ref().map_or(Ok(0), |label| place(label, false))?;
    let end = stop.as_ref().map_or(Ok(labels.len()), |label| place(label, true))?;
    Ok((first as u32..end.max(first) as u32).collect())
}

/// Dates are named by a day, a month or a year, to whose end a slice goes.
fn dates_between(labels: &[Label], start: Option<Label>, stop: Option<Label>, is_sorted: bool) -> Outcome<Vec<u32>> {
    let text = |label: Label| match label {
        Label::Text(text) if is_part_of_date(&text) => Ok(text),
        other => Err(no_such_label(&other)),
    };
    if !is_sorted {
        let hint = "put them in order first: `.sort_index()`";
        return Err(Fault::hinted(Code::BadArgument, "rows are sliced by dates that are not in order", hint));
    }
    let (start, stop) = (start.map(text).transpose()?, stop.map(text).transpose()?);
    let is_between = |label: &Label| {
        let Label::Text(date) = label else { return false };
        let begins = |bound: &str| date[..bound.len().min(date.len())].cmp(bound);
        let above = start.as_ref().is_none_or(|start| begins(start).is_ge());
        above && stop.as_ref().is_none_or(|stop| begins(stop).is_le())
    };
    Ok((0..labels.len() as u32).filter(|row| is_between(&labels[*row as usize])).collect())
}

/// The rows that are called by a list of numbers, such as the index of a part of the table.
pub(super) fn rows_called<S: Scalar>(state: &mut State<S>, index: &Index, labels: &Value<S>) -> Outcome<Vec<u32>> {
    windows::refuse_unstable_rows(state, index)?;
    derived::refuse_alike(index)?;
    let Index::Rows { rows, count, .. } = index else { return Err(Fault::new(Code::TypeMismatch, "rows with keys")) };
    tables::spend_rows(state, index.len())?;
    let places: HashMap<u32, u32> = match rows {
        Some(rows) => rows.iter().copied().zip(0..).collect(),
        None => (0..*count as u32).map(|row| (row, row)).collect(),
    };
    let labels = containers::elements(state, labels)?;
    let mut seen = HashSet::with_capacity(labels.len());
    let mut positions = Vec::with_capacity(labels.len());
    for label in &labels {
        let place = match label {
            Value::Int(row) => u32::try_from(*row).ok().and_then(|row| places.get(&row)),
            _ => None,
        };
        let Some(place) = place.filter(|place| seen.insert(**place)) else {
            let hint = "choose rows by a mask: `p.loc[p.age > 30]`";
            let message = "a list of rows holds something that calls no row, or one row twice";
            return Err(Fault::hinted(Code::MissingKey, message, hint));
        };
        positions.push(*place);
    }
    Ok(positions)
}

/// `t.loc[:, "F", :]`: the rows whose keys have the labels that are named, and which parts these are; `None` if every part is
/// a label, or something else than labels and `:`.
pub(super) fn rows_of_levels<S: Scalar>(
    state: &mut State<S>,
    keys: &Keys,
    parts: &[Value<S>],
) -> Outcome<Option<(Vec<u32>, Vec<bool>)>> {
    let is_all = |state: &State<S>, part: &Value<S>| match part {
        Value::Slice(bounds) => state.heap.sequence(*bounds).iter().all(|bound| matches!(bound, Value::None)),
        _ => false,
    };
    if keys.shape.is_secret()
        || parts.len() > keys.depth()
        || keys.depth() < 2
        || !parts.iter().any(|part| is_all(state, part))
    {
        return Ok(None);
    }
    let mut wanted: Vec<Option<Label>> = Vec::with_capacity(keys.depth());
    for part in parts {
        if is_all(state, part) {
            wanted.push(None);
            continue;
        }
        match frames::label_of(state, part) {
            Some(label) => wanted.push(Some(label)),
            None => return Ok(None),
        }
    }
    wanted.resize(keys.depth(), None);
    if let Some(absent) = wanted
        .iter()
        .enumerate()
        .find_map(|(at, label)| label.as_ref().filter(|label| !keys.labels.iter().any(|key| key[at] == **label)))
    {
        return Err(no_such_label(absent));
    }
    tables::spend_rows(state, keys.labels.len())?;
    let is_chosen =
        |key: &[Label]| key.iter().zip(&wanted).all(|(own, label)| label.as_ref().is_none_or(|it| it == own));
    let rows = (0..keys.labels.len() as u32).filter(|row| is_chosen(&keys.labels[*row as usize])).collect();
    Ok(Some((rows, wanted.iter().map(Option::is_some).collect())))
}

/// The rows of a month or a year, if the rows are called by dates.
pub(super) fn rows_of_period(index: &Index, key: &[Label]) -> Option<Vec<u32>> {
    let (Index::Keys(keys), [Label::Text(period)]) = (index, key) else { return None };
    let is_period = matches!(period.len(), 4 | 7) && is_part_of_date(period);
    let date = |labels: &Vec<Label>| match labels.as_slice() {
        [Label::Text(text)] if is_instant(text) => Some(text.clone()),
        _ => None,
    };
    if !is_period || !keys.labels.iter().all(|labels| date(labels).is_some()) {
        return None;
    }
    let rows: Vec<u32> = (0..keys.labels.len() as u32)
        .filter(|row| date(&keys.labels[*row as usize]).is_some_and(|text| text.starts_with(&**period)))
        .collect();
    (!rows.is_empty()).then_some(rows)
}

/// Whether a text is a year, a month or a day: `2024`, `2024-01`, `2024-01-31`.
fn is_part_of_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let widths = [4, 2, 2];
    (1..=3).contains(&parts.len()) && parts.iter().zip(widths).all(|(part, width)| is_number(part, width))
}

fn no_such_label(label: &Label) -> Box<Fault> {
    let hint = "choose rows by a mask, or name labels that are there";
    Fault::hinted(
        Code::MissingKey,
        format!("there is no row with the label `{}`", label_text(std::slice::from_ref(label))),
        hint,
    )
}
