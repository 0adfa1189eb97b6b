//! Rows of different columns that belong together: pandas matches them by what they are called.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::merge;
use super::{Column, Index, Keys, Label, Level, Series};
use crate::evaluate::tables;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// The rows of a column that belong to those of a result; `None` where it has none.
pub(super) type Places = Vec<Option<u32>>;

/// The rows of several columns together, and where each column has them.
pub(super) type United = (Index, Vec<Places>);

/// In which order the rows of several columns come together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// In that of their labels, as in arithmetic and in `pd.DataFrame({...})`.
    Sorted,
    /// As they first occur, as in `pd.concat(axis=1)`.
    Occurring,
}

/// The numbers that rows are called by, unless some are called alike or stand for many people.
fn row_numbers(index: &Index) -> Option<Vec<u32>> {
    let Index::Rows { rows, count, sizes: None, .. } = index else { return None };
    let Some(rows) = rows else { return Some((0..*count as u32).collect()) };
    let mut seen = HashSet::with_capacity(rows.len());
    rows.iter().all(|row| seen.insert(*row)).then(|| rows.to_vec())
}

/// Each label's place, unless two are the same.
fn places_of<T: std::hash::Hash + Eq + Clone>(labels: &[T]) -> Option<HashMap<T, u32>> {
    let places: HashMap<T, u32> = labels.iter().cloned().zip(0..).collect();
    (places.len() == labels.len()).then_some(places)
}

/// All labels of several lists, each once.
fn together<T: std::hash::Hash + Ord + Clone>(lists: &[Vec<T>], order: Order) -> Vec<T> {
    let mut seen = HashSet::new();
    let mut all: Vec<T> = lists.iter().flatten().filter(|label| seen.insert((*label).clone())).cloned().collect();
    if order == Order::Sorted {
        all.sort_unstable();
    }
    all
}

/// Where each list has the labels of all of them.
fn looked_up<T: std::hash::Hash + Eq + Clone>(lists: &[Vec<T>], all: &[T]) -> Option<Vec<Places>> {
    lists
        .iter()
        .map(|labels| places_of(labels).map(|places| all.iter().map(|label| places.get(label).copied()).collect()))
        .collect()
}

/// Rows of tables, called by their numbers.
fn united_rows(indices: &[&Index], order: Order) -> Option<United> {
    let lists: Vec<Vec<u32>> = indices.iter().map(|index| row_numbers(index)).collect::<Option<_>>()?;
    let all = together(&lists, order);
    let places = looked_up(&lists, &all)?;
    let Index::Rows { table, count, .. } = indices[0] else { return None };
    let same_table = indices.iter().all(|index| matches!(index, Index::Rows { table: other, .. } if other == table));
    if same_table {
        let count = if all.iter().any(|row| *row as usize >= *count) { all.len() } else { *count };
        return Some((Index::Rows { table: *table, rows: Some(Rc::new(all)), count, sizes: None }, places));
    }
    // Of different tables: the rows of the result are those of the one that has all of them, in its order.
    let whole = lists.iter().position(|list| *list == all)?;
    Some((indices[whole].clone(), places))
}

/// What one kind of labels a part of all keys has; pandas sorts no others.
fn is_sortable(lists: &[&Rc<Keys>], part: usize) -> bool {
    let mut kinds = lists.iter().flat_map(|keys| keys.labels.iter()).filter_map(|labels| labels.get(part)).map(
        |label| match label {
            Label::Text(_) => 0,
            Label::Bool(_) => 1,
            Label::Int(_) | Label::Number(_) => 2,
            Label::Missing => 3,
        },
    );
    kinds.next().is_none_or(|first| kinds.all(|kind| kind == first))
}

