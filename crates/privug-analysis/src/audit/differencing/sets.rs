//! Published figures as sets of people: which lies inside which, and what is left after subtracting.
//!
//! People who are in exactly the same figures are an *atom*; every figure is a union of atoms. With one figure inside
//! another, everybody who can subtract knows the rest; with several that have nobody in common, what all of them leave.

use privug_engine::sorting::CompactSort;
use std::collections::{HashMap, HashSet};

/// Comparisons of atoms that looking for figures inside others may take: some seconds of them.
const MOST_COMPARISONS: u64 = 400_000_000;

/// The figure that a place of the tree was last gone through for: none yet.
const NONE: u32 = u32::MAX;

/// Puts people into atoms, figure by figure. A place of the tree stands for those who are in the same figures so far.
pub(in crate::audit) struct AtomTree {
    place_of: Vec<u32>,
    /// The place before, and the figure that led away from it.
    before: Vec<(u32, u32)>,
    /// The figure that was last gone through, and where it led to.
    last: Vec<(u32, u32)>,
}

impl AtomTree {
    pub(in crate::audit) fn new(entries: usize) -> Self {
        AtomTree { place_of: vec![0; entries], before: vec![(0, NONE)], last: vec![(NONE, 0)] }
    }

    /// Adds a figure, by who is in it. Figures are added once each, in their order.
    pub(in crate::audit) fn add(&mut self, figure: usize, entries: impl IntoIterator<Item = usize>) {
        let figure = figure as u32;
        for entry in entries {
            let old = self.place_of[entry];
            let (seen, mut new) = self.last[old as usize];
            if seen != figure {
                new = self.before.len() as u32;
                self.before.push((old, figure));
                self.last.push((NONE, 0));
                self.last[old as usize] = (figure, new);
            }
            self.place_of[entry] = new;
        }
    }

    /// The atoms of each of so many figures, ascending.
    pub(in crate::audit) fn figures(&self, count: usize) -> Vec<Vec<u32>> {
        let ranges = self.atoms_behind();
        let mut figures = vec![Vec::new(); count];
        // The places that a figure led to were made one after the other, and no atom is behind two of them.
        let mut parts: Vec<(u32, u32)> = Vec::new();
        let mut place = 1;
        while place < self.before.len() {
            let figure = self.before[place].1;
            let same = self.before[place..].iter().take_while(|(_, of)| *of == figure).count();
            parts.extend(ranges[place..place + same].iter().filter(|(start, end)| start < end));
            parts.sort_unstable();
            figures[figure as usize].extend(parts.drain(..).flat_map(|(start, end)| start..end));
            place += same;
        }
        figures
    }

    /// Who is in each atom.
    pub(in crate::audit) fn members(&self) -> Vec<Vec<u32>> {
        let ranges = self.atoms_behind();
        let mut sizes = vec![0; ranges[0].1 as usize];
        let inside = || self.place_of.iter().enumerate().filter(|(_, place)| **place != 0);
        inside().for_each(|(_, place)| sizes[ranges[*place as usize].0 as usize] += 1);
        let mut members: Vec<Vec<u32>> = sizes.into_iter().map(Vec::with_capacity).collect();
        for (entry, place) in inside() {
            members[ranges[*place as usize].0 as usize].push(entry as u32);
        }
        members
    }

    /// The atoms at each place of the tree and behind it; one at the place itself is the first of them. Atoms are in the order of
    /// the figures that they are in, whatever the order of people, so that the same is found in groups of them. Whoever is
    /// in no figure is in none.
    fn atoms_behind(&self) -> Vec<(u32, u32)> {
        // How many there are first; a place is made after the one before it.
        let mut ranges = vec![(0, 0); self.before.len()];
        self.place_of.iter().filter(|place| **place != 0).for_each(|place| ranges[*place as usize] = (1, 1));
        for place in (1..ranges.len()).rev() {
            ranges[self.before[place].0 as usize].1 += ranges[place].1;
        }
        // Then where they begin: the places after one were made in the order of figures.
        let mut next = vec![0; ranges.len()];
        for place in 1..ranges.len() {
            let before = self.before[place].0 as usize;
            let (own, count) = ranges[place];
            let start = next[before];
            next[before] += count;
            next[place] = start + own;
            ranges[place] = (start, start + count);
        }
        ranges
    }
}

