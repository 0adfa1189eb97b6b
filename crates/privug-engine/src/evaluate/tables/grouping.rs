//! Which rows belong together.

use crate::sorting::CompactSort;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::super::fault::Outcome;
use super::super::state::State;
use super::categories::SecretKeys;
use super::column;
use super::{Column, Frame, Keys, Label, Level, Series, secret_decides};
use crate::evaluate::tables;
use crate::number::Scalar;
use privug_tables::table::NO_LABEL;

/// `frame.groupby(...)`: a frame and the group of each of its rows.
#[derive(Debug)]
pub(in super::super) struct GroupBy<S> {
    pub(super) frame: Frame<S>,
    /// The columns that were grouped by, which are no values.
    pub(super) by: Vec<Vec<Label>>,
    pub(super) chosen: Chosen,
    pub(super) grouped: Rc<Grouped>,
    /// Where rows are also told apart by a secret: then they can only be counted.
    pub(super) by_secret: Option<Rc<SecretKeys<S>>>,
    /// Whether the keys become columns (`as_index=False`).
    pub(super) keyless: bool,
    /// Whether tables that a function makes of the groups stand under their keys (`group_keys`).
    pub(super) puts_keys: bool,
}

/// Which columns of a grouping are looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Chosen {
    /// All but those that were grouped by.
    Rest,
    /// One, as a column.
    One(usize),
    /// Some, as a frame.
    Some(Vec<usize>),
}

/// The group of a row with a missing key: none.
pub(super) const NO_GROUP: u32 = u32::MAX;

impl Grouped {
    /// Groups that were found before.
    pub(super) fn of_codes(codes: Vec<u32>, keys: Rc<Keys>) -> Grouped {
        Grouped { codes, keys, members: OnceCell::new() }
    }
}

/// The groups of rows, ordered by their keys.
#[derive(Debug)]
pub(super) struct Grouped {
    /// The group of each row, or [`NO_GROUP`].
    pub(super) codes: Vec<u32>,
    pub(super) keys: Rc<Keys>,
    members: OnceCell<Members>,
}

impl Grouped {
    pub(super) fn members(&self) -> &Members {
        self.members.get_or_init(|| Members::new(&self.codes, self.keys.labels.len()))
    }
}

/// The rows of each group, in their order.
#[derive(Debug)]
pub(super) struct Members {
    rows: Vec<u32>,
    starts: Vec<usize>,
}