/// Keys of groups.
fn united_keys(indices: &[&Index], order: Order) -> Option<United> {
    let keys: Vec<&Rc<Keys>> = indices
        .iter()
        .map(|index| if let Index::Keys(keys) = index { Some(keys) } else { None })
        .collect::<Option<_>>()?;
    let (first, depth) = (keys[0], keys[0].depth());
    let alike =
        keys.iter().all(|other| other.scalar == first.scalar && other.depth() == depth && !other.labels.is_empty());
    let ordered = keys.iter().flat_map(|keys| &keys.levels).any(|level| level.categories.is_some());
    let names = |keys: &Keys| (0..depth).map(|part| keys.level(part).name).collect::<Vec<_>>();
    let named_alike = keys.iter().all(|other| names(other) == names(first));
    // Keys of several parts with other names are matched in another way by pandas.
    if !alike || ordered || (depth > 1 && !named_alike) || !(0..depth).all(|part| is_sortable(&keys, part)) {
        return None;
    }
    let lists: Vec<Vec<Vec<Label>>> = keys.iter().map(|keys| keys.labels.clone()).collect();
    let all = together(&lists, order);
    let places = looked_up(&lists, &all)?;
    let levels = if named_alike { first.levels.clone() } else { vec![Level::default(); depth] };
    Some((Index::Keys(Keys::of_levels(all, first.scalar, levels)), places))
}

/// The rows of several columns together; `None` where it is not known how pandas matches them.
pub(super) fn united(indices: &[&Index], order: Order) -> Option<United> {
    match indices.first()? {
        Index::Rows { .. } => united_rows(indices, order),
        Index::Keys(_) => united_keys(indices, order),
        Index::Positions(_) => None,
    }
}

/// Where a column that is put beside others has their rows.
fn placed(column: &Index, beside: &Index) -> Option<Places> {
    match (column, beside) {
        (Index::Rows { .. }, Index::Rows { rows, count, sizes: None, .. }) => {
            let places = places_of(&row_numbers(column)?)?;
            let own = rows.as_ref().map_or_else(|| (0..*count as u32).collect(), |rows| rows.to_vec());
            Some(own.iter().map(|row| places.get(row).copied()).collect())
        }
        (Index::Keys(column), Index::Keys(beside)) if column.scalar == beside.scalar => {
            let places = places_of(&column.labels)?;
            Some(beside.labels.iter().map(|labels| places.get(labels).copied()).collect())
        }
        _ => None,
    }
}

/// The rows of a column at places, with gaps where it has none.
pub(super) fn column_at<S: Scalar>(state: &mut State<S>, column: &Column<S>, places: &Places) -> Outcome<Column<S>> {
    let has_gaps = places.iter().any(Option::is_none);
    if let (Column::Booleans(_) | Column::Choices(_), true) = (column, has_gaps) {
        let message = format!("{} are aligned with rows that some of them lack", column.kind());
        let hint = "take both from the same table or filter";
        return Err(Fault::hinted(Code::DifferentRows, message, hint));
    }
    merge::picked_or_missing(state, column, places)
}

/// Two columns of different rows as columns of the rows of both; `None` where it is not known how pandas matches them.
pub(super) fn matched<S: Scalar>(
    state: &mut State<S>,
    a: &Series<S>,
    b: &Series<S>,
) -> Outcome<Option<(Rc<Series<S>>, Rc<Series<S>>)>> {
    tables::spend_rows(state, a.len() + b.len())?;
    let Some((index, places)) = united(&[&a.index, &b.index], Order::Sorted) else { return Ok(None) };
    let mut sides = Vec::with_capacity(2);
    for (series, places) in [a, b].into_iter().zip(&places) {
        let column = column_at(state, &series.column, places)?;
        sides.push(Rc::new(Series { name: series.name.clone(), column, index: index.clone() }));
    }
    match (sides.pop(), sides.pop()) {
        (Some(second), Some(first)) => Ok(Some((first, second))),
        _ => Ok(None),
    }
}

/// A column as one of other rows; `None` where it is not known how pandas matches them.
pub(super) fn put_beside<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    beside: &Index,
) -> Outcome<Option<Column<S>>> {
    tables::spend_rows(state, series.len() + beside.len())?;
    match placed(&series.index, beside) {
        Some(places) => column_at(state, &series.column, &places).map(Some),
        None => Ok(None),
    }
}