/// A figure, and others inside it that have nobody in common: what they leave of it follows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::audit) struct Difference {
    pub(in crate::audit) outer: usize,
    pub(in crate::audit) inner: Vec<usize>,
}

/// The differences between some figures, each a set of atoms: of every two of which one lies inside the other, and of each
/// with as many others inside it as go together, the largest first. Only a figure that `cancels` in the outer one, because it
/// weighs people alike, is inside it. Of figures about the same people that weigh them alike the first is taken.
/// `None` if that is too much to work out.
pub(in crate::audit) fn differences(
    figures: &[Vec<u32>],
    chosen: &[usize],
    cancels: &dyn Fn(usize, usize) -> bool,
) -> Option<Vec<Difference>> {
    let mut known: HashMap<&[u32], Vec<usize>> = HashMap::new();
    for figure in chosen.iter().copied().filter(|figure| !figures[*figure].is_empty()) {
        let alike = known.entry(&figures[figure]).or_default();
        if !alike.iter().any(|other| cancels(*other, figure)) {
            alike.push(figure);
        }
    }
    let is_first = |figure: &usize| known.get(figures[*figure].as_slice()).is_some_and(|first| first.contains(figure));
    let chosen: Vec<usize> = chosen.iter().copied().filter(is_first).collect();
    let atoms = chosen.iter().filter_map(|figure| figures[*figure].last()).max().map_or(0, |last| *last as usize + 1);
    let mut of_atom: Vec<Vec<u32>> = vec![Vec::new(); atoms];
    for figure in &chosen {
        figures[*figure].iter().for_each(|atom| of_atom[*atom as usize].push(*figure as u32));
    }
    let mut comparisons = 0;
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); figures.len()];
    let mut found = Vec::new();
    for inner in chosen.iter().copied() {
        let rarest = figures[inner].iter().min_by_key(|atom| of_atom[**atom as usize].len());
        let Some(rarest) = rarest else { continue };
        for outer in of_atom[*rarest as usize].iter().map(|outer| *outer as usize) {
            if figures[outer].len() <= figures[inner].len() {
                continue;
            }
            let missed = figures[inner].iter().position(|atom| figures[outer].binary_search(atom).is_err());
            comparisons += 1 + missed.unwrap_or(figures[inner].len()) as u64;
            if comparisons > MOST_COMPARISONS {
                return None;
            }
            if missed.is_none() && cancels(outer, inner) {
                inside[outer].push(inner);
                found.push(Difference { outer, inner: vec![inner] });
            }
        }
    }
    for outer in chosen {
        found.extend(several(figures, outer, &mut inside[outer]));
    }
    Some(found)
}

/// The figures inside another that go together, if these are several and leave somebody.
fn several(figures: &[Vec<u32>], outer: usize, inside: &mut [usize]) -> Option<Difference> {
    inside.sort_compact_by_key(|inner| std::cmp::Reverse(figures[*inner].len()));
    let mut taken: HashSet<u32> = HashSet::new();
    let mut inner = Vec::new();
    for figure in inside.iter().copied() {
        if figures[figure].iter().all(|atom| !taken.contains(atom)) {
            taken.extend(&figures[figure]);
            inner.push(figure);
        }
    }
    (inner.len() > 1 && taken.len() < figures[outer].len()).then_some(Difference { outer, inner })
}