impl Members {
    /// A counting sort: one pass to count, one to place.
    fn new(codes: &[u32], count: usize) -> Members {
        let mut starts = vec![0; count + 1];
        for code in codes.iter().filter(|code| **code != NO_GROUP) {
            starts[*code as usize + 1] += 1;
        }
        for group in 0..count {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; starts[count]];
        for (row, code) in codes.iter().enumerate().filter(|(_, code)| **code != NO_GROUP) {
            let place = &mut next[*code as usize];
            rows[*place] = row as u32;
            *place += 1;
        }
        Members { rows, starts }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn rows(&self, group: usize) -> &[u32] {
        &self.rows[self.starts[group]..self.starts[group + 1]]
    }
}

/// One column's values as numbers in the order of the values.
struct Coded {
    codes: Vec<u32>,
    labels: Vec<Label>,
}

/// Groups rows by the values of columns. `scalar` says whether keys are single labels.
pub(super) fn group<S: Scalar>(state: &mut State<S>, columns: &[Rc<Series<S>>], scalar: bool) -> Outcome<Grouped> {
    group_gaps(state, columns, scalar, false)
}

/// The same; with `gaps_too` a missing value is a group of its own, behind the others.
pub(super) fn group_gaps<S: Scalar>(
    state: &mut State<S>,
    columns: &[Rc<Series<S>>],
    scalar: bool,
    gaps_too: bool,
) -> Outcome<Grouped> {
    let rows = columns.first().map_or(0, |column| column.len());
    // Codes, their order and their places in it.
    tables::spend_bytes(state, rows * 3 * size_of::<u32>())?;
    let mut codes = vec![0u32; rows];
    let mut keys: Vec<Vec<Label>> = vec![Vec::new()];
    for series in columns {
        tables::spend_rows(state, 3 * rows)?;
        let mut next = coded(state, series)?;
        if gaps_too && next.codes.contains(&NO_GROUP) {
            let last = next.labels.len() as u32;
            next.codes.iter_mut().filter(|code| **code == NO_GROUP).for_each(|code| *code = last);
            next.labels.push(Label::Missing);
        }
        (codes, keys) = combined(&codes, &keys, &next);
    }
    if codes.iter().all(|code| *code == NO_GROUP) {
        keys.clear();
    }
    state.budget.spend_elements(keys.len() as u64 * (columns.len() as u64 + 2))?;
    let levels: Vec<Level> = columns.iter().map(|series| level_of(series)).collect();
    let is_own = |level: &Level| level.categories.as_ref().is_some_and(|labels| !labels.is_sorted());
    state.tables.own_order |= levels.iter().any(is_own);
    Ok(Grouped { codes, keys: Keys::of_levels(keys, scalar, levels), members: OnceCell::new() })
}

fn coded<S: Scalar>(state: &State<S>, series: &Series<S>) -> Outcome<Coded> {
    Ok(match &series.column {
        Column::Own(_) => return Err(super::everybodys_own("rows are grouped by it")),
        Column::Random(_) | Column::Choices(_) => {
            return Err(secret_decides("rows are grouped", &series.shown_name()));
        }
        Column::Texts { codes, labels, words } => {
            let mut used = vec![false; labels.len()];
            codes.iter().filter(|code| **code != NO_LABEL).for_each(|code| used[*code as usize] = true);
            let mut present: Vec<u32> = (0..labels.len() as u32).filter(|code| used[*code as usize]).collect();
            if !words.has_order() {
                present.sort_compact_by(|a, b| labels[*a as usize].cmp(&labels[*b as usize]));
            }
            let mut ranks = vec![0u32; labels.len()];
            for (rank, code) in present.iter().enumerate() {
                ranks[*code as usize] = rank as u32;
            }
            let codes = codes.iter().map(|code| ranks.get(*code as usize).copied().unwrap_or(NO_GROUP)).collect();
            Coded { codes, labels: present.iter().map(|code| Label::Text(labels[*code as usize].clone())).collect() }
        }
        Column::Integers(values) => coded_by(values.iter().copied().map(Some), |value| Label::Int(*value)),
        Column::Booleans(values) => coded_by(values.iter().copied().map(Some), |value| Label::Bool(*value)),
        Column::Numbers(values) => {
            // By its bits: the order of labels, not of bits, decides.
            coded_by(values.iter().map(|value| Some(value.to_f64().to_bits())), |bits| {
                Label::Number(f64::from_bits(*bits))
            })
        }
        Column::Cells(values) => {
            let labels: Vec<Option<Label>> =
                (0..values.len()).map(|row| column::row_label(state, series, row)).collect::<Outcome<_>>()?;
            coded_by(labels.into_iter(), Label::clone)
        }
    })
}

/// What a column is as a part of keys.
pub(super) fn level_of<S: Scalar>(series: &Series<S>) -> Level {
    let categories = match &series.column {
        Column::Texts { labels, words, .. } if words.has_order() => {
            Some(Rc::new(labels.iter().cloned().map(Label::Text).collect()))
        }
        _ => None,
    };
    Level { name: series.name.clone(), categories }
}

/// Numbers distinct values in the order of their labels; `None` is a missing one.
fn coded_by<T: Clone + Eq + std::hash::Hash>(
    values: impl Iterator<Item = Option<T>>,
    label: impl Fn(&T) -> Label,
) -> Coded {
    let mut seen: HashMap<T, u32> = HashMap::new();
    let mut labels: Vec<Label> = Vec::new();
    let mut codes: Vec<u32> = values
        .map(|value| {
            let Some(value) = value else { return NO_GROUP };
            match seen.get(&value) {
                Some(code) => *code,
                None => {
                    let code = labels.len() as u32;
                    labels.push(label(&value));
                    seen.insert(value, code);
                    code
                }
            }
        })
        .collect();
    let mut order: Vec<u32> = (0..labels.len() as u32).collect();
    order.sort_compact_by(|a, b| labels[*a as usize].cmp(&labels[*b as usize]));
    let mut ranks = vec![0u32; labels.len()];
    for (rank, code) in order.iter().enumerate() {
        ranks[*code as usize] = rank as u32;
    }
    codes.iter_mut().filter(|code| **code != NO_GROUP).for_each(|code| *code = ranks[*code as usize]);
    let labels = order.iter().map(|code| labels[*code as usize].clone()).collect();
    Coded { codes, labels }
}

/// Groups within groups; only those that occur, in the order of their keys.
fn combined(codes: &[u32], keys: &[Vec<Label>], next: &Coded) -> (Vec<u32>, Vec<Vec<Label>>) {
    /// Up to this many possible groups are counted in a table.
    const TABLE_LIMIT: u64 = 1 << 22;
    let width = next.labels.len() as u64;
    // `None` where a part of the key is missing.
    let pair = |row: usize| {
        let complete = codes[row] != NO_GROUP && next.codes[row] != NO_GROUP;
        complete.then(|| u64::from(codes[row]) * width + u64::from(next.codes[row]))
    };
    let possible = keys.len() as u64 * width;
    let mut present: Vec<u64>;
    let new_codes: Vec<u32>;
    if possible <= TABLE_LIMIT {
        let mut used = vec![false; possible as usize];
        (0..codes.len()).filter_map(pair).for_each(|pair| used[pair as usize] = true);
        present = (0..possible).filter(|pair| used[*pair as usize]).collect();
        let mut ranks = vec![0u32; possible as usize];
        for (rank, pair) in present.iter().enumerate() {
            ranks[*pair as usize] = rank as u32;
        }
        new_codes = (0..codes.len()).map(|row| pair(row).map_or(NO_GROUP, |pair| ranks[pair as usize])).collect();
    } else {
        present = (0..codes.len()).filter_map(pair).collect();
        present.sort_unstable();
        present.dedup();
        let rank = |pair: u64| present.partition_point(|other| *other < pair) as u32;
        new_codes = (0..codes.len()).map(|row| pair(row).map_or(NO_GROUP, rank)).collect();
    }
    let key = |pair: &u64| {
        let mut key = keys[(pair / width) as usize].clone();
        key.push(next.labels[(pair % width) as usize].clone());
        key
    };
    (new_codes, present.iter().map(key).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_ordered_by_their_keys_and_only_those_that_occur() {
        let first = coded_by([3, 1, 3, 1].into_iter().map(Some), |value| Label::Int(*value));
        let (codes, keys) = combined(&[0; 4], &[Vec::new()], &first);
        let second = coded_by(["b", "b", "a", "b"].into_iter().map(Some), |text| Label::text(text));
        let (codes, keys) = combined(&codes, &keys, &second);
        assert_eq!(codes, [2, 0, 1, 0]);
        let shown: Vec<String> = keys.iter().map(|key| super::super::label_text(key)).collect();
        assert_eq!(shown, ["1, b", "3, a", "3, b"]);
        let members = Members::new(&codes, keys.len());
        assert_eq!(
            (members.rows(0), members.rows(1), members.rows(2)),
            ([1, 3].as_slice(), [2].as_slice(), [0].as_slice())
        );
    }

    #[test]
    fn rows_with_a_missing_key_are_in_no_group() {
        let first = coded_by([Some(3), None, Some(1), Some(3)].into_iter(), |value| Label::Int(*value));
        let (codes, keys) = combined(&[0; 4], &[Vec::new()], &first);
        let second = coded_by([Some("a"), Some("a"), None, Some("b")].into_iter(), |text| Label::text(text));
        let (codes, keys) = combined(&codes, &keys, &second);
        assert_eq!(codes, [0, NO_GROUP, NO_GROUP, 1]);
        let members = Members::new(&codes, keys.len());
        assert_eq!((members.rows(0), members.rows(1)), ([0].as_slice(), [3].as_slice()));
    }
}
