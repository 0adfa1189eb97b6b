//! Whether numbers of people decide which figures are published, in which order, and how they are shown.
//!
//! `table.head(n)` has as many rows as there are heads in the east, and `round(mean, n)` as many decimals. So the function is
//! run on other rows. A group all of whose rows are kept has the same figures there, whoever else is left out; figures are
//! shown alike; their order is the same where the rows of some groups are there several times; and a group that appears where
//! its own rows are repeated, because it was too small before, does so wherever these are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::belief::Belief;
use super::other_rows::{is_in_half, times_of};
use super::results::Figure;
use crate::evaluate::value::Value;
use crate::network::{Affine, Network, NodeId};
use crate::number::Scalar;

/// How often the function is run on fewer rows.
const RUNS: u64 = 6;

/// How often it is run on all rows and some of them again: the order in which values first appear is the same there.
const ORDER_RUNS: u64 = 3;

/// Up to how many rows a function is run on others though it does not compute with counts that are known as such.
pub(super) const FEW_ROWS: usize = 20_000;

/// The people behind all figures together, each counted once for each: of more, only how figures are shown is compared.
const MOST_PEOPLE: usize = 1_000_000;

/// At most two fifths of the rows are in groups that stay as they are.
const MOST_KEPT: (usize, usize) = (2, 5);

/// What a run published.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// How figures are shown.
    pub(super) looks: BTreeSet<String>,
    /// The figures and counts, in their order.
    pub(super) figures: Vec<ToldFigure>,
}

/// A figure or count that a run published.
#[derive(Debug)]
pub(super) struct ToldFigure {
    name: String,
    /// The rows behind it, ascending; none where that is not known.
    rows: Vec<u32>,
    count: Option<i64>,
}

/// What a run published, of which `picked` are the rows of the table of people, by their places in the table of all.
pub(super) fn told<S: Scalar>(
    looks: BTreeSet<String>,
    figures: &[Figure<S>],
    (table, picked): (usize, &[u32]),
    secrets: &RowsOfNodes<'_, S>,
) -> Told {
    let mut left = MOST_PEOPLE;
    let rows_of = |figure: &Figure<S>, left: &mut usize| -> Vec<u32> {
        let mut rows: Vec<u32> = match &figure.value {
            Value::Counted(counted) if counted.table as usize == table => match &counted.rows {
                Some(rows) => rows.to_vec(),
                None => (0..picked.len() as u32).collect(),
            },
            value => value.as_random().map(|variable| secrets.behind(&variable, left)).unwrap_or_default(),
        };
        rows.iter_mut().for_each(|row| *row = picked[*row as usize]);
        rows.sort_unstable();
        rows.dedup();
        *left = left.saturating_sub(rows.len());
        rows
    };
    let mut told = Told { looks, figures: Vec::with_capacity(figures.len()) };
    for figure in figures {
        let count = match &figure.value {
            Value::Counted(counted) => Some(counted.count),
            Value::Int(number) => Some(*number),
            _ => None,
        };
        told.figures.push(ToldFigure { name: figure.name.clone(), rows: rows_of(figure, &mut left), count });
        if left == 0 {
            told.figures.clear();
            break;
        }
    }
    told
}

/// Which row of its table each secret is in.
pub(super) struct RowsOfNodes<'a, S> {
    pub(super) network: &'a Network<S>,
    rows: HashMap<NodeId, u32>,
    beliefs: &'a [Belief],
}

impl<'a, S: Scalar> RowsOfNodes<'a, S> {
    pub(super) fn new(
        network: &'a Network<S>,
        secrets: &[Affine<S>],
        rows: impl Iterator<Item = u32>,
        beliefs: &'a [Belief],
    ) -> Self {
        RowsOfNodes { network, rows: secrets.iter().map(|secret| secret.node).zip(rows).collect(), beliefs }
    }

    fn row(&self, node: NodeId) -> Option<u32> {
        let discrete = self.beliefs.iter().filter_map(|belief| match belief {
            Belief::Discrete(discrete) => Some(discrete),
            _ => None,
        });
        let indicated = discrete.filter_map(|discrete| discrete.indicated(node)).next();
        self.rows.get(&node).copied().or(indicated.map(|(row, _)| row as u32))
    }