impl Difference {
    /// The outer figure, then the inner ones.
    pub(in crate::audit) fn figures(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.outer).chain(self.inner.iter().copied())
    }

    /// How many atoms are left.
    pub(in crate::audit) fn size(&self, figures: &[Vec<u32>]) -> usize {
        let inner: usize = self.inner.iter().map(|inner| figures[*inner].len()).sum();
        figures[self.outer].len() - inner
    }

    /// The atoms that are left, ascending.
    pub(in crate::audit) fn atoms(&self, figures: &[Vec<u32>]) -> Vec<u32> {
        let taken: HashSet<u32> = self.inner.iter().flat_map(|inner| figures[*inner].iter().copied()).collect();
        figures[self.outer].iter().copied().filter(|atom| !taken.contains(atom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(people: usize, sets: &[&[usize]]) -> Vec<Vec<u32>> {
        let mut tree = AtomTree::new(people);
        sets.iter().enumerate().for_each(|(figure, set)| tree.add(figure, set.iter().copied()));
        tree.figures(sets.len())
    }

    #[test]
    fn people_in_the_same_figures_are_an_atom() {
        let found = figures(7, &[&[0, 1, 2, 3, 4], &[3, 4, 5], &[0, 1]]);
        // 2 is in the first alone, 0 and 1 in the first and the third, 3 and 4 in the first and the second, 5 in the second.
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 2, 1]);
        let common = found[0].iter().filter(|atom| found[1].contains(atom)).count();
        assert_eq!(common, 1);
    }

    #[test]
    fn a_figure_inside_of_another_leaves_the_rest_though_a_third_crosses_the_border() {
        let found = figures(10, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &[0, 1, 2, 3, 4, 5], &[5, 6]]);
        let differences = differences(&found, &[0, 1, 2], &|_, _| true).expect("little work");
        let from = |outer, inner: &[usize]| Difference { outer, inner: inner.to_vec() };
        assert!(differences.contains(&from(0, &[1])) && differences.contains(&from(0, &[2])), "{differences:?}");
        assert_eq!(differences.len(), 2);
        assert_eq!(from(0, &[1]).atoms(&found).len(), 2);
    }

    #[test]
    fn what_several_cells_leave_of_their_total_is_found() {
        let found = figures(9, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[0, 1, 2], &[3, 4, 5], &[3, 4, 5]]);
        let all = differences(&found, &[0, 1, 2, 3], &|_, _| true).expect("little work");
        let both = Difference { outer: 0, inner: vec![1, 2] };
        assert!(all.contains(&both), "{all:?}");
        assert_eq!(both.atoms(&found).len(), 1);
        // The third and the fourth are about the same people, and one of them is enough.
        assert_eq!(all.len(), 3);
        // A total that its cells make up leaves nobody.
        let whole = figures(6, &[&[0, 1, 2, 3, 4, 5], &[0, 1, 2], &[3, 4, 5]]);
        assert_eq!(differences(&whole, &[0, 1, 2], &|_, _| true).expect("little work").len(), 2);
    }

    #[test]
    fn differences_are_those_that_sets_of_people_have() {
        let mut state = 11u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let mut nested = 0;
        for _ in 0..300 {
            let sets: Vec<Vec<usize>> =
                (0..6).map(|_| (0..7).filter(|_| below(3) > 0).collect::<Vec<usize>>()).collect();
            let borrowed: Vec<&[usize]> = sets.iter().map(Vec::as_slice).collect();
            let found = differences(&figures(7, &borrowed), &[0, 1, 2, 3, 4, 5], &|_, _| true).expect("little work");
            let is_first = |figure: usize| !sets[..figure].contains(&sets[figure]) && !sets[figure].is_empty();
            for (outer, inner) in (0..6).flat_map(|outer| (0..6).map(move |inner| (outer, inner))) {
                let is_inside = sets[inner].len() < sets[outer].len()
                    && sets[inner].iter().all(|person| sets[outer].contains(person));
                let expected = is_first(outer) && is_first(inner) && is_inside;
                assert_eq!(found.contains(&Difference { outer, inner: vec![inner] }), expected, "{sets:?}");
                nested += usize::from(expected);
            }
        }
        assert!(nested > 100);
    }
}
