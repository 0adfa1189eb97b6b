//! Observations that are sums of smaller ones, found before anything is factored.
//!
//! A table with all its margins has far more figures than cells, each margin a sum of cells. A factorisation of all of them
//! would be dense, though that of the cells alone is next to nothing. So rows are eliminated here one by one, those of few
//! groups first, in sparse vectors of doubles: a row of which nothing is left is proposed as a combination of smaller ones.
//! A row that grows on the way is left as it is; with nested tables none does. This only proposes: `dependence` checks
//! every combination, and the factorisation of the others proves that these are independent.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::number::Scalar;

use super::super::projector::Projector;
use super::columns::Columns;

/// What is below this part of a row's largest coefficient is rounding; a wrong guess is found out.
const ROUNDING: f64 = 1e-9;
/// How much longer than a row the rows that are subtracted from it may be together, before it is left as it is.
const MOST_GROWTH: usize = 4;
const MOST_MORE: usize = 64;

/// A row from which those of earlier pivots were subtracted.
struct Pivot {
    group: u32,
    entries: Vec<(u32, f64)>,
    /// The same as a combination of observations.
    of: Vec<(usize, f64)>,
}

/// A row while it is eliminated.
struct Work {
    values: Vec<f64>,
    is_touched: Vec<bool>,
    touched: Vec<u32>,
}

impl Work {
    fn add(&mut self, group: u32, value: f64) {
        let place = group as usize;
        if !std::mem::replace(&mut self.is_touched[place], true) {
            self.touched.push(group);
        }
        self.values[place] += value;
    }

    /// Begins anew.
    fn forget(&mut self) {
        for group in self.touched.drain(..) {
            (self.values[group as usize], self.is_touched[group as usize]) = (0.0, false);
        }
    }

    /// What is left, ascending; begins anew.
    fn take(&mut self, least: f64) -> Vec<(u32, f64)> {
        let mut left = Vec::new();
        for group in self.touched.drain(..) {
            let value = std::mem::replace(&mut self.values[group as usize], 0.0);
            self.is_touched[group as usize] = false;
            if value.abs() > least {
                left.push((group, value));
            }
        }
        left.sort_unstable_by_key(|(group, _)| *group);
        left
    }
}

/// Observations that seem to follow from others which do not, with the weights of these; all in these units, and
/// in these columns.
pub(super) fn peel<S: Scalar>(
    projector: &Projector<'_, S>,
    units: &[i32],
    columns: &Columns,
) -> Vec<(usize, Vec<(usize, f64)>)> {
    let groups = projector.group_count();
    let occurs = |group: u32| columns.length(group as usize);
    // What has a source of its own, as noise is, follows from nothing, and nothing follows from it and others.
    let has_its_own = |position: &usize| projector.groups_within(*position, 0..groups).any(|group| occurs(group) == 1);
    let mut order: Vec<usize> = (0..units.len()).filter(|position| !has_its_own(position)).collect();
    if order.is_empty() {
        return Vec::new();
    }
    order.sort_by_key(|position| projector.merged(*position).len);
    let mut work = Work { values: vec![0.0; groups], is_touched: vec![false; groups], touched: Vec::new() };
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut pivot_of: Vec<Option<u32>> = vec![None; groups];
    let mut found = Vec::new();
    for position in order {
        let mut largest: f64 = 0.0;
        for (group, value) in projector.coefficients_within(position, 0..groups, units[position]) {
            work.add(group, value);
            largest = largest.max(value.abs());
        }
        let least = ROUNDING * largest;
        let mut room = MOST_GROWTH * work.touched.len() + MOST_MORE;
        // A pivot brings in groups of later ones only.
        let mut due: BinaryHeap<Reverse<u32>> =
            work.touched.iter().filter_map(|group| pivot_of[*group as usize]).map(Reverse).collect();
        let mut of: BTreeMap<usize, f64> = BTreeMap::new();
        let mut last = None;
        let mut is_left = false;
        while let Some(Reverse(number)) = due.pop() {
            if last.replace(number) == Some(number) {
                continue;
            }
            let pivot = &pivots[number as usize];
            let value = work.values[pivot.group as usize];
            if value.abs() <= least {
                continue;
            }
            let size = pivot.entries.len() + pivot.of.len();
            if size > room {
                is_left = true;
                break;
            }
            room -= size;
            // Entries of pivots are divided by that of their own group.
            for (group, entry) in &pivot.entries {
                work.add(*group, -value * entry);
                due.extend(pivot_of[*group as usize].filter(|other| *other > number).map(Reverse));
            }
            for (other, weight) in &pivot.of {
                *of.entry(*other).or_default() += value * weight;
            }
        }
        if is_left {
            work.forget();
            continue;
        }
        let left = work.take(least);
        // The group that is in the fewest rows is subtracted least often.
        let Some((group, own)) = left.iter().min_by_key(|(group, _)| (occurs(*group), *group)).copied() else {
            found.push((position, of.into_iter().collect()));
            continue;
        };
        pivot_of[group as usize] = Some(pivots.len() as u32);
        let of = of.into_iter().map(|(other, weight)| (other, -weight)).chain([(position, 1.0)]);
        let of = of.map(|(other, weight)| (other, weight / own)).collect();
        let entries = left.into_iter().map(|(group, value)| (group, value / own)).collect();
        pivots.push(Pivot { group, entries, of });
    }
    found
}