    /// The rows that a figure depends on; `left` is how many parents may be looked at.
    fn behind(&self, variable: &Affine<S>, left: &mut usize) -> Vec<u32> {
        let (mut rows, mut seen, mut pending) = (Vec::new(), HashSet::new(), vec![variable.node]);
        while let Some(node) = pending.pop() {
            if let Some(row) = self.row(node) {
                rows.push(row);
                continue;
            }
            for (parent, _) in self.network.node(node).parents() {
                *left = left.saturating_sub(1);
                if seen.insert(parent) {
                    pending.push(parent);
                }
            }
            if *left == 0 {
                break;
            }
        }
        rows
    }
}

/// What depends on numbers of rows; `None` if nothing is known to. `told_on` tells what is published of some rows, of which
/// some may be there several times, and `None` where the function fails.
pub(super) fn depending(all: &Told, count: usize, told_on: impl Fn(&[u32]) -> Option<Told>) -> Option<String> {
    let sets: BTreeSet<&[u32]> = all.figures.iter().map(|figure| figure.rows.as_slice()).collect();
    for run in 0..RUNS {
        let kept = kept(run, &sets, count, run as usize);
        let picked: Vec<u32> = (0..count as u32).filter(|row| kept.contains(row) || is_in_half(run, *row)).collect();
        let found = match told_on(&picked) {
            Some(other) => on_fewer(all, &other, &kept, count),
            // Texts of public columns are trusted only where it is seen that they stay the same.
            None => all.looks.iter().any(|look| look.starts_with(TEXT)).then(|| WHICH.to_owned()),
        };
        if found.is_some() {
            return found;
        }
    }
    for run in 0..ORDER_RUNS {
        let kept = kept(run, &sets, count, RUNS as usize * 2 / 3);
        let other = told_on(&repeated(count, times_of(count).max(2), &kept));
        if let Some(found) = other.and_then(|other| order(all, &other)) {
            return Some(found);
        }
    }
    on_more(all, count, &told_on)
}

/// All rows, and after them those that are not kept as they are again, so that each is there so many times.
fn repeated(count: usize, times: usize, kept: &HashSet<u32>) -> Vec<u32> {
    let more = (1..times).flat_map(|_| (0..count as u32).filter(|row| !kept.contains(row)));
    (0..count as u32).chain(more).collect()
}

/// The rows of some groups: of one, and of others up to a share that grows with the runs.
fn kept(run: u64, sets: &BTreeSet<&[u32]>, count: usize, share: usize) -> HashSet<u32> {
    let most = count * MOST_KEPT.0 / MOST_KEPT.1;
    let mut groups: Vec<(u64, &&[u32])> = sets
        .iter()
        .filter(|rows| !rows.is_empty() && rows.len() <= most)
        .enumerate()
        .map(|(place, rows)| (super::other_rows::mixed(run, place as u32), rows))
        .collect();
    groups.sort_unstable();
    let mut kept: HashSet<u32> = HashSet::new();
    for (_, rows) in groups {
        if kept.is_empty() || kept.len() + rows.len() <= most * share / RUNS as usize {
            kept.extend(rows.iter());
        }
    }
    kept
}

/// How a look begins that is a text of a public column.
pub(super) const TEXT: &str = "text ";

const WHICH: &str = "which figures are published";
const ORDER: &str = "the order of the figures";

fn how(looks: &BTreeSet<String>, others: &BTreeSet<String>) -> Option<String> {
    looks.difference(others).next().map(|look| format!("how the figures are shown: {look}"))
}

fn on_fewer(all: &Told, other: &Told, kept: &HashSet<u32>, count: usize) -> Option<String> {
    if let Some(found) = how(&other.looks, &all.looks) {
        return Some(found);
    }
    let names: HashMap<&str, &ToldFigure> = other.figures.iter().map(|figure| (figure.name.as_str(), figure)).collect();
    let lists = lists(all);
    for figure in &all.figures {
        let found = names.get(figure.name.as_str());
        let is_whole =
            !figure.rows.is_empty() && !has_interval(&figure.name) && figure.rows.iter().all(|row| kept.contains(row));
        if is_whole && found.is_none_or(|found| found.rows != figure.rows) {
            return Some(WHICH.to_owned());
        }
        // What everybody is in does not vanish with some of them, and neither does the place in a list that holds nothing.
        if found.is_none() && (figure.rows.len() == count || is_place(figure, &lists)) {
            return Some(WHICH.to_owned());
        }
    }
    None
}

