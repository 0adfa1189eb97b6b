//! Who is in each figure and with which weight, kept while contributions are looked at.

use super::SAME;
use super::sets::{AtomTree, Difference};

/// Weights that are kept one by one, of all figures together.
const MOST_KEPT: usize = 20_000_000;

/// The people of each figure, and their weights.
pub(in crate::audit) struct Weighed {
    atoms: AtomTree,
    figures: Vec<Weights>,
    kept: usize,
}

/// The weights of a figure.
enum Weights {
    /// All people have the same.
    Same(f64),
    /// Each person has their own, by entry, ascending.
    Each(Vec<(u32, f64)>),
}

impl Weighed {
    pub(in crate::audit) fn new(entries: usize) -> Self {
        Weighed { atoms: AtomTree::new(entries), figures: Vec::new(), kept: 0 }
    }

    /// Adds the next figure: the entries in it, and the weight of a person of each.
    pub(in crate::audit) fn add(&mut self, weights: &[(usize, f64)]) {
        self.atoms.add(self.figures.len(), weights.iter().map(|(entry, _)| *entry));
        let first = weights.first().map_or(0.0, |(_, weight)| *weight);
        let is_same = weights.iter().all(|(_, weight)| (weight - first).abs() <= SAME * first.abs());
        self.figures.push(match is_same {
            true => Weights::Same(first),
            false => {
                self.kept += weights.len();
                let mut each = Vec::new();
                if self.kept <= MOST_KEPT {
                    each.extend(weights.iter().map(|(entry, weight)| (*entry as u32, *weight)));
                    each.sort_unstable_by_key(|(entry, _)| *entry);
                }
                Weights::Each(each)
            }
        });
    }

    /// The atoms of each of the first so many figures; `None` if there were too many weights to keep.
    pub(super) fn sets(&self, figures: usize) -> Option<Vec<Vec<u32>>> {
        (self.kept <= MOST_KEPT).then(|| self.atoms.figures(figures))
    }

    /// Who is in each atom.
    pub(super) fn members(&self) -> Vec<Vec<u32>> {
        self.atoms.members()
    }

    /// Whether everybody in a figure has the same weight.
    pub(super) fn is_flat(&self, figure: usize) -> bool {
        matches!(self.figures[figure], Weights::Same(_))
    }

    /// The weights of a figure's entries, ascending; `None` if they are all the same.
    pub(super) fn each(&self, figure: usize) -> Option<&[(u32, f64)]> {
        match &self.figures[figure] {
            Weights::Same(_) => None,
            Weights::Each(each) => Some(each),
        }
    }

    /// What makes a figure the total of its people; `None` if they have different weights.
    pub(in crate::audit) fn times_to_total(&self, figure: usize) -> Option<f64> {
        match self.figures[figure] {
            Weights::Same(weight) => Some(whole(1.0 / weight)),
            Weights::Each(_) => None,
        }
    }

    /// The multiples with which the inner figures of a difference cancel in the outer one; `None` if their weights are not in
    /// proportion. Those of sums and means are whole numbers, so that they cancel exactly. `sets` has the atoms of each
    /// figure, `members` the entries of each atom.
    pub(super) fn multiples(
        &self,
        difference: &Difference,
        sets: &[Vec<u32>],
        members: &[Vec<u32>],
    ) -> Option<Vec<f64>> {
        let totals: Option<Vec<f64>> = difference.figures().map(|figure| self.times_to_total(figure)).collect();
        if let Some(mut multiples) = totals {
            multiples[1..].iter_mut().for_each(|times| *times = -*times);
            return Some(multiples);
        }
        let outer = &self.figures[difference.outer];
        let others = difference.inner.iter().map(|inner| {
            let times = match &self.figures[*inner] {
                Weights::Same(weight) => {
                    let entries = sets[*inner].iter().flat_map(|atom| &members[*atom as usize]);
                    proportion(outer, entries.map(|entry| (*entry, *weight)))
                }
                Weights::Each(each) => proportion(outer, each.iter().copied()),
            };
            times.map(|times| -times)
        });
        std::iter::once(Some(1.0)).chain(others).collect()
    }
}

impl Weights {
    fn of(&self, entry: u32) -> Option<f64> {
        match self {
            Weights::Same(weight) => Some(*weight),
            Weights::Each(each) => {
                let place = each.binary_search_by_key(&entry, |(entry, _)| *entry).ok()?;
                Some(each[place].1)
            }
        }
    }
}

/// c with outer = c·inner for everybody in the inner figure, whose entries and weights are given.
fn proportion(outer: &Weights, mut inner: impl Iterator<Item = (u32, f64)>) -> Option<f64> {
    let (first, weight) = inner.next()?;
    let times = outer.of(first)? / weight;
    let is_same = |(entry, weight): (u32, f64)| {
        outer.of(entry).is_some_and(|of_outer| (of_outer - times * weight).abs() <= SAME * of_outer.abs())
    };
    (times.is_finite() && inner.all(is_same)).then_some(times)
}

/// A number that is meant to be whole, such as 1/(1/3).
fn whole(value: f64) -> f64 {
    if (value - value.round()).abs() <= SAME * value.abs() { value.round() } else { value }
}