/// The figures that are in both are in the same order, or in that of counts that are published with them.
fn order(all: &Told, other: &Told) -> Option<String> {
    let places: HashMap<&str, usize> =
        other.figures.iter().enumerate().map(|(place, figure)| (figure.name.as_str(), place)).collect();
    let in_both = all.figures.iter().filter_map(|figure| places.get(figure.name.as_str()));
    (!in_both.is_sorted() && !is_sorted(all, other)).then(|| ORDER.to_owned())
}

/// Whether a label is an interval that `qcut` made: its ends are values of a public column, and others on other rows.
fn has_interval(name: &str) -> bool {
    let is_interval = |open: char, close: char| {
        name.split(open).skip(1).any(|part| {
            let ends = part.split_once([']', ')']).filter(|(ends, _)| part[ends.len()..].starts_with(close));
            ends.and_then(|(ends, _)| ends.split_once(", "))
                .is_some_and(|(first, last)| first.parse::<f64>().is_ok() && last.parse::<f64>().is_ok())
        })
    };
    is_interval('(', ']') || is_interval('[', ')')
}

/// The names of lists: something is at place 0 there. The keys of groups may be numbers too.
fn lists(told: &Told) -> HashSet<&str> {
    told.figures.iter().filter_map(|figure| figure.name.strip_suffix("[0]")).collect()
}

/// Whether it is `name[3]` without anybody behind it, where `name` is a list.
fn is_place(figure: &ToldFigure, lists: &HashSet<&str>) -> bool {
    let place = figure.name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    figure.rows.is_empty() && place.is_some_and(|(name, label)| lists.contains(name) && label.parse::<u64>().is_ok())
}

/// Whether the figures are in the order of counts that are published with them.
fn is_sorted(all: &Told, other: &Told) -> bool {
    let (mine, others) = (columns(all), columns(other));
    let is_in_order = |values: &Vec<i64>, up: bool| {
        values.windows(2).all(|pair| if up { pair[0] <= pair[1] } else { pair[0] >= pair[1] })
            && values.first() != values.last()
    };
    mine.iter().any(|(name, values)| {
        let others = others.get(name);
        [true, false]
            .into_iter()
            .any(|up| is_in_order(values, up) && others.is_some_and(|others| is_in_order(others, up)))
    })
}

/// The counts by the columns that they are in: `table[north, n]` and `table[south, n]` are one, and so are `sizes[north]`
/// and `sizes[south]`.
fn columns(told: &Told) -> BTreeMap<(&str, &str), Vec<i64>> {
    let mut found: BTreeMap<(&str, &str), Vec<i64>> = BTreeMap::new();
    for figure in &told.figures {
        let Some(count) = figure.count else { continue };
        // What is returned by itself has no name before its labels.
        let (name, label) = figure.name.split_once('[').unwrap_or(("", &figure.name));
        let column = label.rsplit_once(", ").map_or("", |(_, column)| column);
        found.entry((name, column)).or_default().push(count);
    }
    found
}

fn on_more(all: &Told, count: usize, told_on: &impl Fn(&[u32]) -> Option<Told>) -> Option<String> {
    let times = times_of(count);
    if times < 2 {
        return None;
    }
    let more = told_on(&repeated(count, times, &HashSet::new()))?;
    if let Some(found) = how(&all.looks, &more.looks) {
        return Some(found);
    }
    if let Some(found) = order(all, &more) {
        return Some(found);
    }
    let known: HashSet<&str> = all.figures.iter().map(|figure| figure.name.as_str()).collect();
    let mine: BTreeSet<&[u32]> = all.figures.iter().map(|figure| figure.rows.as_slice()).collect();
    let new: Vec<&ToldFigure> = more.figures.iter().filter(|figure| !known.contains(figure.name.as_str())).collect();
    let lists = lists(&more);
    // Two figures about the same people are there together.
    if new
        .iter()
        .any(|figure| is_place(figure, &lists) || !figure.rows.is_empty() && mine.contains(figure.rows.as_slice()))
    {
        return Some(WHICH.to_owned());
    }
    let sets: BTreeSet<&[u32]> =
        new.iter().map(|figure| figure.rows.as_slice()).filter(|rows| !rows.is_empty()).collect();
    for run in 0..if sets.is_empty() { 0 } else { 2 } {
        let kept = kept(run, &sets, count, RUNS as usize / 2);
        let other = told_on(&repeated(count, times, &kept))?;
        let shown: BTreeSet<&[u32]> = other.figures.iter().map(|figure| figure.rows.as_slice()).collect();
        for rows in &sets {
            let stays = rows.iter().all(|row| kept.contains(row));
            let grows = rows.iter().all(|row| !kept.contains(row));
            if stays && shown.contains(rows) || grows && !shown.contains(rows) {
                return Some(WHICH.to_owned());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of 30, 20, 8 and 2 people.
    const SIZES: [usize; 4] = [30, 20, 8, 2];

    fn group_of(row: u32) -> usize {
        let ends = [30, 50, 58];
        ends.iter().filter(|end| row >= **end).count()
    }

    /// What is found of a function that says which groups are published, and how they are shown, by the sizes of the groups.
    fn found(publishes: impl Fn(&[usize; 4]) -> (Vec<usize>, String)) -> Option<String> {
        let told_on = |picked: &[u32]| {
            let mut groups = [const { Vec::new() }; 4];
            picked.iter().for_each(|row| groups[group_of(*row)].push(*row));
            let (shown, look) = publishes(&[0, 1, 2, 3].map(|group| groups[group].len()));
            let figure = |group: usize| {
                let mut rows = groups[group].clone();
                rows.dedup();
                rows.sort_unstable();
                rows.dedup();
                ToldFigure { name: format!("mean[{group}]"), rows, count: None }
            };
            let figures = shown.into_iter().filter(|group| !groups[*group].is_empty()).map(figure).collect();
            Some(Told { looks: BTreeSet::from([look]), figures })
        };
        let count = SIZES.iter().sum::<usize>();
        let every: Vec<u32> = (0..count as u32).collect();
        depending(&told_on(&every).unwrap(), count, told_on)
    }

    #[test]
    fn groups_that_are_left_out_because_they_are_small_tell_nothing() {
        let same = || "1 decimals".to_owned();
        assert_eq!(found(|_| ((0..4).collect(), same())), None);
        for least in [5, 9, 12, 25] {
            assert_eq!(
                found(|sizes| ((0..4).filter(|group| sizes[*group] >= least).collect(), same())),
                None,
                "{least}"
            );
        }
    }

    #[test]
    fn what_depends_on_the_size_of_another_group_is_found() {
        let same = || "1 decimals".to_owned();
        let which = Some(WHICH.to_owned());
        assert_eq!(found(|sizes| ((0..4).take(sizes[3]).collect(), same())), which);
        assert_eq!(found(|sizes| (vec![sizes[3].min(3)], same())), which);
        assert_eq!(found(|sizes| (vec![2, usize::from(sizes[2] > 30)], same())), which);
        let sorted = |sizes: &[usize; 4]| {
            let mut groups = vec![0, 1, 2];
            groups.sort_by_key(|group| sizes[*group].abs_diff(12));
            groups
        };
        assert_eq!(found(|sizes| (sorted(sizes), same())), Some(ORDER.to_owned()));
        let shown = found(|sizes| (vec![0, 1, 2], format!("{} decimals", sizes[3])));
        assert!(shown.is_some_and(|shown| shown.starts_with("how the figures are shown")));
    }

    #[test]
    fn intervals_are_told_from_pairs_of_numbers() {
        assert!(has_interval("means[(17.999, 32.0]]") && has_interval("[0.0, 10.0)"));
        assert!(!has_interval("means[3, 4]") && !has_interval("means (2)") && !has_interval("means[(3, 4), n]"));
    }
}
